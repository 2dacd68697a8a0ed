import { chmodSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Machine } from './runHuddle.js';

/** An agent that notes every start of it. */
export interface MarkingAgent {
  readonly file: string;
  /** The arguments of each start, in order. */
  starts(): readonly string[];
}

/** Puts a program that answers as Gemini CLI and Claude Code do, and notes its arguments, at this place of a machine. */
export function installMarkingAgent(machine: Machine, place: string): MarkingAgent {
  const file = join(machine.folder, place);
  const notes = `${file}.starts`;
  const answer =
    '{"type":"result","subtype":"success","is_error":false,"result":"Marked.","status":"success"}';
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(
    file,
    `#!/bin/sh\necho "$*" >> '${notes}'\n[ "$1" = --version ] && echo 9.9.9 && exit\necho '${answer}'\n`,
  );
  chmodSync(file, 0o755);
  return {
    file,
    starts: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : []),
  };
}
