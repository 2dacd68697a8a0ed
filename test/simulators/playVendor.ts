import { lookUp } from '../../src/agents/dialect/records.js';
import { turnOfScript } from '../../src/agents/rehearsal/script.js';
import { noTotals, SessionFiles } from '../../src/agents/rehearsal/sessionFiles.js';
import { addTotals, answerOf, usageOf } from '../../src/agents/rehearsal/simulatedTurn.js';
import { makeSessionId } from './makeSessionId.js';
import { type Output, optionValue, type Simulator } from './Simulator.js';
import { simulators } from './simulators.js';

/** What a simulated CLI is told besides what the CLI would be. */
export interface Told {
  readonly memberName: string;
  readonly script: unknown;
  readonly stateFolder?: string | undefined;
}

/** All that a simulated CLI prints when it is started with these arguments and reads this prompt. */
export async function playVendor(
  args: readonly string[],
  readPrompt: () => Promise<string>,
  told: Told,
): Promise<Output> {
  const simulator = lookUp(simulators, optionValue(args, '--dialect'));
  if (!simulator) return failure(`--dialect must be one of ${Object.keys(simulators).join(', ')}`, 2);
  if (args.includes('--version')) return { stdout: '0.0.0 (rehearsal)\n', stderr: '', exitCode: 0 };
  if (args.includes('mcp')) return { stdout: '[]\n', stderr: '', exitCode: 0 };
  const prompt = await readPrompt();
  if (prompt.trim() === '') return failure('No prompt provided via stdin.', 1);
  return act(simulator, prompt, args, told);
}

function act(simulator: Simulator, prompt: string, args: readonly string[], told: Told): Output {
  const { memberName, script, stateFolder } = told;
  const files = new SessionFiles(stateFolder);
  const turnNumber = files.countTurn(memberName);
  const turn = turnOfScript(script, memberName, turnNumber);

  const wanted = simulator.sessionIn(args);
  const parent = wanted && files.find(wanted.sessionId);
  if (wanted && files.isKept && !parent) return simulator.unknownSession(wanted.sessionId);
  const sessionId =
    wanted && !wanted.isFork
      ? wanted.sessionId
      : makeSessionId(memberName, turnNumber, wanted?.sessionId ?? '', prompt);

  const blocks = answerOf(turn, memberName, prompt);
  const usage = usageOf(prompt, blocks, turn.usd);
  const sessionTotals = addTotals(parent?.totals ?? noTotals, usage);
  if (!turn.failure) files.save({ sessionId, totals: sessionTotals });
  return simulator.play({
    prompt,
    blocks,
    tools: turn.tools,
    failure: turn.failure,
    model: optionValue(args, '--model', '-m') ?? 'rehearsal',
    sessionId,
    usage,
    sessionTotals,
  });
}

function failure(reason: string, exitCode: number): Output {
  return { stdout: '', stderr: `${reason}\n`, exitCode };
}
