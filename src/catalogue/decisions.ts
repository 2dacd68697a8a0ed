import type { PermissionDecided } from '../models/ConversationEvent.js';
import { english } from './english.js';

/** Describes the decision on a permission request: `denied by kim`. */
export function describeDecision(
  { decision, by }: Pick<PermissionDecided, 'decision' | 'by'>,
  nameOf: (memberId: string) => string,
): string {
  const { words, makers } = english.decisions;
  if (decision === 'cancelled') return words.cancelled;
  const maker = by.kind === 'person' ? makers.person(nameOf(by.memberId)) : makers[by.kind];
  return `${words[decision]}${maker}`;
}
