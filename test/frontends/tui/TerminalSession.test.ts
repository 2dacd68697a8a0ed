import { describe, expect, it } from 'vitest';
import { INITIAL_STATE } from '../../../src/conversation/ConversationState.js';
import type { Conversation } from '../../../src/coordinator/Conversation.js';
import type { Block } from '../../../src/frontends/tui/Block.js';
import type { TerminalExit } from '../../../src/frontends/tui/FrontEnd.js';
import { formatBlock } from '../../../src/frontends/tui/formatBlock.js';
import type { TerminalOptions } from '../../../src/frontends/tui/TerminalOptions.js';
import { TerminalSession } from '../../../src/frontends/tui/TerminalSession.js';
import type { ConversationEvent } from '../../../src/models/ConversationEvent.js';
import { activity, teamOf, turnStart } from './events.js';

const QUESTION = {
  type: 'permission-request',
  requestId: 'ask-1',
  name: 'Bash',
  input: 'rm -rf build',
  kind: 'execute',
  title: 'Clean up',
  command: 'rm -rf build',
  paths: [],
  isInFolder: true,
  isOpen: true,
} as const;

/** A session before nobody's eyes: what it prints, what it asks of the conversation, and how it was left. */
function startSession(options: TerminalOptions = {}) {
  const printed: string[] = [];
  const sent: string[] = [];
  const exits: TerminalExit[] = [];
  let tell: (event: ConversationEvent) => void = () => undefined;
  const conversation: Conversation = {
    id: 'c' as Conversation['id'],
    team: teamOf(),
    send: async (text) => {
      sent.push(text);
      return {} as Awaited<ReturnType<Conversation['send']>>;
    },
    cancel: async () => undefined,
    pause: async () => undefined,
    resume: async () => undefined,
    retry: async () => 0,
    answerPermission: async () => undefined,
    history: async function* () {},
    subscribe: (listener) => {
      tell = listener;
      return () => undefined;
    },
    snapshot: () => ({
      phase: { kind: 'idle' },
      messages: [],
      teamTask: null,
      state: INITIAL_STATE,
    }),
    settled: async () => ({ kind: 'idle' }),
    close: async () => undefined,
  };
  const view = {
    input: '',
    hasKeys: true,
    start: () => undefined,
    print: (blocks: readonly Block[]) => printed.push(...blocks.map(formatBlock)),
    refresh: () => undefined,
    remember: () => undefined,
    askWhoIsThere: () => undefined,
    close: async () => undefined,
    restore: () => undefined,
  };
  const session = new TerminalSession(
    conversation,
    options,
    () => view,
    (exit) => exits.push(exit),
  );
  session.start();
  return { session, printed, sent, exits, tell };
}

describe('a question of an agent', () => {
  it.each([
    ['y', 'allow', 'Allowed: question 1 (Bash)'],
    [' No ', 'deny', 'Denied: question 1 (Bash)'],
  ] as const)('is answered by the line %j', async (line, verdict, said) => {
    const answers: string[] = [];
    const { session, printed, sent, tell } = startSession({
      actions: { answerPermission: ({ requestId }, answer) => void answers.push(`${requestId} ${answer}`) },
    });
    tell(turnStart());
    tell(activity(QUESTION));
    expect(printed.at(-1)).toBe(
      'Question 1: max wants to run a command (Bash)\n│ command  rm -rf build\n│ title    Clean up',
    );
    expect(session.status().hint).toBe('y allow · n deny');
    session.onFirstKey(true);
    session.onSubmit(line);
    await expect.poll(() => printed.at(-1)).toBe(said);
    expect(answers).toEqual([`ask-1 ${verdict}`]);
    expect(session.screen().permissions).toEqual([]);
    session.onFirstKey(true);
    session.onSubmit(line);
    expect(sent).toEqual([line]);
    await session.restore();
  });
});

describe('a short answer', () => {
  const answers: string[] = [];
  const actions = { answerPermission: () => void answers.push('answered') };

  it('does not count for a question that is not on the screen yet', async () => {
    const { session, printed, sent, tell } = startSession({ actions });
    tell(turnStart());
    tell(activity(QUESTION));
    session.onFirstKey(false);
    session.onSubmit('y');
    expect(printed.at(-1)).toContain('/allow 1 or /deny 1');
    expect([...answers, ...sent]).toEqual([]);
    await session.restore();
  });
});

describe('a demonstration', () => {
  it('ends by itself when nobody gives a sign', async () => {
    const { sent, exits } = startSession({ demonstration: 'How would you build it?' });
    await expect.poll(() => exits).toEqual([{ reason: 'quit' }]);
    expect(sent).toEqual(['How would you build it?']);
  });

  it('can be talked on in by whoever is there, and left', async () => {
    const { session, printed, exits } = startSession({ demonstration: 'How would you build it?' });
    session.onSign();
    await expect.poll(() => printed.at(-1)).toContain('Type to keep chatting with the simulated agents');
    expect(exits).toEqual([]);
    session.onLeave();
    expect(exits).toEqual([{ reason: 'quit' }]);
  });

  it('is shown to its end when somebody wants to leave, and at once only when they say so twice', async () => {
    const { session, exits } = startSession({ demonstration: 'How would you build it?' });
    session.onLeave();
    expect(exits).toEqual([]);
    session.onLeave();
    expect(exits).toEqual([{ reason: 'quit' }]);
  });
});
