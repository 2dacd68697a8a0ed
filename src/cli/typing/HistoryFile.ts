import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile, withLockFile } from '../../config/privateFile.js';
import type { SavedHistory } from '../../frontends/tui/session/TerminalOptions.js';
import { makePrivateFolder, requirePrivateFile } from '../../utils/privatePaths.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';

const FILE = 'history.jsonl';
const FILE_MODE = 0o600;
const KEPT_ENTRIES = 1000;
const KEPT_CHARACTERS = 2_000_000;
/** A longer one is a paste: it is in the session, and no one leafs through it. */
const LONGEST_ENTRY = 32_000;

interface Entry {
  readonly folder: string;
  readonly text: string;
}

export interface HistoryPlace {
  readonly dataFolder: string;
  /** Texts of this folder are offered. */
  readonly folder: string;
  /** Its secrets are masked. */
  readonly env: Readonly<Record<string, string | undefined>>;
}

/** The saved history of a user: one file of JSON lines for all folders, which many processes add to. */
export class HistoryFile implements SavedHistory {
  readonly #place: HistoryPlace;
  readonly #path: string;

  constructor(place: HistoryPlace) {
    this.#place = place;
    this.#path = join(place.dataFolder, FILE);
  }

  load(): readonly string[] {
    const entries = linesOf(this.#read()).flatMap((line) => parseEntry(line) ?? []);
    return entries
      .filter(({ folder }) => folder === this.#place.folder)
      .map(({ text }) => text)
      .reverse();
  }

  async add(text: string): Promise<void> {
    const { dataFolder, folder, env } = this.#place;
    if (text.length > LONGEST_ENTRY) return;
    const entry: Entry = { folder, text: redactSecrets(text, secretValues(env)) };
    makePrivateFolder(dataFolder);
    await withLockFile(`${this.#path}.lock`, async () => {
      const before = this.#read();
      const line = `${JSON.stringify(entry)}\n`;
      const lines = linesOf(before + line);
      if (lines.length > 2 * KEPT_ENTRIES || before.length > 2 * KEPT_CHARACTERS)
        return replaceFile(this.#path, keepNewest(lines), FILE_MODE);
      // A line that was not finished, because a disk was full, must not spoil this one.
      const gap = before === '' || before.endsWith('\n') ? '' : '\n';
      appendFileSync(this.#path, gap + line, { mode: FILE_MODE });
    });
  }

  #read(): string {
    try {
      requirePrivateFile(this.#path);
      return readFileSync(this.#path, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }
}

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function keepNewest(lines: readonly string[]): string[] {
  let room = KEPT_CHARACTERS;
  const isKept = (line: string) => {
    room -= line.length;
    return room >= 0;
  };
  const kept = lines.slice(-KEPT_ENTRIES).reverse().filter(isKept).reverse();
  return kept.map((line) => `${line}\n`);
}

/** A damaged line is none. */
function parseEntry(line: string): Entry | undefined {
  try {
    const { folder, text } = JSON.parse(line) as Partial<Record<keyof Entry, unknown>>;
    return typeof folder === 'string' && typeof text === 'string' ? { folder, text } : undefined;
  } catch {
    return undefined; // Not JSON: another program wrote it, or a disk was full.
  }
}
