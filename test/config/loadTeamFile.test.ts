import { execFileSync } from 'node:child_process';
import {
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';
import { findTeamFile, type LoadOptions, loadTeamFile } from '../../src/config/loadTeamFile.js';
import { TeamFileError } from '../../src/config/readRegularFile.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

const example = fileURLToPath(new URL('../fixtures/auth-squad/', import.meta.url));

describe('findTeamFile', () => {
  it('looks in the folder and in every one above it', async () => {
    const project = makeProject({ 'huddle.jsonc': '{}', 'a/b/c.txt': '' });
    expect(await findTeamFile(join(project, 'a', 'b'))).toBe(join(project, 'huddle.jsonc'));
  });

  it('takes the nearest file, and huddle.jsonc before huddle.json', async () => {
    const project = makeProject({
      'huddle.jsonc': '',
      'a/huddle.json': '',
      'a/b/huddle.json': '',
      'a/b/huddle.jsonc': '',
    });
    expect(await findTeamFile(join(project, 'a', 'b'))).toBe(join(project, 'a', 'b', 'huddle.jsonc'));
    expect(await findTeamFile(join(project, 'a'))).toBe(join(project, 'a', 'huddle.json'));
  });

  it('starts above a folder that does not exist', async () => {
    const project = makeProject({ 'huddle.jsonc': '' });
    expect(await findTeamFile(join(project, 'gone'))).toBe(join(project, 'huddle.jsonc'));
  });

  it('does not pass over a broken link, which loading then reports', async () => {
    const project = makeProject({ 'a/b.txt': '', 'huddle.jsonc': '{}' });
    symlinkSync('nowhere', join(project, 'a', 'huddle.jsonc'));
    const file = await findTeamFile(join(project, 'a'));
    expect(file).toBe(join(project, 'a', 'huddle.jsonc'));
    expect(await problemsOf(file ?? '')).toEqual(['FILE_UNREADABLE ']);
  });

  it('finds nothing where there is nothing', async () => {
    expect(await findTeamFile('/')).toBeUndefined();
  });
});

describe('loadTeamFile', () => {
  it('loads the example of the documentation', async () => {
    const { team, warnings, folder } = await loadTeamFile(join(example, 'huddle.jsonc'), {
      interactive: true,
    });
    expect(team.members.map(({ name }) => name)).toEqual([
      'kailai',
      'max',
      'sarah',
      'carol',
      'olga',
      'tests',
    ]);
    expect(team.members[1]).toMatchObject({
      systemInstruction: 'You are Max. …',
      instructionFile: realpathSync(join(example, 'roles', 'max.md')),
      instructionFileText: 'Draw before you build.\n',
    });
    expect(warnings.map(({ code, pointer }) => `${code} ${pointer}`)).toEqual([
      'PRICE_UNKNOWN /members/2',
      'PRICE_UNKNOWN /members/3',
      'PRICE_UNKNOWN /members/4',
    ]);
    expect(folder).toBe(dirname(join(example, 'huddle.jsonc')));
  });

  it('gives every problem its place, in the order of the file', async () => {
    const project = makeProject({
      'huddle.jsonc':
        '{ // a team\n  "nmae": "x",\n  "members": [\n    { "name": "a b", "type": "ai", "agentType": "acp" },\n  ]\n}',
    });
    const error = await failureOf(join(project, 'huddle.jsonc'));
    expect(error.file).toBe(join(project, 'huddle.jsonc'));
    expect(
      error.problems.map(({ code, position }) => `${position?.line}:${position?.column} ${code}`),
    ).toEqual(['1:1 MISSING_FIELD', '2:3 UNKNOWN_FIELD', '4:5 COMMAND_MISSING', '4:15 NAME_INVALID']);
  });

  it('ignores a byte order mark', async () => {
    const project = makeProject({ 'huddle.json': `\ufeff${teamWith('max.md')}`, 'max.md': '\ufeffhello' });
    const { team } = await loadTeamFile(join(project, 'huddle.json'));
    expect(team.members[0]).toMatchObject({ instructionFileText: 'hello' });
  });

  it.each<[string, (file: string) => void]>([
    ['a folder', (file) => mkdirSync(file)],
    ['a pipe that nobody writes to', (file) => execFileSync('mkfifo', [file])],
    ['a device', (file) => symlinkSync('/dev/zero', file)],
    ['a link to itself', (file) => symlinkSync(file, file)],
    ['not there', () => {}],
    ['more than 1 MB', (file) => writeFileSync(file, ' '.repeat(1024 * 1024 + 1))],
    ['not UTF-8', (file) => writeFileSync(file, Buffer.from([0x7b, 0xff, 0x7d]))],
    ['UTF-16', (file) => writeFileSync(file, '{ "version": 1 }', 'utf16le')],
    ['UTF-16 with its mark', (file) => writeFileSync(file, '\ufeff{ "version": 1 }', 'utf16le')],
  ])('refuses a team file that is %s', async (_title, make) => {
    const file = join(makeTemporaryFolder(), 'huddle.jsonc');
    make(file);
    expect(await problemsOf(file)).toEqual(['FILE_UNREADABLE ']);
  });

  it('reports an unreadable instruction file together with everything else', async () => {
    const project = makeProject({
      'huddle.jsonc': `{ "version": 2, "members": [{ "name": "max", "type": "ai", "agentType": "claude", "instructionFile": "gone.md" }] }`,
    });
    expect(await problemsOf(join(project, 'huddle.jsonc'))).toEqual([
      'UNKNOWN_VALUE /version',
      'INSTRUCTION_FILE_UNREADABLE /members/0/instructionFile',
    ]);
  });
});

describe('an instruction file', () => {
  const pointer = '/members/0/instructionFile';

  it.each([
    'max.md',
    './max.md',
    'roles/../max.md',
    'roles/小明.md',
    'roles/deep/er/max.md',
    'name with spaces.md',
    '..max.md',
    '...',
    '-rf',
    '~',
    '$(touch pwned).md',
    'CON',
    'nul.txt',
    'inside-link.md',
    'hard-link.md',
    'folder-link/max.md',
  ])('is read from inside the project: %s', async (path) => {
    const project = makeProject({
      'huddle.jsonc': teamWith(path),
      'roles/deep/er/max.md': 'text',
      'max.md': 'text',
    });
    const links: Readonly<Record<string, () => void>> = {
      'inside-link.md': () => symlinkSync('roles/deep/er/max.md', join(project, 'inside-link.md')),
      'hard-link.md': () => linkSync(join(project, 'max.md'), join(project, 'hard-link.md')),
      'folder-link/max.md': () => symlinkSync('roles/deep/er', join(project, 'folder-link')),
    };
    const link = links[path] ?? (() => writeFileSync(join(project, path), 'text'));
    link();
    const { team } = await loadTeamFile(join(project, 'huddle.jsonc'));
    expect(team.members[0]).toMatchObject({ instructionFileText: 'text' });
  });

  it.skipIf(!existsSync('/dev/shm'))('is read in a project that is kept in memory', async () => {
    const project = mkdtempSync('/dev/shm/huddle-test-');
    onTestFinished(() => rmSync(project, { recursive: true }));
    writeFileSync(join(project, 'huddle.jsonc'), teamWith('max.md'));
    writeFileSync(join(project, 'max.md'), 'text');
    const { team } = await loadTeamFile(join(project, 'huddle.jsonc'));
    expect(team.members[0]).toMatchObject({ instructionFileText: 'text' });
  });

  it.each([
    ['../secret.md', 'OUTSIDE'],
    ['roles/../../secret.md', 'OUTSIDE'],
    ['./.././secret.md', 'OUTSIDE'],
    ['roles/../../../../../../../../../../etc/passwd', 'OUTSIDE'],
    ['../project-2/secret.md', 'OUTSIDE'],
    ['..', 'OUTSIDE'],
    ['../', 'OUTSIDE'],
    ['/', 'OUTSIDE'],
    ['/etc/passwd', 'OUTSIDE'],
    ['//etc/passwd', 'OUTSIDE'],
    ['/proc/self/environ', 'OUTSIDE'],
    ['/proc/self/cmdline', 'OUTSIDE'],
    ['/proc/self/root', 'OUTSIDE'],
    ['/dev/null', 'OUTSIDE'],
    ['/dev/zero', 'OUTSIDE'],
    ['/dev/random', 'OUTSIDE'],
    ['/dev/tty', 'OUTSIDE'],
    ['link-to-secret.md', 'OUTSIDE'],
    ['link-to-link.md', 'OUTSIDE'],
    ['link-to-etc/passwd', 'OUTSIDE'],
    ['link-to-zero', 'OUTSIDE'],
    ['.', 'OUTSIDE'],
    ['roles/..', 'OUTSIDE'],
    ['roles', 'UNREADABLE'],
    ['roles/', 'UNREADABLE'],
    ['pipe', 'UNREADABLE'],
    ['link-to-pipe', 'UNREADABLE'],
    ['socket', 'UNREADABLE'],
    ['link-to-itself', 'UNREADABLE'],
    ['link-to-nothing', 'UNREADABLE'],
    ['gone.md', 'UNREADABLE'],
    ['max.md/more.md', 'UNREADABLE'],
    ['max.md\u0000', 'UNREADABLE'],
    ['\u0000', 'UNREADABLE'],
    ['max.md\u0000/../../secret.md', 'OUTSIDE'],
    [' max.md', 'UNREADABLE'],
    ['max.md ', 'UNREADABLE'],
    ['MAX.MD/', 'UNREADABLE'],
    ['..\\secret.md', 'UNREADABLE'],
    ['C:\\secret.md', 'UNREADABLE'],
    ['\\\\host\\share', 'UNREADABLE'],
    ['%2e%2e/secret.md', 'UNREADABLE'],
    ['..%2fsecret.md', 'UNREADABLE'],
    ['．．/secret.md', 'UNREADABLE'],
    ['~/secret.md', 'UNREADABLE'],
    ['$HOME/secret.md', 'UNREADABLE'],
    ['file:///etc/passwd', 'UNREADABLE'],
    ['http://localhost/', 'UNREADABLE'],
    ['|cat /etc/passwd', 'UNREADABLE'],
    ['*', 'UNREADABLE'],
    ['__proto__', 'UNREADABLE'],
    ['constructor', 'UNREADABLE'],
    ['NUL', 'UNREADABLE'],
    ['con.md', 'UNREADABLE'],
    ['\ud83e', 'UNREADABLE'],
    ['binary.md', 'UNREADABLE'],
    ['large.md', 'TOO_LARGE'],
    ['sparse.md', 'TOO_LARGE'],
  ])('is refused, without waiting for anything: %j', async (path, problem) => {
    const project = await makeHostileProject(path);
    expect(await problemsOf(join(project, 'huddle.jsonc'))).toEqual([
      `INSTRUCTION_FILE_${problem} ${pointer}`,
    ]);
  });

  it.each([
    ['300 characters', 'x'.repeat(300)],
    ['3000 folders', 'x/'.repeat(3000)],
  ])('is refused with a name of %s', async (_title, path) => {
    const project = makeProject({ 'huddle.jsonc': teamWith(path) });
    expect(await problemsOf(join(project, 'huddle.jsonc'))).toEqual([
      `INSTRUCTION_FILE_UNREADABLE ${pointer}`,
    ]);
  });

  it('may have exactly 256 KB', async () => {
    const project = makeProject({ 'huddle.jsonc': teamWith('a.md'), 'a.md': 'x'.repeat(256 * 1024) });
    await expect(loadTeamFile(join(project, 'huddle.jsonc'))).resolves.toBeDefined();
  });

  it('outside the project is read when a person has allowed that very file', async () => {
    const project = await makeHostileProject('link-to-secret.md');
    const file = join(project, 'huddle.jsonc');
    const secret = join(dirname(project), 'secret.md');
    expect(await problemsOf(file, { trustedFiles: [`${secret}.bak`] })).toHaveLength(1);
    const { team } = await loadTeamFile(file, { trustedFiles: [secret] });
    expect(team.members[0]).toMatchObject({ instructionFile: secret, instructionFileText: 'secret' });
    await expect(loadTeamFile(file, { trustedFiles: 'any' })).resolves.toMatchObject({ team });
  });

  it('that is a device or a pipe is refused even then', async () => {
    const project = await makeHostileProject('link-to-zero');
    expect(await problemsOf(join(project, 'huddle.jsonc'), { trustedFiles: 'any' })).toEqual([
      `INSTRUCTION_FILE_UNREADABLE ${pointer}`,
    ]);
  });

  it('is found from the folder of the team file, also when that is reached through a link', async () => {
    const parent = makeTemporaryFolder();
    cpSync(example, join(parent, 'real'), { recursive: true });
    symlinkSync('real', join(parent, 'linked'));
    await expect(loadTeamFile(join(parent, 'linked', 'huddle.jsonc'))).resolves.toBeDefined();
  });
});

function teamWith(instructionFile: string): string {
  return JSON.stringify({
    version: 1,
    members: [{ name: 'max', type: 'ai', agentType: 'claude', instructionFile }],
  });
}

function makeProject(files: Readonly<Record<string, string>>): string {
  const project = join(makeTemporaryFolder(), 'project');
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(project, path)), { recursive: true });
    writeFileSync(join(project, path), content);
  }
  return project;
}

/** A project with every kind of file that must not be read, and secrets beside it. */
async function makeHostileProject(instructionFile: string): Promise<string> {
  const project = makeProject({
    'huddle.jsonc': teamWith(instructionFile),
    'max.md': 'text',
    'roles/sarah.md': 'text',
    '../secret.md': 'secret',
    '../project-2/secret.md': 'secret',
    'large.md': 'x'.repeat(256 * 1024 + 1),
    'sparse.md': '',
  });
  const inside = (name: string) => join(project, name);
  truncateSync(inside('sparse.md'), 2 ** 40);
  writeFileSync(inside('binary.md'), Buffer.from([0xc3, 0x28]));
  symlinkSync('../secret.md', inside('link-to-secret.md'));
  symlinkSync('link-to-secret.md', inside('link-to-link.md'));
  symlinkSync('/etc', inside('link-to-etc'));
  symlinkSync('/dev/zero', inside('link-to-zero'));
  symlinkSync('pipe', inside('link-to-pipe'));
  symlinkSync('link-to-itself', inside('link-to-itself'));
  symlinkSync('nothing', inside('link-to-nothing'));
  execFileSync('mkfifo', [inside('pipe')]);
  await listenOn(inside('socket'));
  return project;
}

async function listenOn(path: string): Promise<void> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(path, resolve));
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
}

async function failureOf(file: string, options?: LoadOptions): Promise<TeamFileError> {
  const outcome = await loadTeamFile(file, options).catch((error: unknown) => error);
  if (!(outcome instanceof TeamFileError)) throw new Error('not refused', { cause: outcome });
  return outcome;
}

async function problemsOf(file: string, options?: LoadOptions): Promise<readonly string[]> {
  return (await failureOf(file, options)).problems.map(({ code, pointer }) => `${code} ${pointer}`);
}
