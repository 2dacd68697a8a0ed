import { terminalEnglish as words } from '../../../catalogue/terminal.js';
import { type OpenPermission, openPermissions, type Telling } from '../../../presentation/Telling.js';

/** The question that an answer is for, or why it is for none. */
export type QuestionChoice =
  | { readonly kind: 'question'; readonly question: OpenPermission }
  | { readonly kind: 'none'; readonly reason: string };

/**
 * Finds the question by its number. Without one it is the only one that is open, if it was open, alone and on the screen
 * when the first key of the answer was pressed: nobody says yes to what came under their fingers.
 */
export function chooseQuestion(
  telling: Pick<Telling, 'turns' | 'questionCount'>,
  seen: readonly OpenPermission[],
  typed: string,
): QuestionChoice {
  const permissions = openPermissions(telling);
  const [only] = permissions;
  if (typed !== '') {
    const named = permissions.find(({ number }) => String(number) === typed);
    const wasAsked = /^[1-9]\d*$/u.test(typed) && Number(typed) <= telling.questionCount;
    if (named !== undefined) return { kind: 'question', question: named };
    return none(wasAsked ? words.questionClosed(Number(typed)) : words.noSuchQuestion(typed));
  }
  if (only === undefined)
    return none(seen[0] === undefined ? words.noPermissionAsked : words.questionClosed(seen[0].number));
  const isMeant = permissions.length === 1 && seen.length === 1 && seen[0]?.requestId === only.requestId;
  return isMeant
    ? { kind: 'question', question: only }
    : none(words.nameTheQuestion(permissions.map(({ number }) => number)));
}

function none(reason: string): QuestionChoice {
  return { kind: 'none', reason };
}
