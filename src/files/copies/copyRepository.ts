import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { userObjects } from '../git/ownRepository.js';
import { splitAtNull } from '../git/readIndex.js';
import { type Git, GitError, runGit } from '../git/runGit.js';
import { HARMLESS, type UserRepository } from '../git/userRepository.js';
import { toBytes } from '../paths.js';

/** Settings of the user's repository that make a copy behave the same, and that name no program, no place and no password. */
const TAKEN_OVER = new Set([
  'core.autocrlf',
  'core.eol',
  'core.filemode',
  'core.ignorecase',
  'core.precomposeunicode',
  'core.safecrlf',
  'core.sparsecheckout',
  'core.sparsecheckoutcone',
  'core.symlinks',
  'user.email',
  'user.name',
]);

const BRANCHES = ['refs/heads', 'refs/tags', 'refs/remotes'];

export interface CopiedRepository {
  readonly git: Git;
  readonly user: UserRepository;
  /** A configuration file under which git looks at repositories of any owner. */
  readonly globalConfig: string;
}

/**
 * Makes a repository in a folder that has the branches and the index of the user's and borrows its contents, but shares
 * nothing: whatever is done in it stays in it. Hooks, stash, remotes and their credentials are left out. Resolves with the
 * stand that it has.
 */
export async function writeCopyRepository(source: CopiedRepository, folder: string): Promise<string> {
  const { user } = source;
  const [config, refs] = await Promise.all([describeConfig(source), listRefs(source)]);
  const head = readHead(user);
  const own = join(folder, '.git');
  for (const name of ['objects/info', 'refs/heads', 'refs/tags', 'info', 'hooks'])
    mkdirSync(join(own, name), { recursive: true });
  writeFileSync(join(own, 'objects/info/alternates'), `${quote(userObjects(user))}\n`);
  writeFileSync(join(own, 'config'), toBytes(config));
  writeFileSync(join(own, 'HEAD'), head);
  writeFileSync(join(own, 'packed-refs'), toBytes(refs));
  const shared = readdirSync(user.gitFolder).filter((name) => /^sharedindex\.[0-9a-f]+$/u.test(name));
  for (const name of ['index', ...shared]) copyIfThere(join(user.gitFolder, name), join(own, name));
  copyIfThere(join(user.gitFolder, 'info/sparse-checkout'), join(own, 'info/sparse-checkout'));
  for (const name of ['shallow', 'info/exclude', 'info/attributes'])
    copyIfThere(join(user.commonFolder, name), join(own, name));
  return head + refs;
}

/** The stand of a repository: the checked out commit or branch, and all branches. */
async function readStand(source: CopiedRepository): Promise<string> {
  return readHead(source.user) + (await listRefs(source));
}

/**
 * Brings branches and index of a copy to where the user's are now, unless something was done with them in the copy since it
 * was given its stand. Resolves with the stand that it has now.
 */
export async function followStand(
  from: CopiedRepository,
  to: CopiedRepository,
  given: string,
): Promise<string> {
  const stand = await readStand(from);
  if (stand === given || (await readStand(to)) !== given) return given;
  for (const name of BRANCHES) rmSync(join(to.user.gitFolder, name), { recursive: true, force: true });
  return writeCopyRepository(from, to.user.top);
}

/** A branch without a commit yet, for what cannot be read. */
function readHead({ gitFolder }: UserRepository): string {
  const head = readFileSync(join(gitFolder, 'HEAD'), 'utf8').trim();
  return /^(?:ref: refs\/heads\/[^.]|[0-9a-f]{40})/u.test(head) ? `${head}\n` : 'ref: refs/heads/main\n';
}

async function listRefs({ git, user, globalConfig }: CopiedRepository): Promise<string> {
  const { stdout } = await runGit(git, {
    args: [...HARMLESS, 'for-each-ref', '--format=%(objectname) %(refname)%00%(symref)', ...BRANCHES],
    env: { GIT_DIR: user.gitFolder, GIT_CONFIG_GLOBAL: globalConfig },
  });
  const lines = stdout.split('\n').filter((line) => line.endsWith('\0'));
  return lines.map((line) => `${line.slice(0, -1)}\n`).join('');
}

async function describeConfig({ git, user }: CopiedRepository): Promise<string> {
  const file = join(user.commonFolder, 'config');
  const lines = ['[core]', '\trepositoryFormatVersion = 1', '\tbare = false', '[gc]', '\tauto = 0'];
  for (const [key, value] of await readConfig(git, file)) {
    const [section, name] = key.split('.');
    if (TAKEN_OVER.has(key)) lines.push(`[${section}]`, `\t${name} = ${quote(value)}`);
  }
  return [...lines, '[extensions]', `\tobjectFormat = ${user.format}`, ''].join('\n');
}

async function readConfig(git: Git, file: string): Promise<ReadonlyArray<readonly [string, string]>> {
  try {
    const { stdout } = await runGit(git, {
      args: ['config', '--file', file, '--no-includes', '-z', '--list'],
    });
    return splitAtNull(stdout).map((line) => {
      const end = line.indexOf('\n');
      return end === -1 ? [line, 'true'] : [line.slice(0, end), line.slice(end + 1)];
    });
  } catch (error) {
    // A file that git cannot read says nothing.
    if (error instanceof GitError && error.reason === 'failed') return [];
    throw error;
  }
}

/** Text in quotes, as git reads it in its files. */
function quote(text: string): string {
  return `"${text.replaceAll(/["\\]/gu, '\\$&').replaceAll('\n', '\\n')}"`;
}

function copyIfThere(from: string, to: string): void {
  if (existsSync(from)) copyFileSync(from, to);
}
