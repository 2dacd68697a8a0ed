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

/** Characters of which code, markup and markers are made. */
const MARKUP = /[`~<[@【＠]/u;

/**
 * A message as it is sent. The marker stands behind plain text, which is the title of the session then; before anything
 * else, where no code block can swallow it and no marker of the message comes first.
 */
export function addressMessage(message: string, names: readonly string[]): string {
  if (names.length === 0) return message;
  const marker = `[NEXT: ${names.join(', ')}]`;
  return MARKUP.test(message) ? `${marker} ${message}` : `${message}\n\n${marker}`;
}
