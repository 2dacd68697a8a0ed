import { type CANCEL_SYMBOL, confirm, isCancel, select, text, updateSettings } from '@clack/prompts';
import { initEnglish } from '../../catalogue/init.js';
import { PRESET_NAMES, PRESETS, type PresetName } from '../../catalogue/presets.js';
import { MAX_TEAM_TASK_BYTES } from '../../models/promptLimits.js';
import { utf8Length } from '../../utils/bytes.js';
import { exitCodeOfSignal } from '../exitCodes.js';
import { type Stop, type Surroundings, say } from '../Surroundings.js';
import { stopOnSignals } from '../stopOnSignals.js';

/** What only a person can say. */
export interface Wishes {
  readonly preset: PresetName;
  readonly task?: string;
}

export interface Questions {
  /** A team file that would be lost. */
  readonly existing?: string;
  /** What was said on the command line, which is not asked again. */
  readonly preset?: PresetName;
}

/** Asks one thing at a time, on stderr. Undefined: the person left, or wants to keep the file that is there. */
export async function askQuestions(
  questions: Questions,
  surroundings: Surroundings,
): Promise<Wishes | undefined> {
  // Without this, Ctrl-D would leave a question open for ever.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  const releaseSignals = stopOnSignals(surroundings.stop);
  try {
    const { existing } = questions;
    if (existing !== undefined && !(await askOverwrite(existing, surroundings))) return undefined;
    const preset = questions.preset ?? (await askPreset(surroundings));
    if (preset === undefined) return undefined;
    const task = await askTask(surroundings);
    if (task === undefined) return undefined;
    return { preset, ...(task.trim() !== '' && { task: task.trim() }) };
  } finally {
    say(surroundings, '');
    releaseSignals();
  }
}

function askOverwrite(file: string, surroundings: Surroundings): Promise<boolean | undefined> {
  const message = initEnglish.askOverwrite(file);
  return answer(confirm({ ...streams(surroundings), message, initialValue: false }), surroundings);
}

function askPreset(surroundings: Surroundings): Promise<PresetName | undefined> {
  const question = select({
    ...streams(surroundings),
    message: initEnglish.whichPreset,
    options: PRESET_NAMES.map((name) => ({
      value: name,
      label: initEnglish.choice(name, PRESETS[name].summary),
    })),
  });
  return answer(question, surroundings);
}

function askTask(surroundings: Surroundings): Promise<string | undefined> {
  const question = text({
    ...streams(surroundings),
    message: initEnglish.whatTask,
    placeholder: initEnglish.skipTask,
    validate: (task = '') =>
      utf8Length(task) > MAX_TEAM_TASK_BYTES ? initEnglish.taskTooLong(MAX_TEAM_TASK_BYTES) : undefined,
  });
  return answer(question, surroundings);
}

function streams({ stdin, stderr, stop }: Surroundings) {
  return { input: stdin, output: stderr, signal: stop.signal };
}

/** Esc, Ctrl-C and Ctrl-D end the program as Ctrl-C does everywhere. */
async function answer<Value>(
  question: Promise<Value | typeof CANCEL_SYMBOL>,
  { stop }: Surroundings,
): Promise<Value | undefined> {
  const value = await question;
  if (!isCancel(value)) return value;
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGINT') };
  if (!stop.signal.aborted) stop.abort(reason);
  return undefined;
}
