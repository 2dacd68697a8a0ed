import { cpSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Finished, type Machine, root } from './runHuddle.js';

interface Copy {
  readonly machine: Machine;
  readonly folder: string;
  readonly archive: string;
  /** `huddle team check` of this copy. */
  check(env?: Readonly<Record<string, string>>): Promise<Finished>;
}

/** A copy of the built program that may be damaged, and a team for it. */
function copyProgram(): Copy {
  const machine = createMachine();
  const place = join(machine.folder, 'copy');
  const folder = join(place, 'dist', 'cli');
  cpSync(join(root, 'dist', 'cli'), folder, { recursive: true });
  cpSync(join(root, 'package.json'), join(place, 'package.json'));
  symlinkSync(join(root, 'node_modules'), join(place, 'node_modules'));
  machine.write('huddle.jsonc', {
    version: 1,
    members: [
      { name: 'kim', type: 'human' },
      { name: 'ada', type: 'ai', agentType: 'command', command: ['true'] },
    ],
  });
  const program = join(folder, 'huddle.cjs');
  const check: Copy['check'] = (env) => machine.run(['team', 'check'], { program, env });
  return { machine, folder, archive: join(folder, 'compiled.bin'), check };
}

function changeFile(file: string, change: (content: Buffer) => Buffer): void {
  writeFileSync(file, change(readFileSync(file)));
}

/** Where a Node that can keep compiled code is asked to keep it; this one may be too old for that. */
function reportKeeping({ machine }: Copy): Readonly<Record<string, string>> {
  const preloaded = machine.write(
    'keeping.cjs',
    "require('node:module').enableCompileCache = (folder) => console.log('kept in', folder);",
  );
  return { NODE_OPTIONS: `--require ${preloaded}` };
}

describe('the compiled code beside the program', () => {
  test('is used in place of what Node keeps', async () => {
    const copy = copyProgram();
    const env = reportKeeping(copy);
    const withArchive = await copy.check(env);
    rmSync(copy.archive);
    const without = await copy.check(env);
    expect(withArchive).toMatchObject({ code: 0, stdout: expect.stringContaining('is valid') });
    expect(without.stdout).toBe(
      `kept in ${join(copy.machine.folder, '.cache', 'huddle', 'compiled')}\n${withArchive.stdout}`,
    );
  });

  test('is not used for a chunk that was changed, however little', async () => {
    const copy = copyProgram();
    for (const name of readdirSync(copy.folder).filter((each) => each.endsWith('.cjs')))
      changeFile(join(copy.folder, name), (content) =>
        Buffer.from(content.toString().replaceAll('is valid', 'IS VALID')),
      );
    expect(await copy.check()).toMatchObject({ code: 0, stdout: expect.stringContaining('IS VALID') });
  });

  test.each<readonly [string, (content: Buffer) => Buffer]>([
    [
      'with every code damaged',
      (content) => content.map((byte, place) => (place > 20_000 ? byte ^ 0x10 : byte)) as Buffer,
    ],
    ['cut off', (content) => content.subarray(0, content.length / 2)],
    ['cut off in its index', (content) => content.subarray(0, 100)],
    ['empty', () => Buffer.alloc(0)],
    ['of another Node', (content) => Buffer.from(content.toString('latin1').replace('v', 'w'), 'latin1')],
  ])('does no harm %s', async (_, damage) => {
    const copy = copyProgram();
    const sound = await copy.check();
    changeFile(copy.archive, damage);
    expect(sound.code).toBe(0);
    expect(await copy.check()).toEqual(sound);
  });

  test('does no harm under flags with which V8 refuses it', async () => {
    const copy = copyProgram();
    const { code, stdout } = await copy.check();
    expect(await copy.check({ NODE_OPTIONS: '--jitless' })).toMatchObject({ code, stdout });
  });
});
