import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { INITIAL_STATE } from '../../../../src/conversation/ConversationState.js';
import type { Phase } from '../../../../src/conversation/questions.js';
import type { Conversation } from '../../../../src/coordinator/Conversation.js';
import { formatParagraph } from '../../../../src/frontends/lines/formatParagraph.js';
import type { TerminalExit } from '../../../../src/frontends/tui/FrontEnd.js';
import type { TerminalOptions } from '../../../../src/frontends/tui/session/TerminalOptions.js';
import { TerminalSession } from '../../../../src/frontends/tui/session/TerminalSession.js';
import type { ConversationEvent } from '../../../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../../../src/models/ids.js';
import type { Paragraph } from '../../../../src/presentation/Paragraph.js';
import { openPermissions } from '../../../../src/presentation/Telling.js';
import { defer } from '../../../../src/utils/defer.js';
import { whatFollows } from '../../../store/LateStore.js';
import { activity, fact, teamOf, turnStart } from '../events.js';
import { NO_FILES } from '../noFiles.js';

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
function startSession(options: Omit<TerminalOptions, 'words'> = {}) {
  const printed: string[] = [];
  const sent: string[] = [];
  const answers: string[] = [];
  const asked: string[] = [];
  let phase: Phase = { kind: 'idle' };
  const exits: TerminalExit[] = [];
  const signals: string[] = [];
  let tell: (event: ConversationEvent) => void = () => undefined;
  const conversation: Conversation = {
    id: 'c' as Conversation['id'],
    team: teamOf(),
    send: async (text) => {
      sent.push(text);
      return {} as Awaited<ReturnType<Conversation['send']>>;
    },
    skipLook: async () => void asked.push('skipLook'),
    cancel: async () => {
      asked.push('cancel');
      phase = { kind: 'paused', reason: { kind: 'cancelled' } };
    },
    pause: async () => undefined,
    resume: async () => void asked.push('resume'),
    retry: async () => 0,
    rename: async () => undefined,
    answerPermission: async (requestId, verdict) => {
      answers.push(`${requestId} ${verdict}`);
      tell(
        fact({
          type: 'permission-decided',
          turnId: 'turn-1' as TurnId,
          memberId: 'max' as MemberId,
          requestId,
          decision: verdict === 'allow' ? 'allowed' : 'denied',
          by: { kind: 'person', memberId: 'kailai' as MemberId },
        }),
      );
    },
    ...NO_FILES,
    history: async function* () {},
    subscribe: (listener) => {
      tell = listener;
      return () => undefined;
    },
    snapshot: () => ({
      phase,
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
    print: (blocks: readonly Paragraph[]) =>
      printed.push(...blocks.map((block) => formatParagraph(block, english))),
    refresh: () => undefined,
    remember: () => undefined,
    askWhoIsThere: () => undefined,
    setTitle: (title: string) => signals.push(title),
    notify: (text: string) => signals.push(text),
    close: async () => undefined,
    restore: () => undefined,
  };
  const session = new TerminalSession(
    conversation,
    { words: english, ...options },
    () => view,
    (exit) => exits.push(exit),
  );
  session.start();
  return {
    session,
    view,
    printed,
    sent,
    asked,
    answers,
    exits,
    signals,
    tell: (event: ConversationEvent) => tell(event),
  };
}

describe('a first look at the folder', () => {
  const queued = fact({
    type: 'turns-queued',
    place: 'back',
    turns: [{ turnId: 'turn-1' as TurnId, memberId: 'max' as MemberId, triggeredBy: 'msg-1' as MessageId }],
  });
  const looking: ConversationEvent = { type: 'files-progress', v: 1, at: 0, files: 42_000 };

  it.each([
    ['Esc skips it, and the turn that waits starts', 'onStop', 'skipLook'],
    ['Ctrl-C stops the turn that waits', 'onInterrupt', 'cancel'],
  ] as const)('%s', async (_title, key, verb) => {
    const { session, asked, tell } = startSession();
    tell(queued);
    tell(looking);
    session[key]();
    await expect.poll(() => asked).toEqual([verb]);
  });

  it('is not what is stopped once a turn runs', async () => {
    const { session, asked, tell } = startSession();
    tell(looking);
    tell(turnStart());
    session.onStop();
    await expect.poll(() => asked).toEqual(['cancel']);
  });
});

describe('a question of an agent', () => {
  it.each([
    ['y', 'allow', 'Question 1: allowed by kailai'],
    [' No ', 'deny', 'Question 1: denied by kailai'],
  ] as const)('is answered by the line %j', async (line, verdict, said) => {
    const { session, printed, sent, answers, tell } = startSession();
    tell(turnStart());
    tell(activity(QUESTION));
    expect(printed.at(-1)).toBe(
      'Question 1: max wants to run a command (Bash)\n│ command  rm -rf build\n│ title    Clean up',
    );
    expect(session.status().hint).toBe('y⏎ allow · n⏎ deny');
    session.typed.onFirstKey(true);
    session.typed.onSubmit(line);
    await expect.poll(() => printed.at(-1)).toBe(said);
    expect(answers).toEqual([`ask-1 ${verdict}`]);
    expect(openPermissions(session.screen())).toEqual([]);
    session.typed.onFirstKey(true);
    session.typed.onSubmit(line);
    expect(sent).toEqual([line]);
    await session.restore();
  });
});

describe('a short answer', () => {
  it('does not count for a question that is not on the screen yet', async () => {
    const { session, printed, sent, answers, tell } = startSession();
    tell(turnStart());
    tell(activity(QUESTION));
    session.typed.onFirstKey(false);
    session.typed.onSubmit('y');
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

describe('signals to people who look elsewhere', () => {
  it.each([
    [
      undefined,
      [
        'auth-squad — huddle',
        '? max needs approval · auth-squad — huddle',
        'Huddle: max needs approval (auth-squad)',
      ],
    ],
    [false, []],
  ] as const)('with notifications %s', (notifications, expected) => {
    const { session, signals, tell } = startSession({ notifications });
    tell(turnStart());
    tell(activity(QUESTION));
    session.restore();
    expect([...new Set(signals)]).toEqual(expected);
  });
});

describe('a log that cannot be written', () => {
  it('is told once, however many wait for it, and what was typed is put back', async () => {
    const { session, view, printed } = startSession();
    const failure = new Error('The store is out of reach.');
    const ended = defer<never>();
    Object.assign(session.conversation, { settled: () => ended.promise });
    // What it set going is still followed when the next message fails.
    await session.send('One.');
    Object.assign(session.conversation, { send: () => Promise.reject(failure) });
    session.typed.onSubmit('Two.');
    await expect.poll(() => view.input).toBe('Two.');
    ended.reject(failure);
    await whatFollows();
    expect(printed.filter((text) => text.includes(failure.message))).toHaveLength(1);
  });
});
