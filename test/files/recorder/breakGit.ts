import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished, vi } from 'vitest';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';
import { runTestGit } from '../repository.js';

/** A git in front of the real one that does something else while a file is there. Returns that file. */
export function breakGit(instead: string): string {
  const folder = makeTemporaryFolder();
  const [program, flag] = [join(folder, 'git'), join(folder, 'broken')];
  const git = join(runTestGit('/', ['--exec-path']).trim(), 'git');
  const script = `#!/bin/sh\n[ "$1" != --version ] && [ -e '${flag}' ] && { ${instead}; }\nexec '${git}' "$@"\n`;
  writeFileSync(program, script);
  chmodSync(program, 0o755);
  vi.stubEnv('PATH', `${folder}:${process.env.PATH}`);
  onTestFinished(() => void vi.unstubAllEnvs());
  return flag;
}
