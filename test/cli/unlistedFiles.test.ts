import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { GIT_ENVIRONMENT } from '../files/repository.js';
import { createFileSession } from './fileSession.js';

const { PATH: _, HOME: __, ...identity } = GIT_ENVIRONMENT;

test.each(['undo', 'apply', 'commit'] as const)(
  'huddle %s takes no part of a turn that changed more files than are listed, but files that are named',
  async (command) => {
    const session = await createFileSession({ 'many/a.txt': 'one\n' });
    const isCopy = command === 'apply';
    await session.turn('ada', (folder) => writeFileSync(join(folder, 'many/a.txt'), 'two\n'), {
      isCopy,
      unlisted: 2000,
    });
    const before = session.read('many/a.txt');
    const run = (...paths: string[]) =>
      session.machine.run(
        [
          command,
          '1',
          ...(command === 'commit' ? ['-m', 'x'] : ['--yes']),
          ...(paths.length > 0 ? ['--', ...paths] : []),
        ],
        { env: identity },
      );
    for (const refused of [await run(), await run('.'), await run('many')])
      expect(refused).toMatchObject({
        code: 1,
        stderr:
          'error[CONTENT_NOT_KEPT]: turn-1 changed 2,000 files more than are listed, so only listed files can be chosen, after --; nothing was touched.\n',
      });
    expect([session.read('many/a.txt'), session.git('rev-list', '--count', 'HEAD')]).toEqual([before, '1\n']);
    expect((await run('many/a.txt')).code).toBe(0);
  },
);
