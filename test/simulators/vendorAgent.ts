/**
 * A program that answers like one of the agent CLIs, without a model and without a network, as its script says. Run as
 * `node vendorAgent.mjs --dialect claude|codex|gemini|plain …`, followed by the arguments that CLI would get.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { lookUp } from '../../src/agents/dialect/records.js';
import { turnOfScript } from '../../src/agents/rehearsal/script.js';
import { noTotals, SessionFiles } from '../../src/agents/rehearsal/sessionFiles.js';
import {
  addTotals,
  answerOf,
  REHEARSAL_VARIABLES,
  readScript,
  usageOf,
} from '../../src/agents/rehearsal/simulatedTurn.js';
import { makeSessionId } from './makeSessionId.js';
import { type Output, optionValue, type Simulator } from './Simulator.js';
import { simulators } from './simulators.js';

const pauseMilliseconds = 500;

async function main(args: readonly string[]): Promise<Output> {
  const simulator = lookUp(simulators, optionValue(args, '--dialect'));
  if (!simulator) return failure(`--dialect must be one of ${Object.keys(simulators).join(', ')}`, 2);
  if (args.includes('--version')) return { stdout: '0.0.0 (rehearsal)\n', stderr: '', exitCode: 0 };
  if (args.includes('mcp')) return { stdout: '[]\n', stderr: '', exitCode: 0 };
  const prompt = await text(process.stdin);
  if (prompt.trim() === '') return failure('No prompt provided via stdin.', 1);
  return act(simulator, prompt, args);
}

function act(simulator: Simulator, prompt: string, args: readonly string[]): Output {
  const memberName = process.env[REHEARSAL_VARIABLES.memberName] ?? 'agent';
  const files = new SessionFiles(process.env[REHEARSAL_VARIABLES.stateFolder]);
  const turnNumber = files.countTurn(memberName);
  const turn = turnOfScript(readScript(), memberName, turnNumber);

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

const { stdout, stdoutAfterPause, stderr, exitCode } = await main(process.argv.slice(2));
process.stdout.write(stdout);
process.stderr.write(stderr);
if (stdoutAfterPause !== undefined) {
  await delay(pauseMilliseconds);
  process.stdout.write(stdoutAfterPause);
}
process.exitCode = exitCode;
