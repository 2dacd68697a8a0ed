// `npm run size`: how large the source is and how it is cut, beside the ceilings of `size.json`. With a folder of `src`, that
// folder's share, and the files under 40 lines that one other file uses.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, normalize } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const SMALL = 40;

/** @returns {{ lines: number, files: number, smallWithOneUser: string[] }} of everything below the folder */
export function measure(folder = 'src') {
  const listed = execFileSync('git', ['ls-files', '-co', '--exclude-standard', 'src'], {
    cwd: root,
    encoding: 'utf8',
  });
  const files = listed.split('\n').filter((file) => /\.tsx?$/u.test(file) && existsSync(join(root, file)));
  const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
  const users = findUsers(texts);
  const lines = (file) => texts.get(file).split('\n').length - 1;
  const own = files.filter((file) => file.startsWith(`${folder}/`));
  return {
    lines: own.reduce((sum, file) => sum + lines(file), 0),
    files: own.length,
    smallWithOneUser: own.filter((file) => users.get(file).size === 1 && lines(file) < SMALL),
  };
}

function findUsers(texts) {
  const users = new Map([...texts.keys()].map((file) => [file, new Set()]));
  for (const [file, text] of texts) {
    for (const [, to] of text.matchAll(/(?:from|import\()\s*['"](\.[^'"]+)['"]/gu)) {
      const base = normalize(join(dirname(file), to)).replace(/\.jsx?$/u, '');
      for (const end of ['.ts', '.tsx']) users.get(base + end)?.add(file);
    }
  }
  return users;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const folder = process.argv[2]?.replace(/\/$/u, '');
  const { lines, files, smallWithOneUser } = measure(folder);
  if (folder === undefined) {
    const ceilings = JSON.parse(readFileSync(join(root, 'size.json'), 'utf8'));
    console.log(`lines of TypeScript in src      ${lines}, at most ${ceilings.lines}`);
    console.log(`files in src                    ${files}, at most ${ceilings.files}`);
    console.log(
      `under ${SMALL} lines with one user    ${smallWithOneUser.length}, at most ${ceilings.smallWithOneUser}`,
    );
  } else {
    console.log(`${folder}: ${lines} lines in ${files} files`);
    console.log(
      [`under ${SMALL} lines with one user: ${smallWithOneUser.length}`, ...smallWithOneUser].join('\n  '),
    );
  }
}
