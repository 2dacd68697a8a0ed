import { relative } from 'node:path';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { CliContext } from './CliContext.js';

/** The path of a file as a person here types it: relative if the file is in this folder or below. */
export function showPath(file: string, { workingFolder }: Pick<CliContext, 'workingFolder'>): string {
  const short = relative(workingFolder, file);
  return sanitizeForTerminal(short !== '' && !short.startsWith('..') ? short : file);
}
