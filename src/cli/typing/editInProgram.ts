import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import type { EditedText } from '../../frontends/tui/session/TerminalView.js';
import type { CliContext } from '../start/CliContext.js';

const USUAL_EDITOR = 'vi';
/** The exit code of a shell for a command that does not exist. */
const NOT_FOUND = 127;
/** Signals that the terminal sends to all its programs, and that are meant for the one in front. */
const KEYS_OF_THE_TERMINAL: readonly NodeJS.Signals[] = ['SIGINT', 'SIGQUIT'];

/** Lets the user's editor change a text, in a file that only they can read. The terminal must be free; aborting ends the editor. */
export async function editInProgram(
  text: string,
  { env, workingFolder }: Pick<CliContext, 'env' | 'workingFolder'>,
  signal: AbortSignal,
): Promise<EditedText> {
  const command = env.VISUAL?.trim() || env.EDITOR?.trim() || USUAL_EDITOR;
  let folder: string | undefined;
  try {
    folder = mkdtempSync(join(tmpdir(), 'huddle-message-'));
    const file = join(folder, 'message.md');
    writeFileSync(file, text, { mode: 0o600 });
    const exitCode = await withKeysIgnored(() => runCommand(command, { file, cwd: workingFolder, signal }));
    if (exitCode === NOT_FOUND) return { reason: words.terminal.editorMissing(command) };
    if (exitCode !== 0) return { reason: words.terminal.editorFailed(command, exitCode) };
    // The line end that editors add is not part of the message.
    return { text: readFileSync(file, 'utf8').replace(/\r?\n$/u, '') };
  } catch (error) {
    return { reason: words.terminal.editorUnusable(describeSystemError(error)) };
  } finally {
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  }
}

interface Editing {
  readonly file: string;
  readonly cwd: string;
  readonly signal: AbortSignal;
}

/** Through a shell, as git does: `code --wait` is a command with an argument. Resolves to null if it ended without an exit code. */
function runCommand(command: string, { file, cwd, signal }: Editing): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn('/bin/sh', ['-c', `${command} "$@"`, command, file], { cwd, stdio: 'inherit' });
    const stop = () => child.kill();
    signal.addEventListener('abort', stop);
    const end = (exitCode: number | null) => {
      signal.removeEventListener('abort', stop);
      resolve(exitCode);
    };
    child.on('error', () => end(null));
    child.on('exit', end);
  });
}

async function withKeysIgnored<Value>(work: () => Promise<Value>): Promise<Value> {
  const ignore = () => undefined;
  const listeners = KEYS_OF_THE_TERMINAL.map((name) => [name, process.rawListeners(name)] as const);
  for (const [name] of listeners) process.removeAllListeners(name).on(name, ignore);
  try {
    return await work();
  } finally {
    for (const [name, before] of listeners) {
      process.off(name, ignore);
      for (const listener of before) process.on(name, listener as NodeJS.SignalsListener);
    }
  }
}
