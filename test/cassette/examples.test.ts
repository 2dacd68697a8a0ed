import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { assertPlays } from '../../src/cassette/playCassette.js';
import { loadTeamFile } from '../../src/config/loadTeamFile.js';
import { createMachine, type Machine, root } from '../cli/runHuddle.js';
import { recordExample } from './recordExample.js';

const EXAMPLES = readdirSync(join(root, 'examples')).filter((name) =>
  existsSync(join(root, 'examples', name, 'huddle.jsonc')),
);
const folderOf = (name: string): string => join(root, 'examples', name);
const CASSETTE = 'cassette.jsonl';

/** Rewrites the cassettes in `examples/`, after a change of the replies there. */
const isRewriting = process.env.RECORD_EXAMPLES === '1';

describe.skipIf(isRewriting)('the cassettes of the examples', () => {
  test.each(EXAMPLES)(
    '%s plays: if you changed it on purpose, see docs/cassettes.md on --accept',
    async (name) => {
      const { team } = await loadTeamFile(join(folderOf(name), 'huddle.jsonc'), { interactive: true });
      await assertPlays({ team, file: join(folderOf(name), CASSETTE) });
    },
  );
});

test.each(isRewriting ? EXAMPLES : ['contest'])(
  '%s is recorded with programs that speak like the CLIs, and plays without them',
  async (name) => {
    const { machine, finished } = await recordExample(
      name,
      isRewriting ? join(folderOf(name), CASSETTE) : CASSETTE,
    );
    expect(finished).toMatchObject({ code: 0 });
    const file = isRewriting ? join(folderOf(name), CASSETTE) : join(machine.project, CASSETTE);
    expect(readFileSync(file, 'utf8').includes(machine.folder)).toBe(false);
    const { code, stdout } = await createMachine({ hasGit: false }).run([
      'run',
      '--cassette',
      file,
      '--team',
      join(folderOf(name), 'huddle.jsonc'),
    ]);
    expect({ code, stdout }).toEqual({ code: 0, stdout: finished.stdout });
  },
  60_000,
);

describe('one word of a role in an example', () => {
  function copyReview(): Machine {
    const machine = createMachine();
    cpSync(folderOf('review'), machine.project, { recursive: true });
    return machine;
  }
  const play = (machine: Machine, ...args: readonly string[]) =>
    machine.run(['run', '--cassette', CASSETTE, ...args]);
  function change(machine: Machine): void {
    const file = join(machine.project, 'huddle.jsonc');
    writeFileSync(file, readFileSync(file, 'utf8').replace('keep it small', 'keep it tiny'));
  }

  test('that is changed makes the play fail with a diff, and --accept mends it', async () => {
    const machine = copyReview();
    expect(await play(machine)).toMatchObject({ code: 0 });
    change(machine);
    const failed = await play(machine);
    expect(failed.code).toBe(6);
    expect(failed.stderr).toContain('-You write the change and keep it small.');
    expect(failed.stderr).toContain('+You write the change and keep it tiny.');
    const before = readFileSync(join(machine.project, CASSETTE), 'utf8');
    const accepted = await play(machine, '--accept');
    expect(accepted).toMatchObject({ code: 0, stderr: expect.stringContaining('keep it tiny') });
    expect(await play(machine)).toMatchObject({ code: 0 });
    const after = readFileSync(join(machine.project, CASSETTE), 'utf8');
    expect(withoutProfiles(after)).toEqual(withoutProfiles(before));
    expect(await play(machine, '--accept')).toMatchObject({
      code: 0,
      stderr: expect.stringContaining('unchanged'),
    });
    expect(readFileSync(join(machine.project, CASSETTE), 'utf8')).toBe(after);
  });
});

/** The events but for what is made from the team: profiles and prompts. */
function withoutProfiles(text: string): readonly unknown[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .map(({ profile: _, sha256: __, systemSha256: ___, prompt: ____, ...rest }) => rest);
}
