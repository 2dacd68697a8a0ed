import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type SpawnRequest, spawnAgent } from '../../../src/agents/process/spawnAgent.js';
import { findCommand } from '../../../src/utils/findCommand.js';

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'huddle-spawn-'));
  mkdirSync(join(folder, 'bin'));
  mkdirSync(join(folder, 'bin', 'folder'));
  mkdirSync(join(folder, 'work'));
  script('agent', '#!/bin/sh\ncat\necho done >&2\nexit 3\n', 0o755);
  script('plain', '#!/bin/sh\n', 0o644);
  script('orphan', '#!/no/such/interpreter\n', 0o755);
});

afterAll(() => rmSync(folder, { recursive: true }));

function script(name: string, text: string, mode: number): void {
  writeFileSync(join(folder, 'bin', name), text);
  chmodSync(join(folder, 'bin', name), mode);
}

function request(command: string, changes: Partial<SpawnRequest> = {}): SpawnRequest {
  const environment = { PATH: `${join(folder, 'bin')}:/usr/bin:/bin` };
  return {
    command: [command],
    args: [],
    environment,
    workingFolder: join(folder, 'work'),
    stdin: 'hello',
    ...changes,
  };
}

async function failureOf(spawnRequest: SpawnRequest) {
  const result = await spawnAgent(spawnRequest);
  if (result.kind === 'started') throw new Error('it started');
  return result.failure;
}

describe('starting an agent', () => {
  it('hands over stdin and gives stdout, stderr and the exit', async () => {
    const result = await spawnAgent(request('agent'));
    if (result.kind === 'failed') throw new Error(result.failure.reason);
    const chunks: Buffer[] = [];
    for await (const chunk of result.agent.stdout) chunks.push(chunk);
    expect(Buffer.concat(chunks).toString()).toBe('hello');
    expect(await result.agent.exited).toEqual({ code: 3, signal: null });
    await result.agent.stderr.ended;
    expect(result.agent.stderr.text).toBe('done\n');
  });

  it('knows every folder that was searched when the program is missing, and does not say them', async () => {
    expect(await spawnAgent(request('no-such-agent'))).toEqual({
      kind: 'failed',
      failure: { code: 'AGENT_MISSING', reason: 'not-found', program: 'no-such-agent' },
      searched: [join(folder, 'bin'), '/usr/bin', '/bin'],
    });
  });

  it.each([
    ['a script without permission to run', 'plain', 'not-executable'],
    ['a path without permission to run', '../bin/plain', 'not-executable'],
    ['a missing path', '../bin/nothing', 'not-found'],
    ['a folder', 'folder', 'not-found'],
    ['an empty name', '', 'not-found'],
    ['a missing interpreter', 'orphan', 'not-runnable'],
  ])('explains %s', async (_title, command, reason) => {
    expect(await failureOf(request(command))).toMatchObject({ code: 'AGENT_MISSING', reason });
  });

  it('explains arguments that are too long', async () => {
    const failure = await failureOf(request('agent', { args: ['x'.repeat(200_000)] }));
    expect(failure).toMatchObject({ code: 'SPAWN', reason: 'not-started', errno: 'E2BIG' });
  });

  it('explains a missing working folder', async () => {
    const gone = join(folder, 'gone');
    const failure = await failureOf(request('agent', { workingFolder: gone }));
    expect(failure).toEqual({ code: 'SPAWN', reason: 'no-working-folder', folder: gone });
  });
});

describe('finding a command', () => {
  it('takes the first that can be run', () => {
    const path = `${folder}:${join(folder, 'bin')}`;
    const file = join(folder, 'bin', 'agent');
    expect(findCommand('agent', { path, workingFolder: '/' })).toEqual({ kind: 'found', file });
  });

  it('never takes one from the working folder because of an empty or relative entry', () => {
    const place = { path: ':.:bin:/usr/bin', workingFolder: join(folder, 'bin') };
    expect(findCommand('agent', place)).toEqual({ kind: 'missing', searched: ['/usr/bin'] });
  });

  it('passes over a program of the project, unless it is trusted or named by its path', () => {
    const [path, file] = [`${join(folder, 'bin')}:/usr/bin`, join(folder, 'bin', 'agent')];
    const place = { path, workingFolder: folder };
    expect(findCommand('agent', place)).toMatchObject({ kind: 'missing', passedOver: file });
    expect(findCommand('agent', { ...place, trustedPrograms: [file] })).toEqual({ kind: 'found', file });
    expect(findCommand('./bin/agent', place)).toEqual({ kind: 'found', file });
  });

  it.each([
    ['a repository', (project: string) => mkdirSync(join(project, '.git'))],
    [
      'a submodule',
      (project: string) => {
        mkdirSync(join(project, '.git'));
        writeFileSync(join(project, 'one', '.git'), 'gitdir: ../.git/modules/one');
      },
    ],
  ])('takes all of %s for the project', (_title, make) => {
    const project = mkdtempSync(join(folder, 'project-'));
    mkdirSync(join(project, 'one', 'two'), { recursive: true });
    mkdirSync(join(project, 'tools'));
    writeFileSync(join(project, 'tools', 'agent'), '#!/bin/sh\n', { mode: 0o755 });
    const place = { path: join(project, 'tools'), workingFolder: join(project, 'one', 'two') };
    expect(findCommand('agent', place).kind).toBe('found');
    make(project);
    expect(findCommand('agent', place).kind).toBe('missing');
  });

  it('searches the usual folders without a PATH', () => {
    expect(findCommand('sh', { path: undefined, workingFolder: '/' }).kind).toBe('found');
  });
});
