import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writeTemporaryFiles } from '../../../src/agents/process/temporaryFiles.js';

describe('the temporary files of a turn', () => {
  it('can be read by this user only, whatever the umask, and go away', async () => {
    const umask = process.umask(0o000);
    try {
      const files = await writeTemporaryFiles([{ file: '../role é.md', content: 'You are Max.' }]);
      const path = files.resolve({ file: '../role é.md' });
      expect(readFileSync(path, 'utf8')).toBe('You are Max.');
      expect(statSync(path).mode & 0o777).toBe(0o600);
      expect(statSync(dirname(path)).mode & 0o777).toBe(0o700);
      await files.remove();
      expect(existsSync(dirname(path))).toBe(false);
    } finally {
      process.umask(umask);
    }
  });

  it('are put where the invocation names them', async () => {
    const files = await writeTemporaryFiles([]);
    expect(files.resolve('--flag')).toBe('--flag');
    expect(() => files.resolve({ file: 'none' })).toThrow('names no file "none"');
  });
});
