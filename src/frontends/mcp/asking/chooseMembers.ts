import { words } from '../../../catalogue/words.js';
import type { TeamHere } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import { foldName } from '../../../utils/foldName.js';
import { nearest } from '../../../utils/nearest.js';
import { sanitizeToOneLine } from '../../../utils/sanitize.js';

/** The name that means every agent. */
const EVERYONE = 'all';

/** Finds the agents that a call names. @throws {@link HuddleError} `UNKNOWN_MEMBER`, with the nearest. */
export function chooseMembers(
  { team, leftOut }: Pick<TeamHere, 'team' | 'leftOut'>,
  wanted: readonly string[],
): readonly string[] {
  const names = team.members.flatMap(({ type, name }) => (type === 'ai' ? [name] : []));
  return wanted.map((word) => {
    const folded = foldName(word.replace(/^[@＠]/u, ''));
    if (folded === EVERYONE) return EVERYONE;
    const found = names.find((name) => foldName(name) === folded);
    if (found !== undefined) return found;
    const shown = sanitizeToOneLine(word);
    const { unknownMember, notHeld } = words.mcp;
    const isLeftOut = leftOut.some((name) => foldName(name) === folded);
    throw new HuddleError(
      'UNKNOWN_MEMBER',
      isLeftOut ? notHeld(shown) : unknownMember(shown, nearest(word, names), names),
    );
  });
}

/** A message as it is sent: the marker stands first, where no code block of the message can swallow it. */
export function addressMessage(message: string, names: readonly string[]): string {
  return names.length === 0 ? message : `[NEXT: ${names.join(', ')}] ${message}`;
}
