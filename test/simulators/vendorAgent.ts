/**
 * A program that answers like one of the agent CLIs, without a model and without a network, as its script says. Run as
 * `node vendorAgent.mjs --dialect claude|codex|gemini|plain …`, followed by the arguments that CLI would get.
 */
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { REHEARSAL_VARIABLES, readScript } from '../../src/agents/rehearsal/simulatedTurn.js';
import { playVendor } from './playVendor.js';

const pauseMilliseconds = 500;

const { stdout, stdoutAfterPause, stderr, exitCode } = await playVendor(
  process.argv.slice(2),
  () => text(process.stdin),
  {
    memberName: process.env[REHEARSAL_VARIABLES.memberName] ?? 'agent',
    script: readScript(),
    stateFolder: process.env[REHEARSAL_VARIABLES.stateFolder],
  },
);
process.stdout.write(stdout);
process.stderr.write(stderr);
if (stdoutAfterPause !== undefined) {
  await delay(pauseMilliseconds);
  process.stdout.write(stdoutAfterPause);
}
process.exitCode = exitCode;
