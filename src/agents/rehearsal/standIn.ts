/**
 * The built-in stand-in: a process that answers like one of the agent CLIs, without a model and without a network.
 * Run as `node standIn.js --dialect claude|codex|gemini|plain …`, followed by the arguments that CLI would get.
 */
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { lookUp } from '../dialect/records.js';
import { addTotals, answerOf, readScript, usageOf } from './performance.js';
import { REHEARSAL_VARIABLES } from './rehearsalDialect.js';
import { turnOfScript } from './script.js';
import { makeSessionId, noTotals, SessionFiles } from './sessionFiles.js';
import { type Output, optionValue, type Voice } from './Voice.js';
import { voices } from './voices.js';

const pauseMilliseconds = 500;

async function main(args: readonly string[]): Promise<Output> {
  const voice = lookUp(voices, optionValue(args, '--dialect'));
  if (!voice) return failure(`--dialect must be one of ${Object.keys(voices).join(', ')}`, 2);
  if (args.includes('--version')) return { stdout: '0.0.0 (rehearsal)\n', stderr: '', exitCode: 0 };
  const prompt = await text(process.stdin);
  if (prompt.trim() === '') return failure('No prompt provided via stdin.', 1);
  return act(voice, prompt, args);
}

function act(voice: Voice, prompt: string, args: readonly string[]): Output {
  const memberName = process.env[REHEARSAL_VARIABLES.memberName] ?? 'stand-in';
  const files = new SessionFiles(process.env[REHEARSAL_VARIABLES.stateFolder]);
  const turnNumber = files.countTurn(memberName);
  const turn = turnOfScript(readScript(), memberName, turnNumber);
  if (turn.recording) return playRecording(turn.recording, turn.exitCode);

  const wanted = voice.sessionIn(args);
  const parent = wanted && files.find(wanted.sessionId);
  if (wanted && files.isKept && !parent) return voice.unknownSession(wanted.sessionId);
  const sessionId =
    wanted && !wanted.isFork
      ? wanted.sessionId
      : makeSessionId(memberName, turnNumber, wanted?.sessionId ?? '', prompt);

  const blocks = answerOf(turn, memberName, prompt);
  const usage = usageOf(prompt, blocks, turn.usd);
  const sessionTotals = addTotals(parent?.totals ?? noTotals, usage);
  if (!turn.failure) files.save({ sessionId, totals: sessionTotals });
  const output = voice.play({
    prompt,
    blocks,
    tools: turn.tools,
    failure: turn.failure,
    model: optionValue(args, '--model', '-m') ?? 'rehearsal',
    sessionId,
    usage,
    sessionTotals,
  });
  return { ...output, exitCode: turn.exitCode ?? output.exitCode };
}

function playRecording(file: string, exitCode = 0): Output {
  return { stdout: readFileSync(file, 'utf8'), stderr: '', exitCode };
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
