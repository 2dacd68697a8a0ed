import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const tests = fileURLToPath(new URL('..', import.meta.url));
/** In two parts, so that this file is not one of those it looks for. */
const SWITCH = ['HUDDLE', 'SOAK'].join('_');

test('every test with full figures is part of npm run test:soak, because one file tells them', () => {
  const files = readdirSync(tests, { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.ts'),
  );
  const readers = files.filter((file) => readFileSync(join(tests, file), 'utf8').includes(SWITCH));
  expect(readers).toEqual([join('soak', 'isFull.ts')]);
  const { scripts } = JSON.parse(readFileSync(join(tests, '..', 'package.json'), 'utf8'));
  expect(scripts['test:soak']).toContain(
    `${SWITCH}=1 vitest related --run --no-file-parallelism test/soak/isFull.ts`,
  );
});
