// Runs named tests of a copy, and says how each of them ended.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { endProcessesOf } from './endProcessesOf.mjs';

const resolvePackage = (name) => dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
const VITEST = join(resolvePackage('vitest'), 'vitest.mjs');
const COMPILER = join(resolvePackage('typescript'), 'bin', 'tsc');
/** A mutant often shows by waiting for ever; tests that say nothing else wait this long. */
const TEST_MILLISECONDS = 20_000;

/**
 * The tests of these files whose full name holds one of the titles: `{ file, name, status, messages }` of each.
 * `crashes` are the files that could not be loaded.
 */
export async function runTests(folder, { files, titles, seconds }) {
  const report = join(folder, 'test-report.json');
  const pattern = titles.map(escapeForPattern).join('|');
  const { output, isInTime } = await run(
    folder,
    [
      VITEST,
      'run',
      ...files,
      `--testNamePattern=${pattern}`, // One word: a title may begin like an option.
      '--reporter=json',
      `--outputFile=${report}`,
      '--maxWorkers=1',
      '--isolate', // What a mutant leaves behind must not fail the next file in its place.
      `--testTimeout=${TEST_MILLISECONDS}`,
    ],
    seconds,
  );
  if (!isInTime) throw new Error(`the tests did not end within ${seconds} s`);
  if (!existsSync(report)) throw new Error(`the tests did not run:\n${output}`);
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'));
  const tests = testResults.flatMap(({ name: file, assertionResults }) =>
    assertionResults
      .filter(({ status }) => status === 'passed' || status === 'failed')
      .map(({ fullName, status, failureMessages }) => ({
        file: file.slice(folder.length + 1),
        name: fullName,
        status,
        messages: failureMessages,
      })),
  );
  const crashes = testResults.filter(
    ({ status, assertionResults }) => status === 'failed' && assertionResults.length === 0,
  );
  return { tests, crashes: crashes.map(({ message }) => message) };
}

/** Throws with what the compiler says: what is no program can be noticed by anybody. */
export async function requireValid(folder, { seconds }) {
  const { code, output } = await run(folder, [COMPILER, '-p', 'tsconfig.build.json', '--noEmit'], seconds);
  if (code !== 0) throw new Error(`it is not a valid program:\n${output}`);
}

/** Builds the copy's own program. */
export async function build(folder, { seconds }) {
  const { code, output } = await run(folder, [join(folder, 'scripts', 'build.mjs')], seconds);
  if (code !== 0) throw new Error(`it cannot be built:\n${output}`);
}

/** Everything in it happens in the copy, temporary files too. */
async function run(folder, args, seconds) {
  const temporaryFolder = join(folder, 'tmp');
  mkdirSync(temporaryFolder, { recursive: true });
  const child = spawn(process.execPath, args, {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporaryFolder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const chunks = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => chunks.push(chunk));
  let isInTime = true;
  const timer = setTimeout(() => {
    isInTime = false;
    endProcessesOf(folder);
  }, seconds * 1000);
  const [code] = await once(child, 'exit');
  clearTimeout(timer);
  endProcessesOf(folder);
  return { code, isInTime, output: Buffer.concat(chunks).toString() };
}

function escapeForPattern(text) {
  return text.replaceAll(/[\\^$.*+?()[\]{}|]/gu, '\\$&');
}
