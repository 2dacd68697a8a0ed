import { stripVTControlCharacters } from 'node:util';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { fieldOf, textOf } from './records.js';

/** The one field of a tool's input that says what it is about, most telling first; but a command comes before all of them. */
const tellingFields = ['file_path', 'path', 'pattern', 'query', 'url', 'description', 'prompt'];

const summaryLength = 200;
const UNREADABLE = '…';
/** A word that a shell takes as it is. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/u;

/** Any value in short, on one line, for people. Never throws. */
export function summarizeValue(value: unknown): string {
  return toOneLine(typeof value === 'string' ? value : describe(value), summaryLength);
}

/** Colours gone, white space folded, harmless for a terminal, cut at a number of characters. */
export function toOneLine(text: string, maxLength: number): string {
  // Folding costs time per character; nothing beyond a few lengths can survive the cut.
  const line = sanitizeToOneLine(stripVTControlCharacters(text.slice(0, maxLength * 8)).toWellFormed());
  const characters = Array.from(line);
  return characters.length > maxLength ? `${characters.slice(0, maxLength - 1).join('')}…` : line;
}

function describe(value: unknown): string {
  const command = commandLine(fieldOf(value, 'command'));
  if (command !== undefined) return command;
  const telling = tellingFields.map((field) => textOf(value, field)).find((text) => text !== undefined);
  return telling ?? toJson(value) ?? (value === undefined ? '' : '…');
}

/** A command as people read it: text as it is, a list joined and quoted as for a shell. `undefined`: there is none. */
export function commandLine(command: unknown): string | undefined {
  if (command === undefined || command === null || typeof command === 'string') return command ?? undefined;
  if (!Array.isArray(command)) return toJson(command) ?? UNREADABLE;
  return command.length === 0 ? undefined : command.map(quoteWord).join(' ');
}

/** `undefined` where there is nothing to say, or too much: a value can be nested too deep for the stack. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function quoteWord(word: unknown): string {
  const text = typeof word === 'string' ? word : (toJson(word) ?? UNREADABLE);
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
