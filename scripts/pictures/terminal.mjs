// A program in a real terminal (tmux) of which pictures are taken.
import { execFileSync } from 'node:child_process';
import { setTimeout as wait } from 'node:timers/promises';

const PATIENCE_MILLISECONDS = 30_000;
const POLL_MILLISECONDS = 50;

/** Runs `command` in a terminal, plays `steps` there, and returns the screens that `play` took. */
export async function inTerminal({ columns, rows, command, folder, env = {} }, play) {
  const socket = `huddle-picture-${process.pid}`;
  const tmux = (...args) =>
    execFileSync('tmux', ['-L', socket, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const settings = Object.entries(env).map(([name, value]) => `${name}=${value}`);
  const started = ['env', '-u', 'CI', '-u', 'NO_COLOR', 'LANG=C.UTF-8', ...settings, ...command];
  tmux('new-session', '-d', '-c', folder, '-x', String(columns), '-y', String(rows), ...started);
  try {
    return await play({ type, press, until, look });
  } finally {
    tmux('kill-server');
  }

  function type(text) {
    tmux('send-keys', '-l', text);
  }

  function press(key) {
    tmux('send-keys', key);
  }

  /** The screen as text with the escape sequences for colours. */
  function look() {
    return tmux('capture-pane', '-p', '-e');
  }

  async function until(text, eachTime = () => undefined) {
    const deadline = Date.now() + PATIENCE_MILLISECONDS;
    for (;;) {
      const screen = tmux('capture-pane', '-p');
      eachTime();
      if (screen.includes(text)) return;
      if (Date.now() > deadline) throw new Error(`The terminal never showed: ${text}\n${screen}`);
      await wait(POLL_MILLISECONDS);
    }
  }
}
