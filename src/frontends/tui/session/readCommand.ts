import { nearest } from '../../../utils/nearest.js';
import type { Command } from './commands.js';

/** What a line that begins with a slash is. */
export type CommandLine =
  | { readonly kind: 'command'; readonly command: Command; readonly argument: string }
  /** It was likely meant as a command, and none has this name. */
  | { readonly kind: 'slip'; readonly name: string; readonly nearest: string | undefined }
  /** A path, a comment, a sentence: something to say. */
  | { readonly kind: 'message' };

export function readCommand(line: string, offered: readonly Command[]): CommandLine {
  const [, name = '', argument = ''] = /^\/(\S*)\s*([\s\S]*)$/u.exec(line) ?? [];
  const command = offered.find((each) => each.name === name.toLowerCase());
  if (command !== undefined) return { kind: 'command', command, argument: argument.trim() };
  if (/[/*]/u.test(name)) return { kind: 'message' };
  const names = offered.map((each) => each.name);
  const guess = nearest(name, names);
  return guess === undefined && argument !== ''
    ? { kind: 'message' }
    : { kind: 'slip', name, nearest: guess };
}
