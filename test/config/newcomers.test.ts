import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { loadTeamFile } from '../../src/config/loadTeamFile.js';
import { TeamFileError } from '../../src/config/readRegularFile.js';
import { NEWCOMER_FILES } from './newcomerFiles.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

describe('the team file of a newcomer', () => {
  it.each(NEWCOMER_FILES)('gets advice: %s', async (_title, text, ...lines) => {
    const file = join(makeTemporaryFolder(), 'huddle.jsonc');
    writeFileSync(file, text);
    const error: unknown = await loadTeamFile(file).catch((thrown: unknown) => thrown);
    if (!(error instanceof TeamFileError)) throw new Error('the file was accepted');
    expect(error.message.split('\n')).toEqual([
      `${file} is not valid:`,
      ...lines.map((line) => `${file}:${line}`),
    ]);
  });
});
