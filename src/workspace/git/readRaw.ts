import type { FileState } from '../../models/FileChange.js';
import type { BytePath } from '../bytePaths.js';

/** An entry of `diff-files --raw -z`: how the last record had the file, and whether it is gone. */
export interface RawEntry {
  readonly path: BytePath;
  readonly before: FileState;
  readonly isGone: boolean;
}

const RAW_HEAD = /^:(\d+) \d+ ([0-9a-f]+) [0-9a-f]+ ([A-Z])\d*$/u;

/** Reads `diff-files --raw -z`. */
export function readRaw(output: string): RawEntry[] {
  const fields = splitAtNull(output);
  const entries: RawEntry[] = [];
  for (let index = 0; index + 1 < fields.length; index += 2) {
    const [, mode, id, status] = RAW_HEAD.exec(fields[index] ?? '') ?? [];
    if (mode === undefined || id === undefined) throw new Error(`unexpected output of git: ${fields[index]}`);
    entries.push({ path: fields[index + 1] ?? '', before: { mode, id }, isGone: status === 'D' });
  }
  return entries;
}

const STAGE_HEAD = /^(\d+) ([0-9a-f]+) \d$/u;

/** Reads `ls-files -s -z`. */
export function readStages(output: string): Map<BytePath, FileState> {
  const states = new Map<BytePath, FileState>();
  for (const line of splitAtNull(output)) {
    const tab = line.indexOf('\t');
    const [, mode, id] = STAGE_HEAD.exec(line.slice(0, tab)) ?? [];
    if (mode === undefined || id === undefined) throw new Error(`unexpected output of git: ${line}`);
    states.set(line.slice(tab + 1), { mode, id });
  }
  return states;
}

/** The fields of an output that ends each with a zero byte. */
export function splitAtNull(output: string): string[] {
  const fields = output.split('\0');
  if (fields.at(-1) === '') fields.pop();
  return fields;
}
