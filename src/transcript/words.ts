import { formatDuration, formatUsage } from '../catalogue/formats.js';
import { dutiesOf, kindAndTitle, rightsInLog } from '../catalogue/members.js';
import type { ShownMember, ToldTurn } from '../presentation/Block.js';

/** Facts about a member besides its name: program, title and permission. */
export function factsOf(member: ShownMember): readonly string[] {
  return [...kindAndTitle(member), ...dutiesOf(member), ...rightsInLog(member)];
}

/** The cost of a turn. */
export function costOf({ turnId, milliseconds, usage }: ToldTurn): readonly string[] {
  return [
    turnId,
    formatDuration(milliseconds, { short: true }),
    ...(usage === undefined ? [] : [formatUsage(usage)]),
  ];
}
