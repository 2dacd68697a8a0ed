import { execFileSync, spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it, onTestFinished } from 'vitest';

const root = fileURLToPath(new URL('..', import.meta.url));
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** What users download. */
const packed: string[] = listPackedFiles();

/** Compiled files, the pages with their pictures, the examples, the manifest, and the schemas. */
const WELCOME = [
  /^dist\/.+\.(?:js|d\.ts)$/,
  /^dist\/cli\/help\.[\w-]+\.txt$/,
  /^dist\/web\/(?:index\.html|assets\/[\w-]+\.(?:css|js))(?:\.(?:br|gz))?$/,
  /^dist\/store\/postgres\/migrations\/\d{4}\.sql$/,
  /^dist\/(?:web\/)?LICENCES\.txt$/,
  /^(?:(?:README|README\.zh-CN|CHANGELOG|CONTRIBUTING|SECURITY)\.md|LICENSE|package\.json)$/,
  /^docs\/(?:[\w-]+\/)*[\w.-]+\.(?:md|svg|png|gif|webp)$/,
  /^examples\/(?:\w+\.mjs|\w+\/(?:huddle\.jsonc|replies\.json|cassette\.jsonl)|github-actions\/cassettes\.yml)$/,
  /^(?:schema\/)?[\w.-]*schema\.json$/,
];

function listPackedFiles(): string[] {
  const output = execFileSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [{ files }]: [{ files: { path: string }[] }] = JSON.parse(output);
  return files.map(({ path }) => path);
}

/** Paths in the package that the links and pictures of a page lead to; addresses elsewhere are not ours. */
function linksOf(page: string): readonly string[] {
  const text = readFileSync(join(root, page), 'utf8').replaceAll(/^```.*?^```/gmsu, '');
  const links = [...text.matchAll(/\]\((?<link>[^)\s]+)\)|\b(?:src|href|srcset)="(?<source>[^"]+)"/gu)];
  return links
    .map(({ groups }) => groups?.link ?? groups?.source ?? '')
    .filter((link) => !/^(?:[a-z]+:|#)/u.test(link))
    .map((link) => posix.join(posix.dirname(page), decodeURI(link.replace(/#.*$/u, ''))));
}

/** A file, or a folder with files in it. */
function isPacked(path: string): boolean {
  return packed.some((file) => file === path || file.startsWith(`${path.replace(/\/$/u, '')}/`));
}

function targetsOf(entry: unknown): string[] {
  if (typeof entry === 'string') return [entry];
  return Object.values(entry as Record<string, unknown>).flatMap(targetsOf);
}

describe('the package', () => {
  it('holds the compiled program and nothing of the workshop', () => {
    expect(packed.filter((path) => !WELCOME.some((pattern) => pattern.test(path)))).toEqual([]);
    expect(
      packed.filter((path) =>
        /(?:^|\/)(?:test|bench|real|scripts|src|modules)\/|\.stamp$|\.test\./.test(path),
      ),
    ).toEqual([]);
  });

  it.each(['README.md', 'README.zh-CN.md', 'LICENSE', 'CHANGELOG.md', 'package.json'])('holds %s', (path) => {
    expect(packed).toContain(path);
  });

  it.each(packed.filter((path) => path.endsWith('.md')))('holds everything that %s links to', (page) => {
    expect(linksOf(page).filter((path) => !isPacked(path))).toEqual([]);
  });

  it('holds the page, with every file that it loads first', () => {
    expect(packed).toContain('dist/web/index.html');
    const page = readFileSync(join(root, 'dist/web/index.html'), 'utf8');
    const files = Array.from(page.matchAll(/(?:src|href)="\/([^"]+)"/gu), ([, file]) => `dist/web/${file}`);
    expect(files.length).toBeGreaterThan(1);
    expect(files.filter((file) => !packed.includes(file))).toEqual([]);
  });

  it('has users install what it needs at run time, and nothing that is bundled', () => {
    expect(Object.keys(manifest.dependencies)).toEqual([
      '@agentclientprotocol/sdk',
      '@clack/prompts',
      'jsonc-parser',
      'zod',
    ]);
  });

  it('names no address that it does not have', () => {
    expect(['repository', 'homepage', 'bugs'].filter((field) => field in manifest)).toEqual([]);
  });

  it.each([...targetsOf(manifest.exports), ...targetsOf(manifest.bin)])(
    'holds %s, which the manifest names',
    (target) => {
      const path = target.replace(/^\.\//, '');
      expect(existsSync(join(root, path))).toBe(true);
      expect(packed).toContain(path);
    },
  );
});

describe('npx of the packed package', () => {
  it('says its version, rehearses, serves the page, and sets a team up in an empty folder', {
    timeout: 180_000,
  }, ({ skip }) => {
    const folder = mkdtempSync(join(tmpdir(), 'huddle-npx-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const project = join(folder, 'project');
    for (const made of [project, join(folder, 'cache')]) mkdirSync(made);
    execFileSync('npm', ['pack', '--ignore-scripts', '--pack-destination', folder], {
      cwd: root,
      stdio: 'ignore',
    });
    const tarball = readdirSync(folder).find((name) => name.endsWith('.tgz')) ?? '';
    shareDownloads(join(folder, 'cache'));
    writeFileSync(join(folder, 'visit.mjs'), VISIT);

    const commands = [
      'huddle --version',
      'huddle rehearse --no-prompts "Is it done? [NEXT: claude]"',
      `node '${join(folder, 'visit.mjs')}'`,
      'huddle init --preset pair --yes',
      'huddle team check',
    ];
    const { status, stdout, stderr } = spawnSync(
      'npm',
      [
        'exec',
        '--yes',
        '--prefer-offline',
        `--package=${join(folder, tarball)}`,
        '-c',
        commands.join(' && '),
      ],
      { cwd: project, encoding: 'utf8', env: environmentIn(folder) },
    );
    const cannotFetch =
      /npm error code (?:ENOTFOUND|EAI_AGAIN|ECONN\w+|ETIMEDOUT|ENETUNREACH|ENOTCACHED)/u.exec(stderr);
    if (cannotFetch) {
      console.info(`Skipped: the dependencies are neither in npm's cache nor to be had: ${cannotFetch[0]}`);
      skip();
    }
    expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(new RegExp(`^${manifest.version}\\n`, 'u'));
    expect(stdout).toContain('claude here, in rehearsal. I was asked: "Is it done?".');
    expect(stdout).toContain('200 text/html; charset=utf-8\n200 text/javascript; charset=utf-8\n');
    expect(stdout).toContain('huddle.jsonc is valid: 2 agents, 1 person.');
    expect(readdirSync(project).toSorted()).toEqual(['huddle.jsonc', 'huddle.schema.json']);
  });
});

/** Starts the server and looks at the page and at its program, as a browser does. */
const VISIT = `
import { spawn } from 'node:child_process';
import { once } from 'node:events';
const web = spawn('huddle', ['web', '--watch-only', '--port', '0'], { stdio: ['ignore', 'pipe', 'inherit'] });
const [line] = await once(web.stdout, 'data');
const { origin } = new URL(/http\\S+/.exec(line)[0]);
const page = await fetch(origin);
console.log(page.status, page.headers.get('content-type'));
const script = await fetch(origin + /src="([^"]+)"/.exec(await page.text())[1]);
console.log(script.status, script.headers.get('content-type'));
web.kill();
`;

/** What npm has downloaded before needs no network; what it installs here stays here. */
function shareDownloads(cache: string): void {
  const known = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8', cwd: root }).trim();
  if (existsSync(join(known, '_cacache'))) symlinkSync(join(known, '_cacache'), join(cache, '_cacache'));
}

/** Without what `npm test` tells its own commands about this project. */
function environmentIn(folder: string): NodeJS.ProcessEnv {
  const isOurs = (name: string): boolean =>
    /^npm_(?:package|lifecycle|command|config_local_prefix)/u.test(name);
  const kept = Object.entries(process.env).filter(([name]) => !isOurs(name));
  return {
    ...Object.fromEntries(kept),
    HUDDLE_HOME: join(folder, 'data'),
    npm_config_cache: join(folder, 'cache'),
    npm_config_fetch_retries: '0',
    npm_config_prefix: join(folder, 'prefix'),
    npm_config_update_notifier: 'false',
  };
}
