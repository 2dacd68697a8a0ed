import { copyFileSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const ASK = 'Write a greeting. [NEXT: writer]';

/** Writes the file, worse at first, and says so; without a process there would be no file. */
const WRITER = [
  "const fs = require('node:fs');",
  'fs.readFileSync(0);',
  "const before = fs.existsSync('a.txt') ? fs.readFileSync('a.txt', 'utf8') : '';",
  "fs.writeFileSync('a.txt', before === '' ? 'bad' : 'good');",
  "console.log(before === '' ? 'A first try.' : 'Better now. [NEXT: reader]');",
].join('\n');
const CHECK = "process.exit(require('node:fs').readFileSync('a.txt', 'utf8') === 'good' ? 0 : 1)";
const READER = "require('node:fs').readFileSync(0); console.log('Good. [NEXT: human]')";

function teamOf(role: string, more: object = {}): object {
  const node = (script: string) => ({ agentType: 'command', command: [process.execPath, '-e', script] });
  return teamFile({
    writer: { ...node(WRITER), permission: 'edit', systemInstruction: role, ...more },
    reader: node(READER),
    tests: { ...node(CHECK), check: true },
  });
}

/** A machine with a recording of a run in which a check failed, its author mended it, and the reader was asked. */
async function record(): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamOf('Write one line.'));
  const { code, stderr } = await machine.run(['run', '--trust', '--record', 'a.cassette.jsonl', ASK]);
  expect({ code, stderr }).toMatchObject({ code: 3, stderr: expect.stringContaining('Recorded 5 turns') });
  return machine;
}

/** A folder that nobody trusts, on a machine without any program. */
function moveTo(machine: Machine, role: string, more?: object): { cwd: string; env: Record<string, string> } {
  const cwd = join(machine.folder, 'elsewhere');
  mkdirSync(cwd, { recursive: true });
  copyFileSync(join(machine.project, 'a.cassette.jsonl'), join(cwd, 'a.cassette.jsonl'));
  machine.write('../elsewhere/huddle.jsonc', teamOf(role, more));
  return {
    cwd,
    env: { PATH: join(machine.folder, 'none'), HUDDLE_HOME: join(machine.folder, 'other-data') },
  };
}

describe('huddle run --cassette', () => {
  test('plays a run with a check without any program, and prints the same bytes each time', async () => {
    const machine = await record();
    const place = moveTo(machine, 'Write one line.');
    const [first, second] = [
      await machine.run(['run', '--cassette', 'a.cassette.jsonl'], place),
      await machine.run(['run', '--cassette', 'a.cassette.jsonl', ASK], place),
    ];
    expect(first.stderr).toContain('Played 5 turns. No differences from the recording.');
    expect(first.code).toBe(0);
    expect(first.stdout).toContain('Better now.');
    expect(second).toEqual(first);
    // No agent is started, so a member may do it as well.
    const env = { ...place.env, HUDDLE_TURN: 'turn-3 of session 20261115-0212-9f3c' };
    expect(await machine.run(['run', '--cassette', 'a.cassette.jsonl'], { ...place, env })).toEqual(first);
    expect(readdirSync(place.cwd).sort()).toEqual(['a.cassette.jsonl', 'huddle.jsonc']);
  });

  test('ends with 6 and shows what changed in the prompts when a role changed', async () => {
    const machine = await record();
    const place = moveTo(machine, 'Write two lines.');
    const { code, stderr } = await machine.run(['run', '--cassette', 'a.cassette.jsonl'], place);
    expect(code).toBe(6);
    expect(stderr).toContain('The prompt of writer changed (turn-1, turn-3):');
    expect(stderr).toContain('  -Write one line.\n  +Write two lines.\n');
    expect(stderr).toContain('2 differences from the recording. To accept them: --accept\n');
  });

  test('counts no prompts and settings with --match order', async () => {
    const machine = await record();
    const place = moveTo(machine, 'Write two lines.', { permission: 'full' });
    const args = ['run', '--cassette', 'a.cassette.jsonl', '--match', 'order'];
    const { code, stderr } = await machine.run(args, place);
    expect(code).toBe(0);
    expect(stderr).toContain('in prompts and settings, not counted (--match order):');
    expect(stderr).toContain('writer: permission was "edit", is "full".');
  });

  test('has the differences in its JSON', async () => {
    const machine = await record();
    const place = moveTo(machine, 'Write one line.', { permission: 'full' });
    const args = ['run', '--cassette', 'a.cassette.jsonl', '--output-format'];
    const json = await machine.run([...args, 'json'], place);
    const difference = {
      kind: 'settings',
      memberId: 'writer',
      field: 'permission',
      before: 'edit',
      now: 'full',
    };
    expect(json.code).toBe(6);
    expect(JSON.parse(json.stdout)).toMatchObject({ differences: [difference], notes: [] });
    const lines = (await machine.run([...args, 'stream-json'], place)).stdout.trim().split('\n');
    expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
      type: 'cassette-played',
      differences: [difference],
      notes: [],
    });
    expect(lines.length - 1).toBe(
      readFileSync(join(place.cwd, 'a.cassette.jsonl'), 'utf8').trim().split('\n').length,
    );
  });

  test('refuses what cannot be played, and options that have no meaning then', async () => {
    const machine = await record();
    const place = moveTo(machine, 'Write one line.');
    const file = 'a.cassette.jsonl';
    const refusals = [
      [['--cassette', 'none.jsonl'], 2, 'none.jsonl cannot be read'],
      [['--cassette', file, 'Another message'], 2, 'The message is not the one in a.cassette.jsonl.'],
      [['--cassette', file, '--trust'], 2, "option '--cassette <file>' cannot be used with option '--trust'"],
      [['--cassette', file, '-c'], 2, "cannot be used with option '-c, --continue'"],
      [['--match', 'order', 'Hello'], 2, '--match needs --cassette FILE.'],
      [
        ['--cassette', 'huddle.jsonc'],
        65,
        'huddle.jsonc cannot be played, and nothing was run: line 1 is wrong',
      ],
    ] as const;
    for (const [args, code, said] of refusals) {
      const finished = await machine.run(['run', ...args], place);
      expect(finished.stderr).toContain(said);
      expect(finished.code).toBe(code);
    }
  });

  test('needs a team file', async () => {
    const machine = await record();
    const { code, stderr } = await machine.run(['run', '--cassette', 'project/a.cassette.jsonl'], {
      cwd: machine.folder,
    });
    expect(stderr).toContain('A cassette is played with a team file.');
    expect(code).toBe(78);
  });
});
