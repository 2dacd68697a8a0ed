import { setImmediate } from 'node:timers/promises';
import type { AgentAdapter, TurnRequest } from '../../src/agents/AgentAdapter.js';
import { findDefinition } from '../../src/agents/definitions.js';
import type { Dialect, Invocation } from '../../src/agents/dialect/Dialect.js';
import { AnswerText } from '../../src/agents/process/AnswerText.js';
import { describeOddities } from '../../src/agents/process/followAgent.js';
import { hasAnswered, judgeTurn, type StopReason } from '../../src/agents/process/judgeTurn.js';
import { createPlainOutput, createRecordOutput } from '../../src/agents/process/turnOutput.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import { playVendor, type Told } from './playVendor.js';
import type { Output } from './Simulator.js';
import type { SimulatorName } from './simulators.js';

/** What a program prints that gets these arguments and reads this. */
type Program = (args: readonly string[], stdin: string) => Output | Promise<Output>;

/** The simulator of each agent type. */
export const SIMULATORS: Readonly<Record<string, SimulatorName>> = {
  'claude-code': 'claude',
  'openai-codex': 'codex',
  'google-gemini': 'gemini',
};

/** Plays the simulator of a vendor's CLI, which is started and read as the CLI is, without a process. */
export function simulatorAdapter(agentType: string, told: Omit<Told, 'memberName'>): AgentAdapter {
  const dialect = findDefinition(agentType)?.dialect;
  const simulator = SIMULATORS[agentType];
  if (dialect === undefined || simulator === undefined) throw new Error(`no simulator of ${agentType}`);
  return {
    runTurn: (request, signal) =>
      playProgram(dialect, request, signal, (args, stdin) =>
        playVendor(['--dialect', simulator, ...args], async () => stdin, {
          memberName: request.memberName,
          ...told,
        }),
      ),
  };
}

/**
 * Runs a turn as a program that is no process would: its dialect prepares what it gets, reads what it prints, and judges how
 * it ended. Like a process it is stopped when its login is refused, and sees no abort once it has answered.
 */
export async function* playProgram(
  dialect: Dialect,
  request: TurnRequest,
  signal: AbortSignal,
  program: Program,
): AsyncGenerator<AgentEvent, void, undefined> {
  const known = await askFirst(dialect, request, program);
  const { command, args, stdin } = dialect.prepare(request, known);
  const identity = { memberName: request.memberName, command, login: dialect.login, environment: {} };
  const { stdout, stdoutAfterPause = '', stderr, exitCode } = await program(wordsOf(args), stdin);
  const isPlain = dialect.output === 'plain-text';
  const output = isPlain ? createPlainOutput() : createRecordOutput(dialect.createReader(request), {});
  const answer = new AnswerText();
  let stopReason: StopReason | undefined = signal.aborted ? { kind: 'cancelled' } : undefined;
  for (const chunk of [stdout, stdoutAfterPause]) {
    if (stopReason !== undefined) break;
    for (const event of output.push(Buffer.from(chunk))) {
      const told = answer.add(event);
      if (told.type === 'retry' && (told.status === 401 || told.status === 403))
        stopReason ??= { kind: 'refused', status: told.status };
      yield told;
    }
    await setImmediate();
  }
  for (const event of output.end()) yield answer.add(event);
  const { verdict, skippedLines, badSample } = output;
  const exit = stopReason === undefined ? { code: exitCode, signal: null } : undefined;
  const text = isPlain ? answer.text.trimEnd() : answer.text;
  const isComplete = isPlain ? hasAnswered({ exit, text }) : verdict?.ok === true;
  if (isComplete && stopReason === undefined) yield* describeOddities(exit, skippedLines, identity);
  const facts = { stopReason, verdict, exit, text, draft: answer.draft, skippedLines, badSample, stderr };
  yield { type: 'end', outcome: judgeTurn(facts, dialect, identity) };
}

/** The answer to what the dialect has to know first. */
async function askFirst(
  { inquiry }: Dialect,
  request: TurnRequest,
  program: Program,
): Promise<readonly string[]> {
  if (!inquiry?.isNeeded(request)) return [];
  const answer = inquiry.read((await program(inquiry.args, '')).stdout);
  if (answer === undefined) throw new Error('the program did not answer what it was asked first');
  return answer;
}

/** The arguments as words: a temporary file is its name, since no simulator reads one. */
function wordsOf(args: Invocation['args']): readonly string[] {
  return args.map((argument) => (typeof argument === 'string' ? argument : argument.file));
}
