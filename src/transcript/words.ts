import { formatDuration, formatUsage } from '../catalogue/formats.js';
import { dutiesOf, kindAndTitle, rightsInLog } from '../catalogue/members.js';
import { describeDecision, describeTrouble } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import type { PermissionRecord, ShownMember, ToldTurn } from '../presentation/Block.js';

/** Facts about a member besides its name: program, title and permission. */
export function factsOf(member: ShownMember): readonly string[] {
  return [...kindAndTitle(member), ...dutiesOf(member), ...rightsInLog(member)];
}

/** The failure of a turn and what to do about it; nothing if it only stopped. */
export function faultOf({ member, result }: ToldTurn): readonly string[] {
  if (result.kind !== 'failed' && result.kind !== 'timed-out') return [];
  const { what, hint } = describeTrouble(member.name, result);
  return [words.joining.sentence(what), hint];
}

/** The part that arrived of an answer that was not completed. */
export function draftOf({ result }: ToldTurn): string {
  return result.kind === 'completed' ? '' : result.draft;
}

/** Describes what came of a permission request. */
export function describeRecord({ decision, by, person = '' }: PermissionRecord): string {
  if (decision === undefined || by === undefined) return words.decisions.cancelled;
  return describeDecision({ decision, by, person });
}

/** The cost of a turn. */
export function costOf({ turnId, milliseconds, usage }: ToldTurn): readonly string[] {
  return [
    turnId,
    formatDuration(milliseconds, { short: true }),
    ...(usage === undefined ? [] : [formatUsage(usage)]),
  ];
}
