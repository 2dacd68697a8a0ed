// B1 the size of what is loaded, B7 the time until it listens.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { bareEnvironment, goal, median } from '../measure.mjs';
import { program } from './WebBench.mjs';

const ROUNDS = 9;
const SETTLED_MILLISECONDS = 500;
const web = fileURLToPath(new URL('../../dist/web/', import.meta.url));

export async function measureStart() {
  measureSize();
  await measureListening();
}

/** Before the first message: what the page itself names, and what that imports at once. */
function measureSize() {
  const files = readdirSync(web, { recursive: true }).filter((file) => statSync(join(web, file)).isFile());
  const sizes = new Map(
    files
      .filter((file) => /\.(?:js|css|html)$/u.test(file))
      .map((file) => [file, gzipSync(readFileSync(join(web, file))).length]),
  );
  const named = readFileSync(join(web, 'index.html'), 'utf8').matchAll(
    /(?:src|href)="\/([^"]+\.(?:js|css))"/gu,
  );
  const first = new Set([...named].map(([, file]) => file));
  for (const file of first)
    for (const [, name] of readFileSync(join(web, file), 'utf8').matchAll(
      /(?:from|import)\s*"\.\/([^"]+\.js)"/gu,
    ))
      first.add(join('assets', name));
  const kilobytes = (list) => list.reduce((sum, file) => sum + (sizes.get(file) ?? 0), 0) / 1024;
  goal('B1 script and style before the first message, gz', kilobytes([...first]), 60, ' KB');
  goal('B1 all files of the page, gz', kilobytes([...sizes.keys()]), 200, ' KB');
}

async function measureListening() {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude' },
  ];
  writeFileSync(join(folder, 'huddle.jsonc'), JSON.stringify({ version: 1, members }));
  const options = {
    cwd: folder,
    env: { ...bareEnvironment, HOME: folder, HUDDLE_HOME: join(folder, 'home') },
  };
  const [bare, listening, memory] = [[], [], []];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    await once(spawn(process.execPath, ['-e', '0'], { ...options, stdio: 'ignore' }), 'exit');
    bare.push(performance.now() - start);
    const started = await timeListening(options);
    listening.push(started.milliseconds);
    memory.push(started.megabytes);
  }
  rmSync(folder, { recursive: true, force: true });
  console.log(`       bare Node ${median(bare).toFixed(0)} ms, listening ${median(listening).toFixed(0)} ms`);
  goal('B7 memory of the idle process', median(memory), 80, ' MB');
  goal('B7 listening over bare Node', median(listening) / median(bare), 4, 'x');
}

async function timeListening(options) {
  const start = performance.now();
  const server = spawn(process.execPath, [program, 'web', '--trust', '--port', '0'], options);
  const exited = once(server, 'exit');
  await once(server.stdout, 'data');
  const milliseconds = performance.now() - start;
  await wait(SETTLED_MILLISECONDS);
  const [, kilobytes] = /VmRSS:\s+(\d+)/u.exec(readFileSync(`/proc/${server.pid}/status`, 'utf8'));
  server.kill();
  await exited;
  return { milliseconds, megabytes: Number(kilobytes) / 1024 };
}
