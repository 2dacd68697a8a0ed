import { chmodSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const FILE = 'login.jsonl';

/** Max hands over to Sarah, with this role. */
function writeTeam(machine: Machine, role: string, more: Readonly<Record<string, unknown>> = {}): void {
  const says = (words: string) => ({
    agentType: 'command',
    command: ['/bin/echo', words],
  });
  const max = { ...says('A cookie. [NEXT: sarah]'), systemInstruction: `You design.\n${role}` };
  machine.write('huddle.jsonc', teamFile({ max, sarah: says('Fine.') }, more));
}

async function recorded(): Promise<Machine> {
  const machine = createMachine();
  writeTeam(machine, 'Keep it short.');
  const { code } = await machine.run(['run', '--trust', '--record', FILE, 'How do we sign in? @max']);
  expect(code).toBe(0);
  return machine;
}

const read = ({ project }: Machine): string => readFileSync(join(project, FILE), 'utf8');
const accept = (machine: Machine, args: readonly string[] = [], env: Readonly<Record<string, string>> = {}) =>
  machine.run(['run', '--cassette', FILE, '--accept', ...args], { env });

describe('accepting what differs', () => {
  test('writes the new prompts and settings, keeps the answers, and shows what was accepted', async () => {
    const machine = await recorded();
    chmodSync(join(machine.project, FILE), 0o644);
    const before = read(machine);
    expect(await accept(machine)).toMatchObject({
      code: 0,
      stderr: `No differences. ${FILE} is unchanged.\n`,
    });
    writeTeam(machine, 'Keep it very short.');
    const { code, stdout, stderr } = await accept(machine);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toMatch(/-Keep it short\.\n.*\+Keep it very short\.\n/u);
    expect(stderr).toContain(`${FILE} now has the prompts and settings of this team`);
    const after = read(machine);
    expect(statSync(join(machine.project, FILE)).mode & 0o777).toBe(0o644);
    expect(factsOf(after, 'message-added')).toEqual(factsOf(before, 'message-added'));
    expect(factsOf(after, 'turn-start')).not.toEqual(factsOf(before, 'turn-start'));
    expect(await accept(machine)).toMatchObject({
      code: 0,
      stderr: `No differences. ${FILE} is unchanged.\n`,
    });
    expect(read(machine)).toBe(after);
  });

  test('refuses when other turns would run, and leaves the file alone', async () => {
    const machine = await recorded();
    const before = read(machine);
    writeTeam(machine, 'Keep it short.', { limits: { agentTurns: 1 } });
    const { code, stderr } = await accept(machine);
    expect({ code, stderr }).toEqual({
      code: 6,
      stderr: expect.stringContaining('Nothing was accepted: other turns would run'),
    });
    expect(read(machine)).toBe(before);
  });

  test('writes nothing where CI is set, unless told to', async () => {
    const machine = await recorded();
    const before = read(machine);
    writeTeam(machine, 'Keep it very short.');
    expect(await accept(machine, [], { CI: 'true' })).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('--accept writes no file when CI is set'),
    });
    expect(read(machine)).toBe(before);
    expect(await accept(machine, ['--force'], { CI: 'true' })).toMatchObject({ code: 0 });
    expect(read(machine)).not.toBe(before);
  });

  test('needs a recording that can be played, and takes no message', async () => {
    const machine = await recorded();
    expect(await machine.run(['run', '--accept'])).toMatchObject({ code: 2 });
    machine.write(FILE, 'no recording\n');
    expect(await accept(machine)).toMatchObject({
      code: 65,
      stderr: expect.stringContaining('error[INVALID_CASSETTE]: '),
    });
    expect(read(machine)).toBe('no recording\n');
    expect(await machine.run(['run', '--cassette', 'no.jsonl', '--accept'])).toMatchObject({ code: 2 });
  });
});

function factsOf(text: string, type: string): readonly unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter((event) => event.type === type);
}
