import type { Member } from '../models/Team.js';
import { foldName } from '../utils/foldName.js';
import { nearest } from '../utils/nearest.js';
import type { AskingProgram } from './teamMembers.js';

/** A slip in a name is worth a suggestion, a list of a thousand strangers is not: each costs a look at every member. */
const MAX_SUGGESTIONS = 5;

/** The name that means every agent but the speaker and checks. */
export const EVERY_AGENT = 'all';

/** Recipients of a message, and the names in its marker that failed. */
export interface ResolvedAddressees {
  readonly members: readonly Member[];
  readonly unknown: ReadonlyArray<{ readonly name: string; readonly nearest?: string }>;
  /** The speaker named itself. */
  readonly namesSelf: boolean;
  /** Members beyond the limit; they do not get the message. */
  readonly refused: readonly Member[];
}

/** Names of `[NEXT: …]`, also written `@name`, → members. `all` is every other agent, `human` the person who spoke last. */
export function resolveAddressees(
  names: readonly string[],
  context: {
    readonly members: readonly Member[];
    readonly speaker: Member | AskingProgram;
    readonly lastHuman: Member | undefined;
    readonly maxAddressees: number;
  },
): ResolvedAddressees {
  const { members, speaker, lastHuman, maxAddressees } = context;
  const meanings = new Map<string, readonly Member[]>([
    [EVERY_AGENT, members.filter((member) => member.type === 'ai' && !member.check && member !== speaker)],
    ...(lastHuman === undefined ? [] : [['human', [lastHuman]] as const]),
    ...members.map((member) => [foldName(member.name), [member]] as const),
  ]);
  const found = new Set<Member>();
  const unknown = new Map<string, string>();
  for (const name of names) {
    const folded = foldName(name.replace(/^[@＠]/u, ''));
    const meant = meanings.get(folded);
    if (meant !== undefined) for (const member of meant) found.add(member);
    else if (!unknown.has(folded)) unknown.set(folded, name);
  }
  const namesSelf = speaker.type !== 'system' && found.delete(speaker);
  const wanted = [...found];
  return {
    members: wanted.slice(0, maxAddressees),
    unknown: [...unknown.values()].map((name, index) =>
      index < MAX_SUGGESTIONS ? suggestFor(name, members) : { name },
    ),
    namesSelf,
    refused: wanted.slice(maxAddressees),
  };
}

function suggestFor(name: string, members: readonly Member[]): { name: string; nearest?: string } {
  const suggestion = nearest(
    name,
    members.map((member) => member.name),
  );
  return suggestion === undefined ? { name } : { name, nearest: suggestion };
}
