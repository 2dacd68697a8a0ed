import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine, teamFile } from './runHuddle.js';
import { machineWithTeam } from './storedSessions.js';

const EVIL =
  'C1 \u009b31m DEL \u007f lines \u2028\u2029 bidi \u202eevil\u202c \u2066\u2069 \u061c\u200e\u200f tag \u{e0041}';
/** What a terminal, a page or an editor acts upon where it stands in JSON as it is. */
const ACTING =
  /[\0-\x08\x0b-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\u{e0041}]/u;
const env = { HOSTILE: 'fixed', HOSTILE_TEXT: EVIL };
const go = ['run', `Go. ${EVIL}`, '--trust'];

/** A machine on which everything that others may name is named to do harm. */
async function machineWithEvil() {
  const machine = createMachine();
  machine.install('claude');
  const cwd = join(machine.project, EVIL);
  mkdirSync(cwd);
  const team = teamFile({ max: { agentType: 'claude', title: EVIL } }, { task: EVIL });
  writeFileSync(join(cwd, 'huddle.jsonc'), JSON.stringify(team));
  writeFileSync(join(cwd, 'bad.jsonc'), JSON.stringify({ [EVIL]: 1 }));
  const run = (args: readonly string[]) => machine.run(args, { env, cwd });
  await run(go);
  const { stdout } = await run(['export', '--format', 'jsonl']);
  writeFileSync(join(cwd, 'log.jsonl'), stdout.replaceAll('"max"', JSON.stringify(EVIL)));
  await run(['import', 'log.jsonl', '--id', 'evil']);
  return run;
}

const COMMANDS: readonly (readonly string[])[] = [
  [...go, '--output-format', 'json'],
  [...go, '--output-format', 'stream-json'],
  ['sessions', '--json', '--all'],
  ['cost', 'evil', '--json'],
  ['why', 'turn-1', '--session', 'evil', '--json'],
  ['team', 'check', '--json'],
  ['team', 'check', 'bad.jsonc', '--json'],
  ['doctor', '--json'],
  ['export', '--format', 'json'],
  ['export', '--format', 'jsonl'],
];

test.each(['run', 'rehearse'])('huddle %s --json is short for its format', async (command) => {
  const { run } = machineWithTeam();
  const parts = async (...format: string[]) =>
    Object.keys(JSON.parse((await run([command, 'Go.', '--trust', ...format])).stdout));
  expect(await parts('--json')).toEqual(await parts('--output-format', 'json'));
});

test('every JSON holds all that was said, and nothing in it acts upon whoever looks at it', async () => {
  const run = await machineWithEvil();
  const found: object[] = [];
  for (const args of COMMANDS) {
    const { stdout } = await run(args);
    const lines = /stream-json|jsonl/u.test(args.join(' ')) ? stdout.trimEnd().split('\n') : [stdout];
    const values = lines.map((line) => JSON.stringify(JSON.parse(line))).join('\n');
    found.push({ args, acts: ACTING.test(stdout), isWhole: values.includes('\u202eevil') });
  }
  expect(found).toEqual(COMMANDS.map((args) => ({ args, acts: false, isWhole: true })));
});
