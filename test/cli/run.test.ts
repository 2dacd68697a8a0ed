import { chmodSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { conversationEventSchema } from '../../src/store/eventSchema.js';
import { alivePids, hostileCommand } from '../agents/acp/hostileAcpAgent.js';
import { createMachine, type Machine, scrub, teamFile } from './runHuddle.js';

/** A machine whose project has a team of misbehaving agents. */
function machineWith(agents: Readonly<Record<string, object>>, more = {}): Machine {
  const machine = createMachine();
  machine.install('claude', 'codex', 'gemini');
  machine.write('huddle.jsonc', teamFile(agents, more));
  return machine;
}

const claudeAndCodex = { max: { agentType: 'claude' }, sarah: { agentType: 'codex' } };
const fixed = (answer: string) => ({ HOSTILE: 'fixed', HOSTILE_TEXT: answer });

describe('huddle run', () => {
  test('prints the transcript on stdout and everything else on stderr', async () => {
    const machine = machineWith(claudeAndCodex);
    const env = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Done.' };
    const { code, stdout, stderr } = await machine.run(['run', 'Go. [NEXT: max, sarah]', '--trust'], { env });
    expect(code).toBe(0);
    expect(stdout).toBe('kim:\nGo. [NEXT: max, sarah]\n\nmax:\nDone.\n\nsarah:\nDone.\n');
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/run-stderr.txt');
  });

  test.each([
    ['standard input', ['run'], 'Go.\n'],
    ['standard input by name', ['run', '-'], 'Go.\n'],
    ['a file', ['run', '--file', 'message.txt'], ''],
  ])('takes the message from %s', async (_source, args, input) => {
    const machine = machineWith(claudeAndCodex);
    machine.write('message.txt', 'Go.\n');
    const { code, stdout } = await machine.run([...args, '--trust'], { input, env: fixed('Done.') });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nGo.\n\nmax:\nDone.\n' });
  });

  test('stream-json prints every event from the first one on, as the published schema describes it', async () => {
    const machine = machineWith(claudeAndCodex);
    const env = { HOSTILE: 'pingpong:sarah', HOSTILE_NAME: 'max' };
    const { code, stdout } = await machine.run(
      ['run', 'Go. [NEXT: max, nobody]', '--trust', '--output-format', 'stream-json'],
      { env },
    );
    expect(code).toBe(0);
    const events = stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    for (const event of events) expect(conversationEventSchema.parse(event)).toEqual(event);
    const types = events.map(({ type }) => type);
    expect(types[0]).toBe('conversation-start');
    expect(new Set(types)).toEqual(
      new Set([
        'conversation-start',
        'brief-changed',
        'message-added',
        'notice',
        'turns-queued',
        'turn-start',
        'turn-activity',
        'turn-progress',
        'turn-end',
        'human-awaited',
      ]),
    );
    const recorded = events.flatMap(({ seq }) => seq ?? []);
    expect(recorded).toEqual(recorded.map((_, index) => index + 1));
  });

  test('json prints one object with the messages, the outcome and what it took', async () => {
    const machine = machineWith(claudeAndCodex);
    const { stdout } = await machine.run(['run', 'Go.', '--trust', '--output-format', 'json'], {
      env: fixed('Done.'),
    });
    expect(JSON.parse(stdout)).toMatchObject({
      outcome: 'done',
      isRehearsal: false,
      messages: [
        { content: 'Go.', speaker: { roleName: 'kim' } },
        { content: 'Done.', speaker: { roleName: 'max' } },
      ],
      turns: [{ member: 'max', result: { kind: 'completed' } }],
      totals: { turns: 1, inputTokens: 10, outputTokens: 5, usd: 0.0123 },
    });
  });

  test('what an agent says cannot reach the terminal as control characters', async () => {
    const machine = machineWith(claudeAndCodex);
    const { stdout, stderr } = await machine.run(['run', 'Go.', '--trust'], { env: { HOSTILE: 'escapes' } });
    expect(stdout).toContain('END-ESCAPES');
    expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
  });

  test('says that a message names somebody who is not there, and asks the others', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stderr } = await machine.run(['run', 'Go. [NEXT: mxa, sarah]', '--trust'], {
      env: fixed('Done.'),
    });
    expect(code).toBe(0);
    expect(stderr).toContain('Nobody in this team is called "mxa" (did you mean max?).');
  });

  test('warns that a limit on money cannot count a member without a price', async () => {
    const machine = machineWith(claudeAndCodex);
    const { stderr } = await machine.run(['run', 'Go.', '--trust', '--max-usd', '1'], {
      env: fixed('Done.'),
    });
    expect(stderr).toContain('warning: The limit on dollars cannot count sarah');
  });
});

describe('the exit code of a run', () => {
  test('is 3 when an agent asked for a person by name', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust'], {
      env: fixed('Which one? [NEXT: kim]'),
    });
    expect(code).toBe(3);
    expect(stderr).toContain('The agents wait for kim.');
  });

  test('is 5 at a limit, with the reason, the count and how to go on', async () => {
    const machine = machineWith({ max: { agentType: 'claude' }, sarah: { agentType: 'claude' } });
    const env = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Over. [NEXT: max, sarah]' };
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust', '--max-turns', '2'], { env });
    expect(code).toBe(5);
    expect(stderr).toContain('Paused at a limit: 2 agent turns in a row without a person (2 reached).');
    expect(stderr).toContain('Not asked any more:');
    expect(stderr).toContain('run again with a larger --max-turns');
  });

  test('is 4 when an agent is not logged in', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile(claudeAndCodex));
    machine.write('script.json', { max: [{ failure: 'not-logged-in' }] });
    const { code, stderr } = await machine.run([
      'rehearse',
      'Go.',
      '--script',
      'script.json',
      '--no-prompts',
    ]);
    expect(code).toBe(4);
    expect(stderr).toMatch(/^error\[AUTH\]: max \(.*nothing had arrived; Run `claude`/mu);
  });

  test('is 69 when the program of the only member asked is missing, naming where it was looked for', async () => {
    const machine = machineWith({ max: { agentType: 'command', command: ['not-there'] } });
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust']);
    expect(code).toBe(69);
    expect(scrub(stderr, machine)).toContain(
      'error[AGENT_MISSING]: max (not-there): not-there was not found; searched <machine>/bin; nothing had arrived; Install not-there',
    );
  });

  test('is 1 when one is missing and another worked', async () => {
    const machine = machineWith({
      max: { agentType: 'command', command: ['not-there'] },
      sarah: { agentType: 'codex' },
    });
    const { code } = await machine.run(['run', 'Go. [NEXT: max, sarah]', '--trust'], { env: fixed('Done.') });
    expect(code).toBe(1);
  });

  test('is 1 when a turn ends without its last word; what had arrived is marked as a draft', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stdout, stderr } = await machine.run(['run', 'Go.', '--trust'], {
      env: { HOSTILE: 'nofinal' },
    });
    expect(code).toBe(1);
    expect(stdout).toContain('max (draft, not handed on):\n');
    expect(stderr).toMatch(
      /^error\[NO_FINAL_EVENT\]: max \(claude\): .*; \d+ characters are kept as a draft/mu,
    );
  });

  test('is 1 when the agent takes too long', async () => {
    const machine = machineWith(claudeAndCodex, { limits: { idleMinutes: 0.01 } });
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust'], { env: { HOSTILE: 'hang' } });
    expect(code).toBe(1);
    expect(stderr).toContain(
      'error[TURN_TIMEOUT]: max: no output for 1 s; nothing had arrived; Send the message again',
    );
  });

  test('is 77 in a folder that nobody trusts, and nothing is started', async () => {
    const machine = machineWith(claudeAndCodex);
    const pidFile = join(machine.folder, 'pids');
    const { code, stdout, stderr } = await machine.run(['run', 'Go.'], { env: { HOSTILE_PIDFILE: pidFile } });
    expect({ code, stdout }).toEqual({ code: 77, stdout: '' });
    expect(existsSync(pidFile)).toBe(false);
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/run-not-trusted.txt');
  });

  test('is 78 with a team file that is not right, and everything wrong with it is said', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', {
      version: 2,
      members: [{ name: 'max', type: 'ai', agentType: 'cladue' }],
    });
    const { code, stdout, stderr } = await machine.run(['run', 'Go.']);
    expect({ code, stdout }).toEqual({ code: 78, stdout: '' });
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/run-bad-team.txt');
  });

  test('is 74 when the debug file cannot be written', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust', '--debug-file', 'no/debug.log']);
    expect(code).toBe(74);
    expect(scrub(stderr, machine)).toContain(
      'error[CANNOT_WRITE]: The debug file <machine>/project/no/debug.log cannot be written: there is no such file or folder (ENOENT)',
    );
  });
});

describe('what the system refuses', () => {
  test('is said in words, without a stack trace', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stderr } = await machine.run(['run', 'Go.'], {
      env: { HUDDLE_HOME: join(machine.project, 'huddle.jsonc') },
    });
    expect(code).toBe(74);
    expect(scrub(stderr, machine)).toBe(
      'error[DATA_FOLDER]: The data folder <machine>/project/huddle.jsonc cannot be used: ' +
        'a file is in the way of its folder (ENOTDIR). Mend that, or set HUDDLE_HOME to another folder.\n',
    );
  });

  test('a debug file on a full disk does not end the conversation', async () => {
    const machine = machineWith(claudeAndCodex);
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust', '--debug-file', '/dev/full'], {
      env: fixed('Done.'),
    });
    expect(code).toBe(0);
    expect(
      stderr.match(/warning: The debug file \/dev\/full cannot be written: the disk is full \(ENOSPC\)/gu),
    ).toHaveLength(1);
  });

  test('an ACP agent that is not there is missing like any other', async () => {
    const machine = machineWith({ olga: { agentType: 'acp', command: ['opencode', 'acp'] } });
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust']);
    expect(code).toBe(69);
    expect(stderr).toContain('error[AGENT_MISSING]: olga (opencode acp): opencode was not found');
    expect(stderr).not.toMatch(/^ {4}at /mu);
  });

  test('an ACP agent runs, and nothing of it is left', async () => {
    const machine = createMachine();
    const pidFile = join(machine.folder, 'pids');
    machine.write(
      'huddle.jsonc',
      teamFile({ olga: { agentType: 'acp', command: hostileCommand('fixed', pidFile) } }),
    );
    const { code, stdout } = await machine.run(['run', 'Go.', '--trust']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nGo.\n\nolga:\nHello.\n' });
    expect(alivePids(pidFile)).toEqual([]);
  });
});

describe('without a team file', () => {
  test('the team is what is installed, and that is said', async () => {
    const machine = createMachine();
    machine.install('codex', 'gemini');
    const { code, stdout, stderr } = await machine.run(['run', 'Go.'], { env: fixed('Done.') });
    expect(code).toBe(0);
    expect(stdout).toContain('codex:\nDone.');
    expect(stderr).toContain('No team file here, so the team is made of what is installed.');
    expect(stderr).toContain('codex (Codex), gemini (Gemini CLI).');
  });

  test('and nothing installed, stand-ins answer, and that is said', async () => {
    const machine = createMachine();
    const { code, stdout, stderr } = await machine.run(['run', 'Go.']);
    expect(code).toBe(0);
    expect(stdout).toContain('claude here, in rehearsal. I was asked: "Go."');
    expect(stderr).toContain('This is a rehearsal: no agent CLI is installed');
    expect(stderr).toContain('nothing was spent');
  });

  test('who is not logged in is named and asked last', async () => {
    const machine = createMachine();
    machine.install('codex');
    const claude = machine.write(
      '../bin/claude',
      '#!/usr/bin/env node\nconsole.log(JSON.stringify({ loggedIn: false }));',
    );
    chmodSync(claude, 0o755);
    const { stdout, stderr } = await machine.run(['run', 'Go.'], { env: fixed('Done.') });
    expect(stdout).toContain('codex:\nDone.');
    expect(stderr).toContain('Claude Code says that nobody is logged in. Run `claude` and type /login');
  });
});
