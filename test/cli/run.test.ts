import { chmodSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { hostileCommand } from '../agents/acp/hostileAcpAgent.js';
import { alivePids } from '../agents/process/hostileAgent.js';
import { createMachine, type Machine, root, teamFile } from './runHuddle.js';

/** A machine whose project has a team of misbehaving agents. */
function machineWith(agents: Readonly<Record<string, object>>, more = {}): Machine {
  const machine = createMachine();
  machine.install('claude', 'codex', 'gemini');
  machine.write('huddle.jsonc', teamFile(agents, more));
  return machine;
}

const schemaFile = join(root, 'schema', 'conversation-event.schema.json');
const published = z.fromJSONSchema(JSON.parse(readFileSync(schemaFile, 'utf8')));
const claudeAndCodex = { max: { agentType: 'claude' }, sarah: { agentType: 'codex' } };
const fixed = (answer: string) => ({ HOSTILE: 'fixed', HOSTILE_TEXT: answer });

describe('huddle run', () => {
  const endings: readonly (readonly [string, number, readonly string[], Readonly<Record<string, string>>])[] =
    [
      ['completes', 0, [], fixed('Done.')],
      ['asks a person', 3, [], fixed('Which one? [NEXT: kim]')],
      ['reaches a limit', 5, ['--max-turns', '1'], fixed('You. [NEXT: max, sarah]')],
      ['fails', 1, [], { HOSTILE: 'exit0error' }],
      ['breaks off', 1, [], { HOSTILE: 'nofinal' }],
    ];
  test.each(endings)(
    'stream-json prints a run that %s from its first event on, as the published schema describes it',
    async (_ending, exitCode, options, env) => {
      const { code, stdout } = await machineWith(claudeAndCodex).run(
        ['run', 'Go. [NEXT: max, sarah, nobody]', '--trust', '--output-format', 'stream-json', ...options],
        { env },
      );
      expect(code).toBe(exitCode);
      const events = stdout
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(events[0]).toMatchObject({ type: 'conversation-start' });
      for (const event of events) expect(published.safeParse(event)).toEqual({ success: true, data: event });
      const recorded = events.flatMap(({ seq }) => seq ?? []);
      expect(recorded).toEqual(recorded.map((_, index) => index + 1));
    },
  );

  test('what an agent says cannot reach the terminal as control characters', async () => {
    const machine = machineWith(claudeAndCodex);
    // An answer alone, and two under the names of their authors.
    for (const message of ['Go.', 'Go. [NEXT: all]']) {
      const args = ['run', message, '--trust'];
      const { stdout, stderr } = await machine.run(args, { env: { HOSTILE: 'escapes' } });
      expect(stdout).toContain('END-ESCAPES');
      expect(stdout + stderr).not.toMatch(/[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u);
    }
  });

  test('starts nothing in a folder that nobody trusts', async () => {
    const machine = machineWith(claudeAndCodex);
    const pidFile = join(machine.folder, 'pids');
    const { code } = await machine.run(['run', 'Go.'], { env: { HOSTILE_PIDFILE: pidFile } });
    expect(code).toBe(77);
    expect(existsSync(pidFile)).toBe(false);
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

  test('a command may print records in place of text, and the last of them decides', async () => {
    const say = (record: object) => `console.log(${JSON.stringify(JSON.stringify(record))});`;
    const speak = (...records: object[]) => ({
      agentType: 'command',
      command: ['node', '-e', records.map(say).join('')],
      output: 'json-lines',
    });
    const machine = machineWith({
      lint: speak({ type: 'text', text: 'Two faults.' }, { type: 'result' }),
      half: speak({ type: 'text', text: 'One' }),
    });
    const { code, stdout, stderr } = await machine.run(['run', 'Look. [NEXT: lint, half]', '--trust']);
    expect(code).toBe(1);
    expect(stdout).toBe('Two faults.\n');
    expect(stderr).toContain('exited before completing its reply; draft kept (3 characters), not delivered');
  });

  test('an ACP agent runs, and nothing of it is left', async () => {
    const machine = createMachine();
    const pidFile = join(machine.folder, 'pids');
    machine.write(
      'huddle.jsonc',
      teamFile({ olga: { agentType: 'acp', command: hostileCommand('fixed', pidFile) } }),
    );
    const { code, stdout } = await machine.run(['run', 'Go.', '--trust']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Hello.\n' });
    expect(alivePids(pidFile)).toEqual([]);
  });

  test('without a team file names who is not logged in, and asks them last', async () => {
    const machine = createMachine();
    machine.install('codex');
    const claude = machine.write(
      '../bin/claude',
      '#!/usr/bin/env node\nconsole.log(JSON.stringify({ loggedIn: false }));',
    );
    chmodSync(claude, 0o755);
    await machine.trust();
    const { stdout, stderr } = await machine.run(['run', 'Go.'], { env: fixed('Done.') });
    expect(stdout).toBe('Done.\n');
    expect((await machine.run(['show'])).stdout).toContain('codex:\n  Done.');
    expect(stderr).toContain('Claude Code is not logged in. Run `claude` and type /login');
  });
});

test('a run and its export name the members that are checks', async () => {
  const machine = createMachine();
  const tests = { agentType: 'command', command: ['/bin/true'], check: true };
  machine.write(
    'huddle.jsonc',
    teamFile({ max: { agentType: 'command', command: ['/bin/echo', 'Hi.'] }, tests }),
  );
  const { stderr } = await machine.run(['run', '--trust', 'Go.']);
  expect(stderr).toContain('max (Command), tests (Command, check)');
  expect((await machine.run(['export'])).stdout).toContain('Command, check');
});
