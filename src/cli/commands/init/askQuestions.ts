import { type CANCEL_SYMBOL, confirm, isCancel, select, text, updateSettings } from '@clack/prompts';
import { findPreset, PRESET_NAMES, type PresetName } from '../../../catalogue/presets.js';
import { words } from '../../../catalogue/words.js';
import { splitCommand } from '../../../config/schemaProblems.js';
import { MAX_TEAM_TASK_BYTES } from '../../../models/textLimits.js';
import { utf8Length } from '../../../utils/bytes.js';
import { type CliContext, type Stop, say } from '../../start/CliContext.js';
import { exitCodeOfSignal } from '../../start/exitCodes.js';
import { stopOnSignals } from '../../start/stopOnSignals.js';

/** The answers that only a person can give. */
export interface InitAnswers {
  readonly preset: PresetName;
  /** Command that runs the tests, where it was asked for. */
  readonly tests?: readonly string[];
  readonly task?: string;
}

export interface Questions {
  /** A team file that would be lost. */
  readonly existing?: string;
  /** The preset of the command line, which is not asked for again. */
  readonly preset?: PresetName;
  /** The command that runs the tests was found. */
  readonly hasTests: boolean;
}

/** Asks one thing at a time, on stderr. Undefined: the person cancelled, or wants to keep the existing file. */
export async function askQuestions(
  questions: Questions,
  context: CliContext,
): Promise<InitAnswers | undefined> {
  // Without this, Ctrl-D would leave a question open for ever.
  updateSettings({ aliases: { '\u0004': 'cancel' } });
  const releaseSignals = stopOnSignals(context);
  try {
    const { existing } = questions;
    if (existing !== undefined && !(await askOverwrite(existing, context))) return undefined;
    const preset = questions.preset ?? (await askPreset(context));
    if (preset === undefined) return undefined;
    const asksTests = findPreset(preset).check === 'wanted' && !questions.hasTests;
    const tests = asksTests ? await askTests(context) : '';
    if (tests === undefined) return undefined;
    const task = await askTask(context);
    if (task === undefined) return undefined;
    return {
      preset,
      ...(tests.trim() !== '' && { tests: splitCommand(tests.trim()) }),
      ...(task.trim() !== '' && { task: task.trim() }),
    };
  } finally {
    say(context, '');
    releaseSignals();
  }
}

function askOverwrite(file: string, context: CliContext): Promise<boolean | undefined> {
  const message = words.init.askOverwrite(file);
  const { yes: active, no: inactive } = words.init;
  return answer(confirm({ ...streams(context), message, active, inactive, initialValue: false }), context);
}

function askPreset(context: CliContext): Promise<PresetName | undefined> {
  const question = select({
    ...streams(context),
    message: words.init.whichPreset,
    // They are in English only.
    showInstructions: false,
    options: PRESET_NAMES.map((name) => ({
      value: name,
      label: words.init.choice(name, findPreset(name).summary),
    })),
  });
  return answer(question, context);
}

function askTests(context: CliContext): Promise<string | undefined> {
  const { whichTests: message, skipTests: placeholder } = words.init;
  return answer(text({ ...streams(context), message, placeholder }), context);
}

function askTask(context: CliContext): Promise<string | undefined> {
  const question = text({
    ...streams(context),
    message: words.init.whatTask,
    placeholder: words.init.skipTask,
    validate: (task = '') =>
      utf8Length(task) > MAX_TEAM_TASK_BYTES ? words.init.taskTooLong(MAX_TEAM_TASK_BYTES) : undefined,
  });
  return answer(question, context);
}

function streams({ stdin, stderr, stop }: CliContext) {
  return { input: stdin, output: stderr, signal: stop.signal };
}

/** Esc, Ctrl-C and Ctrl-D end the program as Ctrl-C does everywhere. */
async function answer<Value>(
  question: Promise<Value | typeof CANCEL_SYMBOL>,
  { stop }: CliContext,
): Promise<Value | undefined> {
  const value = await question;
  if (!isCancel(value)) return value;
  const reason: Stop = { exitCode: exitCodeOfSignal('SIGINT') };
  if (!stop.signal.aborted) stop.abort(reason);
  return undefined;
}
