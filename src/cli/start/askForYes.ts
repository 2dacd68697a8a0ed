import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import { words } from '../../catalogue/words.js';
import { toHalfWidth } from '../../utils/toHalfWidth.js';
import { type CliContext, type Stop, say } from './CliContext.js';
import { exitCodeOfSignal } from './exitCodes.js';
import { UsageError } from './reportError.js';

/** Whether input and output are a terminal, so that a person can answer. */
export function canAsk({ stdin, stderr, hear }: CliContext): boolean {
  return hear === undefined && stdin.isTTY === true && stderr.isTTY === true;
}

/** Asks a question that only `y` or `yes` answers with yes. Ctrl-D is a no, and Ctrl-C ends the program. */
export async function askForYes(question: string, context: CliContext): Promise<boolean> {
  const answer = await askForLine(question, context);
  return ['y', 'yes'].includes(
    toHalfWidth(answer ?? '')
      .trim()
      .toLowerCase(),
  );
}

/** Asks for one line. Undefined: Ctrl-D, or Ctrl-C, which ends the program. */
export async function askForLine(question: string, context: CliContext): Promise<string | undefined> {
  const { stdin, stderr, stop, firstPrompt } = context;
  await firstPrompt?.close();
  const dialogue = createInterface({ input: stdin, output: stderr });
  const closed = once(dialogue, 'close').then(() => undefined);
  dialogue.once('SIGINT', () => {
    const reason: Stop = { exitCode: exitCodeOfSignal('SIGINT') };
    stop.abort(reason);
    dialogue.close();
  });
  try {
    // Some versions of Node reject a question that is closed, others leave it open for ever.
    const reply = dialogue.question(question).catch(() => undefined);
    const answer = await Promise.race([reply, closed]);
    // Enter was not pressed: the next output would stand behind the question.
    if (answer === undefined) stderr.write('\n');
    return answer;
  } finally {
    dialogue.close();
  }
}

/** Asks whether to delete; says so if not. Throws where no one can be asked. */
export async function mayDelete(question: string, unasked: string, context: CliContext): Promise<boolean> {
  if (!canAsk(context)) throw new UsageError(unasked);
  if (await askForYes(`${question} `, context)) return true;
  say(context, words.sessions.notDeleted);
  return false;
}
