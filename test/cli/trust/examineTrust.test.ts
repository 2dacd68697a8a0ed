import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../../src/agents/AgentManager.js';
import { rightsOf } from '../../../src/catalogue/members.js';
import { limitTeam } from '../../../src/cli/team/adjustTeam.js';
import { examineTrust, markProjectPrograms } from '../../../src/cli/trust/examineTrust.js';
import { recordTrust } from '../../../src/cli/trust/trustQuestion.js';
import { loadTeamFile } from '../../../src/config/loadTeamFile.js';
import { trustFolder } from '../../../src/config/trust.js';
import type { AgentMember } from '../../../src/models/Team.js';
import { contextOf } from '../contextOf.js';
import { createMachine, type Machine, teamFile } from '../runHuddle.js';

/** A machine whose project has a program that is called like a CLI of a vendor, and a team that runs it in this way. */
async function stage(way: 'path' | 'link' | 'PATH' | 'outside') {
  const machine = createMachine();
  const inside = executable(machine, 'project/tools/claude');
  const bin = join(machine.folder, 'bin');
  if (way === 'link') symlinkSync(inside, join(bin, 'claude'));
  if (way === 'outside') executable(machine, 'bin/claude');
  const command = {
    path: ['./tools/claude'],
    link: [join(bin, 'claude')],
    PATH: undefined,
    outside: undefined,
  };
  const claude = { agentType: 'claude', command: command[way], permission: 'read' };
  const file = machine.write('huddle.jsonc', teamFile({ claude, gem: { agentType: 'gemini' } }));
  const { team } = await loadTeamFile(file, { interactive: true, trustedFiles: 'any' });
  const path = way === 'PATH' ? `${dirname(inside)}:${bin}` : bin;
  const context = contextOf(machine, { env: { ...machine.env, PATH: path } });
  const subject = { team, teamFolder: machine.project, workingFolder: machine.project };
  return { machine, inside, path, context, subject };
}

function executable(machine: Machine, name: string): string {
  const file = join(machine.folder, name);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, '#!/bin/sh\n');
  chmodSync(file, 0o755);
  return file;
}

test('the question names files of the project that give rights by themselves', async () => {
  const machine = createMachine();
  const codex = { agentType: 'codex', permission: 'edit' };
  const file = machine.write('huddle.jsonc', teamFile({ claude: { agentType: 'claude' }, codex }));
  const { team } = await loadTeamFile(file, { interactive: true, trustedFiles: 'any' });
  const ask = async () => {
    const subject = { team, teamFolder: machine.project, workingFolder: machine.project };
    const { summary } = await examineTrust(subject, contextOf(machine));
    return summary.split('\n').filter((line) => /without asking|mark this folder/u.test(line));
  };
  expect(await ask()).toEqual([]);
  machine.write('.claude/settings.json', { permissions: { allow: [], deny: ['Bash'] }, hooks: {} });
  expect(await ask()).toEqual([]);
  machine.write('.claude/settings.json', { hooks: { PreToolUse: [] } });
  machine.write('.claude/settings.local.json', { permissions: { allow: ['Bash'] } });
  machine.write('.codex/config.toml', '');
  const expected = [
    'Lets Claude Code run commands without asking: .claude/settings.json',
    'Lets Claude Code run commands without asking: .claude/settings.local.json',
    'Codex will mark this folder as trusted in its own settings, and load .codex/config.toml',
  ];
  expect(await ask()).toEqual(expected);
  machine.write('.claude/settings.json', '{');
  expect(await ask()).toEqual(expected);
});

/** What the question says of such files, and whether the team is trusted, for members of Claude Code and Codex. */
async function askAbout(machine: Machine, workingFolder: string, permission = 'edit') {
  const members = { claude: { agentType: 'claude', permission }, codex: { agentType: 'codex', permission } };
  const { team } = await loadTeamFile(machine.write('huddle.jsonc', teamFile(members)), {
    interactive: true,
    trustedFiles: 'any',
  });
  const subject = { team, teamFolder: machine.project, workingFolder };
  const context = contextOf(machine);
  const { summary, trustedSince, grants } = await examineTrust(subject, context);
  const lines = summary
    .split('\n')
    .flatMap((line) => /(?:without asking: |and load )(\S+)$/u.exec(line)?.[1] ?? []);
  const trust = () => recordTrust(subject, { programs: [], grants }, context);
  return { lines, isTrusted: trustedSince !== undefined, trust };
}

describe('files of the project that give rights by themselves', () => {
  test.each([
    ['wrong JSON', '{', true],
    ['comments', '// yes\n{"hooks":{"Stop":[]}}', true],
    ['a byte order mark', '\ufeff{"hooks":{"Stop":[]}}', true],
    ['a byte order mark and nothing that counts', '\ufeff{"model":"opus"}', false],
    ['null', 'null', true],
    ['permissions that are null', '{"permissions":null}', false],
    ['a list in the place of settings', '[]', false],
    ['a program that makes keys', '{"apiKeyHelper":"./key.sh"}', true],
    ['a text in the place of a list', '{"permissions":{"allow":"Bash"}}', true],
    ['nothing', '', true],
    ['denials only', '{"permissions":{"allow":[],"deny":["Bash"]},"hooks":{}}', false],
  ])('are named with %s', async (_, text, isNamed) => {
    const machine = createMachine();
    machine.write('.claude/settings.json', text);
    const { lines } = await askAbout(machine, machine.project);
    expect(lines).toEqual(isNamed ? ['.claude/settings.json'] : []);
  });

  test('are named where a pipe is in their place, or a link', async () => {
    const machine = createMachine();
    machine.write('.claude/other.json', { hooks: { Stop: [] } });
    execFileSync('mkfifo', [join(machine.project, '.claude/settings.json')]);
    symlinkSync('other.json', join(machine.project, '.claude/settings.local.json'));
    const { lines } = await askAbout(machine, machine.project);
    expect(lines).toEqual(['.claude/settings.json', '.claude/settings.local.json']);
  });

  test('are named above the folder where the CLIs read them there, and only for members that are given them', async () => {
    const machine = createMachine();
    const working = join(machine.project, 'packages/app');
    mkdirSync(working, { recursive: true });
    const above = ['.claude/settings.json', '.claude/settings.local.json', '.mcp.json', '.codex/config.toml'];
    for (const folder of ['', 'packages/'])
      for (const file of above)
        machine.write(`${folder}${file}`, { hooks: { Stop: [] }, mcpServers: { x: {} } });
    const named = async (permission?: string) => (await askAbout(machine, working, permission)).lines;
    expect(await named()).toEqual([]);
    mkdirSync(join(machine.project, '.git'));
    expect(await named()).toEqual([
      '../../.claude/settings.local.json',
      '../.mcp.json',
      '../../.mcp.json',
      '../.codex/config.toml',
      '../../.codex/config.toml',
    ]);
    expect(await named('read')).toEqual(['../../.claude/settings.local.json']);
  });

  test('ask again when one more is there, and not when one that was shown has changed', async () => {
    const machine = createMachine();
    machine.write('.claude/settings.json', { hooks: { Stop: [] } });
    await (await askAbout(machine, machine.project)).trust();
    expect((await askAbout(machine, machine.project)).isTrusted).toBe(true);
    machine.write('.claude/settings.json', { hooks: { Stop: [1] }, permissions: { allow: ['Bash'] } });
    expect((await askAbout(machine, machine.project)).isTrusted).toBe(true);
    machine.write('.mcp.json', { mcpServers: { x: {} } });
    const { isTrusted, trust } = await askAbout(machine, machine.project);
    expect(isTrusted).toBe(false);
    await trust();
    expect((await askAbout(machine, machine.project)).isTrusted).toBe(true);
    rmSync(join(machine.project, '.mcp.json'));
    expect((await askAbout(machine, machine.project)).isTrusted).toBe(true);
  });
});

describe('a program inside the project that is called like a known CLI', () => {
  test.each(['path', 'link', 'PATH'] as const)('is no known CLI, by %s', async (way) => {
    const { machine, inside, path, context, subject } = await stage(way);
    if (way === 'PATH')
      await trustFolder({ folder: machine.project, programs: [inside], date: new Date() }, context);
    const { question } = await examineTrust(subject, context);
    expect(question).toContain('  runs as you (no sandbox)');
    expect(question).not.toContain('permission read\n');
    expect(question).not.toContain('ANTHROPIC_API_KEY');
    if (way === 'path') expect(question).toContain('Runs a program inside this project: ./tools/claude');

    const marked = await markProjectPrograms(subject, context);
    const [member] = marked.members.filter(({ name }) => name === 'claude') as AgentMember[];
    expect(rightsOf(member as AgentMember)).toEqual(['runs as you (no sandbox)']);
    expect(limitTeam(marked, { permission: 'read' }).leftOut).toEqual(['claude']);

    const asked: TurnRequest[] = [];
    const agents = new AgentManager({
      workingFolder: machine.project,
      preparation: { environment: { PATH: path }, trustedPrograms: [inside] },
      createAdapter: () => ({
        async *runTurn(request) {
          asked.push(request);
          yield { type: 'end', outcome: { kind: 'completed', text: 'Hello.' } };
        },
      }),
    });
    const found = subject.team.members.find(({ name }) => name === 'claude') as AgentMember;
    await agents.send({ ...found, credentials: ['MY_KEY'] }, 'Hello?');
    expect(asked[0]?.credentials).toEqual(['MY_KEY']);
  });

  test('is one where it is installed elsewhere', async () => {
    const { context, subject } = await stage('outside');
    const { question } = await examineTrust(subject, context);
    expect(question).toContain('ANTHROPIC_API_KEY');
    expect(question).not.toContain('no sandbox');
    const marked = await markProjectPrograms(subject, context);
    expect(limitTeam(marked, { permission: 'read' }).leftOut).toEqual([]);
  });
});
