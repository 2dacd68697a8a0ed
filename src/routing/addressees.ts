import type { Member } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import { nearest } from '../utils/nearest.js';

/** Who a message goes to, and what of its marker did not work out. */
export interface ResolvedAddressees {
  readonly members: readonly Member[];
  readonly unknown: ReadonlyArray<{ readonly name: string; readonly nearest?: string }>;
  /** The speaker named itself. */
  readonly namesSelf: boolean;
  /** Members beyond the limit; they do not get the message. */
  readonly refused: readonly Member[];
}

/** Names of `[NEXT: …]` → members. `all` is every other agent, `human` the person who spoke last. */
export function resolveAddressees(
  names: readonly string[],
  context: {
    readonly members: readonly Member[];
    readonly speaker: Member;
    readonly lastHuman: Member | undefined;
    readonly maxAddressees: number;
  },
): ResolvedAddressees {
  const { members, speaker, lastHuman, maxAddressees } = context;
  const byName = new Map(members.map((member) => [foldName(member.name), member]));
  const found = new Set<Member>();
  const unknown: { name: string; nearest?: string }[] = [];
  let namesSelf = false;
  for (const name of names) {
    const folded = foldName(name);
    const meant = byName.get(folded);
    if (meant === speaker) namesSelf = true;
    else if (meant !== undefined) found.add(meant);
    else if (folded === 'all') for (const member of otherAgents(members, speaker)) found.add(member);
    else if (folded === 'human' && lastHuman !== undefined) found.add(lastHuman);
    else unknown.push(describeUnknown(name, members));
  }
  const wanted = [...found];
  return {
    members: wanted.slice(0, maxAddressees),
    unknown,
    namesSelf,
    refused: wanted.slice(maxAddressees),
  };
}

function otherAgents(members: readonly Member[], speaker: Member): Member[] {
  return members.filter((member) => member.type === 'ai' && member !== speaker);
}

function describeUnknown(name: string, members: readonly Member[]): { name: string; nearest?: string } {
  const suggestion = nearest(
    name,
    members.map((member) => member.name),
  );
  return suggestion === undefined ? { name } : { name, nearest: suggestion };
}
