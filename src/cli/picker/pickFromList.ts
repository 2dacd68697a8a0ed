import { on } from 'node:events';
import { createInterface } from 'node:readline';
import type { CliContext } from '../start/CliContext.js';
import { stopOnSignals } from '../start/stopOnSignals.js';
import { type Choice, PickerScreen } from './PickerScreen.js';
import { type Key, NEW_PICKER, type PickerState, pressKey } from './PickerState.js';

const ESCAPE_MILLISECONDS = 50;

/**
 * Lets the user pick from a list with the arrow keys, or by typing a part of it. Leaves nothing of it on the screen.
 * Undefined: cancelled.
 */
export async function pickFromList<Item extends Choice>(
  question: string,
  choices: readonly Item[],
  context: CliContext,
): Promise<Item | undefined> {
  const { stdin, stdout, stop } = context;
  await context.firstPrompt?.close();
  const screen = new PickerScreen(question, context);
  const input = { input: stdin, terminal: true, prompt: '', escapeCodeTimeout: ESCAPE_MILLISECONDS };
  const keyboard = createInterface(input);
  const left = new AbortController();
  keyboard.once('close', () => left.abort());
  const signal = AbortSignal.any([stop.signal, left.signal]);
  const releaseSignals = stopOnSignals(context);
  let state = NEW_PICKER;
  const paint = (): void => screen.paint(state, findMatches(choices, state));
  stdout.on('resize', paint);
  try {
    paint();
    for await (const [text, key] of on(stdin, 'keypress', { signal }) as AsyncIterable<[string?, Key?]>) {
      const matches = findMatches(choices, state);
      const next = pressKey(
        state,
        { sequence: text, ...key },
        { matches: matches.length, rows: screen.rows },
      );
      if (next === 'cancelled') return undefined;
      if (next === 'picked') return matches[state.marked];
      state = next;
      paint();
    }
    return undefined;
  } catch (error) {
    if (signal.aborted) return undefined;
    throw error;
  } finally {
    stdout.off('resize', paint);
    keyboard.close();
    screen.clear();
    releaseSignals();
  }
}

/** The choices that have every word of the filter in them. */
function findMatches<Item extends Choice>(
  choices: readonly Item[],
  { filter }: PickerState,
): readonly Item[] {
  const parts = filter.toLowerCase().split(/\s+/u);
  return choices.filter(({ searched }) => parts.every((part) => searched.includes(part)));
}
