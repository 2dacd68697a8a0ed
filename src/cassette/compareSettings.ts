import { isDeepStrictEqual } from 'node:util';
import type {
  MemberProfile,
  MemberSettings,
  MemberSummary,
  ProfileChanged,
  TeamSummary,
} from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { OtherSetting } from './Difference.js';

/** Compares what two teams say about themselves and their members. */
export function compareTeams(before: TeamSummary, now: TeamSummary): OtherSetting[] {
  const members = new Map(now.members.map((member) => [member.id, member]));
  const known = new Set(before.members.map(({ id }) => id));
  return [
    ...compareFields({ name: before.name }, { name: now.name }),
    ...before.members.flatMap((member) => compareMembers(member, members.get(member.id))),
    ...now.members.filter(({ id }) => !known.has(id)).flatMap((member) => compareMembers(undefined, member)),
    ...compareOrder(before, now),
  ];
}

/** The order of members says who is first, and who is next in a round. */
function compareOrder(before: TeamSummary, now: TeamSummary): OtherSetting[] {
  const [old, current] = [before, now].map(({ members }) => members.map(({ id }) => id));
  const isSameSet = isDeepStrictEqual(old?.toSorted(), current?.toSorted());
  return isSameSet ? compareFields({ order: old }, { order: current }) : [];
}

function compareMembers(before: MemberSummary | undefined, now: MemberSummary | undefined): OtherSetting[] {
  const { id: memberId } = before ?? now ?? {};
  if (memberId === undefined) return [];
  if (before === undefined || now === undefined)
    return compareFields({ member: before?.name }, { member: now?.name }, memberId);
  return compareFields(before, now, memberId);
}

/** Texts and names that every prompt has: what changed in them is shown there. */
const IN_PROMPTS: readonly string[] = ['memberNames'] satisfies (keyof MemberProfile)[];

/** The texts of a profile: compared in prompts, if there are any. */
export const TEXT_FIELDS: readonly string[] = [
  'systemInstruction',
  'instructionFileText',
] satisfies (keyof MemberProfile)[];

/** Compares what shapes a member's prompts, and what its agent can do where the recording knows that. */
export function compareProfiles(
  before: Pick<ProfileChanged, 'memberId' | 'profile' | 'settings'>,
  now: Pick<ProfileChanged, 'profile' | 'settings'>,
): OtherSetting[] {
  const { memberId } = before;
  const shape = compareFields(before.profile, now.profile, memberId);
  const settings =
    before.settings === undefined ? [] : compareFields(before.settings, now.settings ?? {}, memberId);
  return [...shape.filter(({ field }) => !IN_PROMPTS.includes(field)), ...settings];
}

type Fields = Partial<Readonly<Record<string, unknown>>> | MemberProfile | MemberSettings | MemberSummary;

/** Lists the fields that differ. */
function compareFields(before: Fields, now: Fields, memberId?: MemberId): OtherSetting[] {
  const [old, current]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...now }];
  return [...new Set([...Object.keys(old ?? {}), ...Object.keys(current ?? {})])]
    .filter((field) => !isDeepStrictEqual(old?.[field], current?.[field]))
    .map((field) => ({
      kind: 'settings',
      ...(memberId !== undefined && { memberId }),
      field,
      ...(old?.[field] !== undefined && { before: old[field] }),
      ...(current?.[field] !== undefined && { now: current[field] }),
    }));
}
