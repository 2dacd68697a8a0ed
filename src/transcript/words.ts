import { english } from '../catalogue/english.js';
import { formatDuration, formatUsage } from '../catalogue/formats.js';
import { kindAndTitle } from '../catalogue/members.js';
import { describeDecision, describeTrouble } from '../catalogue/tellings.js';
import type { PermissionRecord, ShownMember, ToldTurn } from '../presentation/Block.js';

/** What a member is besides its name: program, title and permission. */
export function factsOf(member: ShownMember): readonly string[] {
  const { permission } = member;
  const { permissions } = english.telling;
  return [...kindAndTitle(member), ...(permission === undefined ? [] : [permissions[permission]])];
}

/** What failed and what to do about it; nothing of a turn that only stopped. */
export function faultOf({ member, result }: ToldTurn): readonly string[] {
  if (result.kind !== 'failed' && result.kind !== 'timed-out') return [];
  const { what, hint } = describeTrouble(member.name, result);
  return [`${what}.`, hint];
}

/** What had arrived of an answer that was not completed. */
export function draftOf({ result }: ToldTurn): string {
  return result.kind === 'completed' ? '' : result.draft;
}

/** What came of a permission request. */
export function describeRecord({ decision, by, person = '' }: PermissionRecord): string {
  if (decision === undefined || by === undefined) return english.decisions.words.cancelled;
  return describeDecision({ decision, by, person });
}

/** What a turn took. */
export function costOf({ turnId, milliseconds, usage }: ToldTurn): readonly string[] {
  return [turnId, formatDuration(milliseconds), ...(usage === undefined ? [] : [formatUsage(usage)])];
}
