import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { CliContext, Stop } from './CliContext.js';
import { exitCodeOfSignal } from './exitCodes.js';

/** Whether a person is there to answer. */
export function canAsk({ stdin, stderr }: CliContext): boolean {
  return stdin.isTTY === true && stderr.isTTY === true;
}

/** Only a whole yes is one: Ctrl-D is no answer, and Ctrl-C ends the program. */
export async function askForYes(question: string, context: CliContext): Promise<boolean> {
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
    // Nobody pressed Enter: what is said next would stand behind the question.
    if (answer === undefined) stderr.write('\n');
    return answer?.trim().toLowerCase() === 'yes';
  } finally {
    dialogue.close();
  }
}
