import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { type Editor, openEditor, trustedMachine } from './editor.js';

/** Writes a file in its turn, and says so. */
const WRITER = {
  agentType: 'command',
  command: ['/bin/sh', '-c', 'cat > prompt.txt; echo new > made.txt; echo Written.'],
};
const FAILING = {
  agentType: 'command',
  command: ['/bin/sh', '-c', 'cat >/dev/null; test -e fixed && echo Better.'],
};

interface Typed extends Editor {
  /** Types something and gives back what came of it. */
  type(text: string): Promise<string>;
}

async function openTyped(agents: Readonly<Record<string, object>>, more = {}): Promise<Typed> {
  const editor = await openEditor({ machine: await trustedMachine(agents, more) });
  const { sessionId } = await editor.create();
  const type = async (text: string) => {
    const before = editor.said().length;
    await editor.prompt(sessionId, text);
    return editor.said().slice(before);
  };
  return { ...editor, type };
}

test('the commands are those of the terminal, with what stands behind them', async () => {
  const editor = await openTyped({ writer: WRITER });
  await editor.type('/members');
  const [{ availableCommands } = { availableCommands: [] }] = editor.updates('available_commands_update');
  expect(availableCommands.map(({ name }) => name)).toEqual([
    ...['next', 'task', 'continue', 'retry', 'why', 'cost', 'members', 'diff', 'undo', 'apply', 'fork'],
  ]);
  for (const { description } of availableCommands) expect(description).toMatch(/^[a-z].{5,50}[^.]$/u);
  expect(availableCommands[0]).toMatchObject({ input: { hint: 'names: message' } });
});

test('what is no known command is said as it is', async () => {
  const editor = await openTyped({ writer: WRITER });
  for (const text of ['/usr/bin/env is missing', '/unknown command', '// a comment']) {
    expect(await editor.type(text)).toContain('Written.');
    expect(readFileSync(join(editor.machine.project, 'prompt.txt'), 'utf8')).toContain(text);
  }
});

describe('commands that ask the team', () => {
  test('/next hands off; without names it shows who is next', async () => {
    const editor = await openTyped({ failing: FAILING, writer: WRITER });
    expect(await editor.type('/next writer: What now?')).toContain('Written.');
    expect(await editor.type('/next nobody: What now?')).toContain('nobody');
    expect(await editor.type('/next')).toContain('Queue is empty.');
  });

  test('/task sets the team task, shows it, and asks no one', async () => {
    const editor = await openTyped({ writer: WRITER });
    expect(await editor.type('/task')).toContain('No team task');
    expect(await editor.type('/task Ship it with @writer.')).toBe('Team task: Ship it with @writer.');
    expect(existsSync(join(editor.machine.project, 'prompt.txt'))).toBe(false);
    expect(await editor.type('/task')).toBe('Team task: Ship it with @writer.');
    expect(await editor.type('Go.')).toContain('Written.');
    expect(readFileSync(join(editor.machine.project, 'prompt.txt'), 'utf8')).toContain(
      'Ship it with @writer.',
    );
  });

  test('/retry runs again what did not finish', async () => {
    const editor = await openTyped({ failing: FAILING });
    expect(await editor.type('Go.')).not.toContain('Better.');
    editor.machine.write('fixed', '');
    expect(await editor.type('/retry')).toContain('Better.');
    expect(await editor.type('/retry')).toContain('Nothing to retry');
  });

  test('/continue goes past a limit', async () => {
    const loop = {
      agentType: 'command',
      command: ['/bin/sh', '-c', 'cat >/dev/null; echo "Over. [NEXT: two]"'],
    };
    const back = {
      agentType: 'command',
      command: ['/bin/sh', '-c', 'cat >/dev/null; date +%N; echo "[NEXT: one]"'],
    };
    const editor = await openTyped({ one: loop, two: back }, { limits: { agentTurns: 1 } });
    expect(await editor.type('/continue')).toContain('Nothing is paused');
    await editor.type('Go.');
    const turns = () => editor.agent.request('session/list', {}).then(({ sessions }) => sessions[0]?._meta);
    expect(await turns()).toMatchObject({ huddle: { turns: 1 } });
    await editor.type('/continue');
    expect(await turns()).toMatchObject({ huddle: { turns: 2 } });
  });
});

describe('commands about files', () => {
  test('/diff shows the lines, /undo the plan, and with yes behind it does it', async () => {
    const editor = await openTyped({ writer: WRITER });
    const made = join(editor.machine.project, 'made.txt');
    await editor.type('Go.');
    expect(await editor.type('/diff')).toMatch(/```diff\n[\s\S]*\+new\n[\s\S]*```/u);
    const plan = await editor.type('/undo');
    expect(plan).toContain('made.txt');
    expect(plan).toContain('`/undo turn-1 yes`');
    expect(existsSync(made)).toBe(true);
    expect(await editor.type('/undo turn-1 yes')).toContain('/undo undo-1');
    expect(existsSync(made)).toBe(false);
    await editor.type('/undo undo-1 yes');
    expect(existsSync(made)).toBe(true);
  });

  test('what cannot be done is said, as in the terminal', async () => {
    const editor = await openTyped({ writer: WRITER });
    expect(await editor.type('/diff 99')).toContain('99');
    expect(await editor.type('/apply')).not.toBe('');
    expect(await editor.type('/undo')).not.toBe('');
  });
});

describe('commands that look', () => {
  test('/members, /cost and /why', async () => {
    const editor = await openTyped({ writer: WRITER });
    expect(await editor.type('/why')).toContain('No turn');
    expect(await editor.type('/members')).toMatch(/\*\*kim\*\*[\s\S]*\*\*writer\*\*/u);
    await editor.type('Go.');
    expect(await editor.type('/why')).toMatch(/```\nturn-1: prompt sent to writer[\s\S]*```/u);
    expect(await editor.type('/why 7')).toContain('turn-7');
    const prompt = readFileSync(join(editor.machine.project, 'prompt.txt'), 'utf8');
    expect(await editor.type('/why 1 prompt')).toContain(prompt);
    expect(await editor.type('/cost')).toContain('no usage data');
  });

  test('/fork saves a copy that the list shows', async () => {
    const editor = await openTyped({ writer: WRITER });
    expect(await editor.type('/fork')).toContain('No messages yet');
    await editor.type('Go.');
    const [id = ''] = /\d{8}-\d{4}-[0-9a-f]{4}/u.exec(await editor.type('/fork')) ?? [];
    const { sessions } = await editor.agent.request('session/list', {});
    expect(sessions.map(({ sessionId }) => sessionId)).toContain(id);
  });
});
