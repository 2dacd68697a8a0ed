// Writes `docs/pictures/huddle.svg`, the picture of the README: a real run in a real terminal (tmux), drawn as text.
// `--output FILE` writes it elsewhere.
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawTerminal } from './drawTerminal.mjs';

const COLUMNS = 92;
const ROWS = 44;
const PATIENCE_MILLISECONDS = 30_000;
const QUESTION = 'Should sessions move to the server? [NEXT: architect]';

const { values } = parseArgs({ options: { output: { type: 'string' } } });
const output = resolve(
  values.output ?? fileURLToPath(new URL('../docs/pictures/huddle.svg', import.meta.url)),
);
const socket = `huddle-picture-${process.pid}`;

const screen = await record();
mkdirSync(dirname(output), { recursive: true });
writeFileSync(
  output,
  drawTerminal(screen, {
    columns: COLUMNS,
    title: 'huddle',
    description:
      'A conversation in the terminal: a person asks, the architect proposes, the engineer checks it against the code, the critic finds a fault, the architect decides.',
  }),
);

/** The scene, from its first paint to the moment it waits for the person again. */
async function record() {
  const scene = fileURLToPath(new URL('pictureScene.mjs', import.meta.url));
  const terminal = ['env', '-u', 'CI', '-u', 'NO_COLOR', 'LANG=C.UTF-8', process.execPath, scene];
  tmux('new-session', '-d', '-x', String(COLUMNS), '-y', String(ROWS), ...terminal);
  try {
    await until('Type a message.');
    tmux('send-keys', '-l', QUESTION);
    tmux('send-keys', 'Enter');
    await until('waiting for you');
    return tmux('capture-pane', '-p', '-e');
  } finally {
    tmux('kill-server');
  }
}

async function until(text) {
  const deadline = Date.now() + PATIENCE_MILLISECONDS;
  while (!tmux('capture-pane', '-p').includes(text)) {
    if (Date.now() > deadline) throw new Error(`The terminal never showed: ${text}`);
    await wait(50);
  }
}

function tmux(...args) {
  return execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
}
