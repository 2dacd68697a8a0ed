// Runs commands of the built program where it is called, and writes down what V8 has compiled of it by then.
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const COMMANDS = [
  ['team', 'check'],
  ['run', 'Go.', '--trust', '--record', 'recording.jsonl'],
  ['run', '--cassette', 'recording.jsonl'],
  ['sessions'],
];
/** Loaded by Node itself, before all others. */
const FIRST = /^(?:huddle|loadMain-.*)\.cjs$/;

const root = fileURLToPath(new URL('..', import.meta.url));
const folder = join(root, 'dist', 'cli');
const { ChunkLoader } = await importSource('cli/start/ChunkLoader.ts');
const { CODE_ARCHIVE, formatCodeArchive } = await importSource('cli/start/codeArchive.ts');

const compiled = [];
const loader = new ChunkLoader(folder, { onCompiled: (...chunk) => compiled.push(chunk) });
const { main } = loader.load('main.cjs');
for (const command of COMMANDS) await main(command, { locale: 'en' });
for (const chunk of readdirSync(folder)) if (chunk.endsWith('.cjs') && !FIRST.test(chunk)) loader.load(chunk);

const chunks = compiled.map(([chunk, source, script]) => [
  chunk,
  { source, code: script.createCachedData() },
]);
writeFileSync(join(folder, CODE_ARCHIVE), formatCodeArchive(new Map(chunks)));
process.exitCode = 0;

async function importSource(file) {
  const { module } = await runnerImport(join(root, 'src', file), { root, logLevel: 'error' });
  return module;
}
