import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { bundleVendorAgent } from '../simulators/vendorCommand.js';
import { page } from './pages.js';
import { playPage } from './playPage.js';

const here = fileURLToPath(new URL('firstTask', import.meta.url));

test('the first task goes as its page says: two agents fix a bug, in real files under real git', async () => {
  const simulator = await bundleVendorAgent();
  const played = await playPage(page('docs/first-task.md'), (bin, folder) => {
    // The author changes the files before it speaks, the first time one way, then another, and runs the tests as it is allowed.
    const edit = `"${process.execPath}" "${here}/edit.mjs"`;
    const once = `if [ ! -e '${folder}/edited' ]; then : > '${folder}/edited'; ${edit} 1; else ${edit} 2; fi; ${RUN_TESTS}`;
    writeProgram(join(bin, 'claude'), speak('author', 'claude', folder, `[ "$1" != -p ] || { ${once}; }`));
    writeProgram(join(bin, 'npm'), `exec /bin/sh -c "$(node -p 'require("./package.json").scripts.test')"`);
    writeProgram(join(bin, 'codex'), speak('reviewer', 'codex', folder, ':'));
  });
  expect(played.filter(({ fits }) => !fits)).toEqual([]);

  function speak(member: string, dialect: string, folder: string, before: string): string {
    const told = `HUDDLE_REHEARSAL_MEMBER=${member} HUDDLE_REHEARSAL_SCRIPT_FILE='${here}/replies.json' HUDDLE_REHEARSAL_STATE='${folder}'`;
    return `${before}\nexport ${told}\nexec '${process.execPath}' '${simulator}' --dialect ${dialect} "$@"`;
  }
});

/** What the arguments of Claude Code do not allow, it does not run. */
const RUN_TESTS = `case "$*" in *'--allowedTools Bash(npm test)'*) npm test >&2 || exit 1;; *) exit 1;; esac`;

function writeProgram(file: string, script: string): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}
