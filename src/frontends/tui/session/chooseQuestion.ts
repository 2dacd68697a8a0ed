import { words } from '../../../catalogue/words.js';
import { type OpenPermission, openPermissions, type Telling } from '../../../presentation/Telling.js';

/**
 * Finds the question that an answer is for, or tells why it is for none. Without a number it is the only one that is
 * open, if it was open, alone and on the screen when the first key of the answer was pressed: no one says yes to what
 * came under their fingers.
 */
export function chooseQuestion(
  telling: Pick<Telling, 'turns' | 'questionCount'>,
  seen: readonly OpenPermission[],
  typed: string,
): OpenPermission | string {
  const permissions = openPermissions(telling);
  const [only] = permissions;
  if (typed !== '') {
    const named = permissions.find(({ number }) => String(number) === typed);
    const wasAsked = /^[1-9]\d*$/u.test(typed) && Number(typed) <= telling.questionCount;
    if (named !== undefined) return named;
    return wasAsked ? words.terminal.questionClosed(Number(typed)) : words.terminal.noSuchQuestion(typed);
  }
  if (only === undefined)
    return seen[0] === undefined
      ? words.terminal.noPermissionAsked
      : words.terminal.questionClosed(seen[0].number);
  const isMeant = permissions.length === 1 && seen.length === 1 && seen[0]?.requestId === only.requestId;
  return isMeant ? only : words.terminal.nameTheQuestion(permissions.map(({ number }) => number));
}
