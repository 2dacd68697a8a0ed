import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { KNOWN_ACP_AGENTS } from '../../src/agents/acp/knownAgents.js';
import { AGENT_DEFINITIONS } from '../../src/agents/definitions.js';
import { detectAcpAgents, detectAgents } from '../../src/agents/detectAgents.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-detect-'));
afterAll(() => rmSync(root, { recursive: true }));

/** For a machine that is busy with something else. */
const LONG = 60_000;

/** A PATH with these programs on it, each a shell script. */
function pathWith(programs: Readonly<Record<string, string>>): Record<string, string> {
  const folder = mkdtempSync(join(root, 'path-'));
  for (const [name, script] of Object.entries(programs)) {
    writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`);
    chmodSync(join(folder, name), 0o755);
  }
  return { PATH: `${folder}:/usr/bin:/bin`, HOME: root };
}

async function detect(programs: Readonly<Record<string, string>>, patienceMilliseconds?: number) {
  const agents = await detectAgents({ environment: pathWith(programs), patienceMilliseconds });
  return new Map(agents.map((agent) => [agent.type, agent]));
}

test('says of each program where it is, which version, whether somebody is logged in and what it can do', async () => {
  const agents = await detect({
    claude: 'case "$1" in --version) echo "2.1.325 (Claude Code)";; auth) echo \'{"loggedIn": true}\';; esac',
    codex:
      'case "$1" in --version) echo "codex-cli 0.166.0";; login) echo "Not logged in" >&2; exit 1;; esac',
  });
  expect(agents.get('claude-code')).toMatchObject({
    file: expect.stringMatching(/\/claude$/),
    version: '2.1.325',
    isOlderThanTested: false,
    loggedIn: 'yes',
    capabilities: { sessions: ['new', 'resume', 'fork'] },
  });
  expect(agents.get('openai-codex')).toMatchObject({ version: '0.166.0', loggedIn: 'no' });
});

test('a program that is not there has no file and comes with the command that installs it', async () => {
  const gemini = (await detect({})).get('google-gemini');
  expect(gemini).not.toHaveProperty('file');
  expect(gemini).toMatchObject({ loggedIn: 'unknown', installHint: 'npm install -g @google/gemini-cli' });
});

test('notes a version older than the tested one, and compares numbers, not letters', async () => {
  const older = await detect({ claude: 'echo 2.1.197', codex: 'echo 0.99.9', gemini: 'echo 0.100.0' });
  expect([...older.values()].map(({ isOlderThanTested }) => isOlderThanTested)).toEqual([true, true, false]);
});

test('a program that hangs, babbles or breaks has no version and holds nobody up', async () => {
  const programs = {
    claude: 'trap "" TERM INT HUP; while :; do sleep 1; done',
    codex: 'echo hello',
    gemini: 'exit 3',
  };
  const agents = await detect(programs, 300);
  for (const agent of agents.values()) {
    expect(agent).toHaveProperty('file');
    expect(agent).not.toHaveProperty('version');
    expect(agent.isOlderThanTested).toBe(false);
  }
  expect(agents.get('claude-code')?.loggedIn).toBe('unknown');
});

test('programs are asked in an empty folder that is closed to others, a repository of its own, and gone afterwards', async () => {
  const log = join(root, 'places');
  const tell = `printf '%s %s %s\\n' "$(pwd)" "$(stat -c %a .)" "$(ls -AR | tr -d '\\n')" >> ${log}; echo 2.1.325`;
  // The temporary folder may lie in the folder that the tests run in, and nothing of a project is asked.
  const options = { workingFolder: '/', patienceMilliseconds: LONG };
  await detectAgents({ ...options, environment: pathWith({ claude: tell, codex: tell, gemini: tell }) });
  await detectAcpAgents({ ...options, environment: pathWith({ 'codex-acp': tell }) });
  const places = readFileSync(log, 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(' '));
  expect(places.length).toBeGreaterThan(4);
  for (const [folder = '', mode, entries] of places) {
    expect([folder === tmpdir(), mode, entries]).toEqual([false, '700', '.:.git./.git:']);
    expect(existsSync(folder)).toBe(false);
  }
});

test('the tested version of a program is the one that the suite of real CLIs runs', () => {
  const { dependencies, optionalDependencies } = JSON.parse(readFileSync('real/package.json', 'utf8'));
  const run = { ...dependencies, 'opencode-ai': optionalDependencies['opencode-linux-x64'] };
  const own = AGENT_DEFINITIONS.flatMap(({ probe, installHint = '' }) =>
    probe === undefined ? [] : { ...probe, installHint },
  );
  const tested = [...own, ...KNOWN_ACP_AGENTS].flatMap(({ installHint, testedVersion }) => {
    const [, name = ''] = /^npm install -g (\S+)$/u.exec(installHint) ?? [];
    return Object.hasOwn(run, name) ? [[name, testedVersion]] : [];
  });
  expect(Object.fromEntries(tested)).toEqual(run);
});

test('of the ACP agents those are named that are installed, with the version they were tested with', async () => {
  const environment = pathWith({
    'codex-acp': 'echo 2.5.0',
    opencode: 'echo 1.18.33',
    gemini: 'echo 0.61.0',
  });
  expect(await detectAcpAgents({ environment })).toMatchObject([
    { type: 'acp', label: 'Codex (ACP)', version: '2.5.0', testedVersion: '2.6.0', isOlderThanTested: true },
    { type: 'acp', label: 'OpenCode', command: ['opencode', 'acp'], isOlderThanTested: false },
  ]);
});
