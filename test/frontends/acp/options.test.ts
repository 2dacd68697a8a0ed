import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SessionConfigOption } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from '../../cli/runHuddle.js';
import { type Editor, openEditor } from './editor.js';

interface Session extends Editor {
  readonly sessionId: string;
  /** The members that replied, in order. */
  asked(): readonly string[];
}

/** A member that writes its name down and cannot be held to anything. */
function speaker(name: string): object {
  const script = `cat >/dev/null; echo ${name} >> asked.txt; echo I am ${name}.`;
  return { agentType: 'command', command: ['/bin/sh', '-c', script] };
}

async function openSession(
  agents: (machine: Machine) => Readonly<Record<string, object>>,
  env: Readonly<Record<string, string>> = {},
): Promise<Session> {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile(agents(machine), { files: { record: false } }));
  await machine.trust();
  const editor = await openEditor({ machine: { ...machine, env: { ...machine.env, ...env } } });
  const { sessionId } = await editor.create();
  const asked = () => readFileSync(join(machine.project, 'asked.txt'), 'utf8').trim().split('\n');
  return { ...editor, sessionId, asked };
}

function openSpeakers(): Promise<Session> {
  return openSession(() => ({ one: speaker('one'), two: speaker('two') }));
}

/** Claude Code, which may edit and replies with its arguments, and a member that cannot be held to reading. */
function openEditors(): Promise<Session> {
  return openSession(
    ({ folder }) => ({
      max: { agentType: 'claude', permission: 'edit', command: [join(folder, 'bin', 'claude')] },
      tester: speaker('tester'),
    }),
    { HOSTILE: 'argv' },
  );
}

function set({ agent, sessionId }: Session, configId: string, value: string) {
  return agent.request('session/set_config_option', { sessionId, configId, value });
}

function valuesOf(options: readonly SessionConfigOption[] | null | undefined) {
  return Object.fromEntries((options ?? []).map(({ id, currentValue }) => [id, currentValue]));
}

describe('the option `ask`', () => {
  test('names who replies to a prompt that names no one', async () => {
    const session = await openSpeakers();
    const say = (text: string) => session.prompt(session.sessionId, text);
    await say('Automatically.');
    expect(valuesOf((await set(session, 'ask', 'two')).configOptions)).toMatchObject({ ask: 'two' });
    await say('To the chosen one.');
    await say('@one by name.');
    await say('```\n@one in code\n```');
    await set(session, 'ask', 'all');
    await say('To all.');
    await set(session, 'ask', '@auto');
    await say('To who spoke last.');
    expect(session.asked()).toEqual(['one', 'two', 'one', 'two', 'one', 'two', 'two']);
  });
});

describe('the option `mode`', () => {
  test('is a mode too, and each follows the other', async () => {
    const session = await openEditors();
    const { agent, sessionId } = session;
    const { configOptions } = await set(session, 'mode', 'read');
    expect(valuesOf(configOptions)).toMatchObject({ mode: 'read' });
    await agent.request('session/set_mode', { sessionId, modeId: 'team' });
    expect(session.updates('current_mode_update').map(({ currentModeId }) => currentModeId)).toEqual([
      'read',
      'team',
    ]);
    expect(valuesOf(session.updates('config_option_update').at(-1)?.configOptions)).toMatchObject({
      mode: 'team',
    });
  });

  test('lowers what members may do from the next prompt on, and names those that are not asked', async () => {
    const session = await openEditors();
    const { sessionId } = session;
    await session.prompt(sessionId, '@max First.');
    expect(session.said()).toContain('acceptEdits');
    const before = session.said().length;
    const { configOptions } = await set(session, 'mode', 'read');
    expect(JSON.stringify(configOptions)).not.toContain('tester');
    await session.prompt(sessionId, '@max Second.');
    const after = session.said().slice(before);
    expect(after).toContain('not asked, because nothing holds them to it: tester');
    expect(after).not.toContain('acceptEdits');
    await session.prompt(sessionId, '@max Third.');
    expect(
      session
        .said()
        .slice(before)
        .match(/not asked/gu),
    ).toHaveLength(1);
  });

  test('is refused where no member could be asked', async () => {
    const session = await openSpeakers();
    await expect(set(session, 'mode', 'read')).rejects.toMatchObject({
      code: -32602,
      data: { code: 'NO_READER' },
    });
    expect(await session.prompt(session.sessionId, 'Go.')).toMatchObject({ stopReason: 'end_turn' });
  });
});

describe('the option `fanout`', () => {
  test('begins with what the team file says and changes what several see of each other', async () => {
    const session = await openSpeakers();
    const { sessionId } = session;
    const { configOptions } = await session.create();
    expect(valuesOf(configOptions)).toEqual({ ask: '@auto', mode: 'team', fanout: 'sequential' });
    expect(valuesOf((await set(session, 'fanout', 'blind')).configOptions).fanout).toBe('blind');
    expect(await session.prompt(sessionId, '@all What do you see?')).toMatchObject({
      stopReason: 'end_turn',
    });
    expect(session.asked().toSorted()).toEqual(['one', 'two']);
  });
});

test.each([
  ['an unknown option', 'colour', 'red'],
  ['an unknown value', 'fanout', 'loud'],
  ['a member that is not there', 'ask', 'nobody'],
  ['more than the team file allows', 'mode', 'full'],
])('%s is refused, and the others are named', async (_title, configId, value) => {
  const session = await openSpeakers();
  await expect(set(session, configId, value)).rejects.toMatchObject({
    code: -32602,
    message: expect.stringMatching(/Options: ask, mode, fanout|Values: /u),
  });
});
