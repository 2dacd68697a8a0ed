import { parseTeamFile } from './parseTeamFile.js';
import { readRegularFile, UnreadableFileError } from './readRegularFile.js';

const MAX_TEAM_FILE_BYTES = 1024 * 1024;
/** Text without which no field has this name, however it is spelled. */
const MAYBE_NAMED = /"store"|\\u/u;

/** The name of the shared store in a team file. What else is wrong with the file is for its loader to say. */
export async function readStoreName(file: string): Promise<string | undefined> {
  const text = await readRegularFile(file, MAX_TEAM_FILE_BYTES).catch((error: unknown) => {
    if (error instanceof UnreadableFileError) return '';
    throw error;
  });
  const parsed = MAYBE_NAMED.test(text) ? parseTeamFile(text) : undefined;
  if (!parsed?.ok || typeof parsed.value !== 'object' || parsed.value === null) return undefined;
  const store = 'store' in parsed.value ? parsed.value.store : undefined;
  return typeof store === 'string' ? store : undefined;
}
