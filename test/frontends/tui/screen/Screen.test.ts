import { describe, expect, it } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { formatParagraph } from '../../../../src/frontends/lines/formatParagraph.js';
import type { MemberId, MessageId, TurnId } from '../../../../src/models/ids.js';
import type { Paragraph } from '../../../../src/presentation/Paragraph.js';
import { openPermissions, showMembers } from '../../../../src/presentation/Telling.js';
import {
  activity,
  agent,
  completed,
  emptyScreen,
  fact,
  follow,
  message,
  progress,
  teamOf,
  turnEnd,
  turnStart,
} from '../events.js';

const [KAILAI, MAX, SARAH] = showMembers(teamOf().members);
if (KAILAI === undefined || MAX === undefined || SARAH === undefined) throw new TypeError('There are three.');

const maxHeading: Paragraph = { kind: 'heading', member: MAX, addressees: [] };

function footer(text = '', aside = '1.2 s · turn-1'): Paragraph {
  return { kind: 'ending', addressees: text === '' ? [] : [text], aside };
}

function said(text: string): Paragraph {
  return { kind: 'text', text, tone: 'plain' };
}

describe('the transcript', () => {
  it('puts what a person says under their name, with the hand-over as an arrow', () => {
    const { paragraphs } = follow([message('kailai', '[NEXT: max] How?\n  Like this?', { to: ['max'] })]);
    expect(paragraphs).toEqual([
      { kind: 'heading', member: KAILAI, addressees: ['max'] },
      said('How?\n  Like this?'),
    ]);
  });

  it.each([
    'Write this line:\n\n    [NEXT: max]',
    'Write this line:\n\n> [NEXT: max]',
    'Type [ next : max ]',
    'Type `[NEXT: max]`',
    'Write \\[NEXT: max]',
    '    [TEAM_TASK] Design a login',
  ])('hides nothing that was not acted upon: %j', (text) => {
    const { paragraphs } = follow([message('kailai', text)]);
    expect(paragraphs).toEqual([{ kind: 'heading', member: KAILAI, addressees: [] }, said(text)]);
    expect(follow([turnStart(), progress({ type: 'text', text })]).paragraphs).toEqual([
      maxHeading,
      said(text),
    ]);
  });

  it('hides a task as a whole, with the code in its middle', () => {
    const task = '[TEAM_TASK] Make this pass:\n```\ntest()\n\nmore()\n```';
    const { paragraphs } = follow([message('kailai', `${task}\n\nHow? [NEXT: max]`, { to: ['max'] })]);
    expect(paragraphs).toEqual([{ kind: 'heading', member: KAILAI, addressees: ['max'] }, said('How?')]);
  });

  it('shows the task of an agent, which sets none', () => {
    const text = '[TEAM_TASK] Rest.\n\n[NEXT: sarah]';
    const { paragraphs } = follow([turnStart(), progress({ type: 'text', text })]);
    expect(paragraphs).toEqual([maxHeading, said('[TEAM_TASK] Rest.')]);
  });

  it('shows an answer once it is complete, whom it hands over to, and what it took', () => {
    const usage = {
      inputTokens: 3000,
      cachedInputTokens: 0,
      outputTokens: 200,
      usd: 0.0213,
      price: 'reported',
    } as const;
    const { paragraphs, screen } = follow([
      turnStart(),
      progress({ type: 'text-delta', text: 'Use Redis.' }),
      turnEnd({ kind: 'completed', messageId: 'msg-2' as MessageId }, { usage }),
      message('max', 'Use Redis.\n\n[NEXT: sarah]', { to: ['sarah'], turn: 'turn-1' }),
    ]);
    expect(paragraphs).toEqual([
      maxHeading,
      said('Use Redis.'),
      footer('sarah', '1.2 s · 3.2k tokens · $0.02 · turn-1'),
    ]);
    expect(screen.turns).toEqual([]);
  });

  it('shows paragraphs and tools in the order in which they came, and no block twice', () => {
    const { paragraphs } = follow([
      turnStart(),
      progress({ type: 'text', text: 'First I look.' }),
      activity({ type: 'tool-start', toolId: 't', name: 'Bash', input: 'npm test' }),
      activity({ type: 'tool-end', toolId: 't', name: 'Bash', ok: true, result: '12 passed' }),
      progress({ type: 'text', text: 'All is well.' }),
      completed(),
      message('max', 'First I look.\n\nAll is well.', { turn: 'turn-1' }),
    ]);
    expect(paragraphs).toEqual([
      maxHeading,
      said('First I look.'),
      { kind: 'line', icon: '✓', tone: 'good', text: 'Bash npm test', detail: '12 passed', aside: '#1' },
      said('All is well.'),
      footer(),
    ]);
  });

  it('shows the message when it is not what was shown block by block', () => {
    const { paragraphs } = follow([
      turnStart(),
      progress({ type: 'text', text: 'Half.' }),
      completed(),
      message('max', 'The whole.', { turn: 'turn-1' }),
    ]);
    expect(paragraphs).toEqual([maxHeading, said('Half.'), said('The whole.'), footer()]);
  });

  it('shows an answer once, whatever blanks it begins and ends with', () => {
    const { paragraphs } = follow([
      turnStart(),
      progress({ type: 'text', text: '\nDone. \n' }),
      completed(),
      message('max', '\nDone. \n', { turn: 'turn-1' }),
    ]);
    expect(paragraphs).toEqual([maxHeading, said('\nDone.'), footer()]);
  });

  it('names a member again after somebody else spoke in between', () => {
    const { paragraphs } = follow([
      turnStart(),
      progress({ type: 'text', text: 'One.' }),
      message('kailai', 'Wait.'),
      progress({ type: 'text', text: 'Two.' }),
    ]);
    expect(paragraphs.map((block) => (block.kind === 'heading' ? block.member.name : block.kind))).toEqual([
      'max',
      'text',
      'kailai',
      'text',
      'max',
      'text',
    ]);
  });

  it('keeps turns that run at the same time apart', () => {
    const { paragraphs } = follow([
      turnStart('turn-1', 'max'),
      turnStart('turn-2', 'sarah'),
      activity({ type: 'file-change', path: 'a.ts', change: 'add' }, 'turn-2', 'sarah'),
      activity({ type: 'file-change', path: 'b.ts', change: 'delete' }, 'turn-1', 'max'),
    ]);
    expect(paragraphs).toEqual([
      { kind: 'heading', member: SARAH, addressees: [] },
      { kind: 'line', icon: '±', tone: 'plain', text: 'a.ts', detail: 'created' },
      maxHeading,
      { kind: 'line', icon: '±', tone: 'plain', text: 'b.ts', detail: 'deleted' },
    ]);
  });

  it('shows a stopped turn as a draft, only what was not shown yet, and says why', () => {
    const { paragraphs } = follow([
      turnStart(),
      progress({ type: 'text', text: 'One.' }),
      progress({ type: 'text-delta', text: 'Tw' }),
      turnEnd({ kind: 'cancelled', draft: 'One.\n\nTw' }),
    ]);
    expect(paragraphs).toEqual([
      maxHeading,
      said('One.'),
      { kind: 'text', text: 'Tw', tone: 'quiet' },
      { kind: 'note', tone: 'warning', text: 'max was stopped. /retry reruns it.' },
      {
        kind: 'note',
        tone: 'quiet',
        text: 'The partial reply is kept as a draft; it was not sent to the team.',
      },
      footer(),
    ]);
  });

  it('says what failed and what to do about it', () => {
    const failure = {
      code: 'AUTH',
      reason: 'login-needed',
      detail: 'the key was refused',
      command: 'claude',
      login: { run: 'claude', type: '/login' },
      stderrTail: '401',
    } as const;
    const { paragraphs } = follow([turnStart(), turnEnd({ kind: 'failed', failure, draft: '' })]);
    expect(paragraphs).toEqual([
      maxHeading,
      { kind: 'note', tone: 'bad', text: 'max (claude): the key was refused.' },
      { kind: 'note', tone: 'plain', text: 'Run `claude` and type /login.' },
      { kind: 'details', title: 'stderr', text: '401' },
      footer(),
    ]);
  });

  it('names the limit at which the conversation paused, and the key to go on', () => {
    const reason = { kind: 'limit', limit: 'agentTurns', count: 20, max: 20 } as const;
    const { paragraphs } = follow([fact({ type: 'conversation-pause', reason })]);
    expect(paragraphs).toEqual([
      {
        kind: 'note',
        tone: 'warning',
        text: 'Paused: 20 agent turns in a row. Enter to continue, or type a message.',
      },
    ]);
  });

  it('shows retries, errors and notices as they come', () => {
    const { paragraphs } = follow([
      turnStart(),
      activity({ type: 'retry', message: 'overloaded', attempt: 2, maxAttempts: 10 }),
      activity({ type: 'error', message: 'no such tool' }),
      fact({
        type: 'notice',
        code: 'unknown-addressee',
        messageId: 'msg-1' as MessageId,
        unknown: [{ name: 'bob' }],
      }),
      fact({ type: 'task-changed', task: 'Ship it' }),
    ]);
    expect(paragraphs).toEqual([
      maxHeading,
      { kind: 'line', icon: '↻', tone: 'warning', text: 'retrying: overloaded (attempt 2 of 10)' },
      { kind: 'line', icon: '!', tone: 'bad', text: 'no such tool' },
      { kind: 'note', tone: 'warning', text: 'No member named "bob".' },
      { kind: 'note', tone: 'quiet', text: 'Team task: Ship it' },
    ]);
  });

  it('notes what of a todo list gets done, once', () => {
    const list = (done: boolean) => ({
      type: 'todo-list' as const,
      items: [
        { text: 'Read the code', done },
        { text: 'Write tests', done: false },
      ],
    });
    const { paragraphs, screen } = follow([
      turnStart(),
      activity(list(false)),
      activity(list(true)),
      activity(list(true)),
    ]);
    expect(paragraphs).toEqual([
      maxHeading,
      { kind: 'line', icon: '☑', tone: 'quiet', text: 'Read the code' },
    ]);
    expect(screen.turns[0]?.todo).toEqual(list(true).items);
  });

  it('calls a member who may do everything no sandbox wherever they speak', () => {
    const team = { ...teamOf(), members: [agent('max', { title: 'Architect', permission: 'full' })] };
    const { paragraphs } = follow(
      [turnStart(), completed(), message('max', 'Done.', { turn: 'turn-1' })],
      emptyScreen(team),
    );
    expect(paragraphs.map((block) => formatParagraph(block, english))[0]).toBe(
      'max (Architect · no sandbox):',
    );
  });
});

describe('what is still changing', () => {
  it('keeps only the end of a text that grows, however long it gets', () => {
    const events = Array.from({ length: 20_000 }, (_, index) =>
      progress({ type: 'text-delta', text: `line ${index}\n` }),
    );
    const { screen, paragraphs } = follow([turnStart(), ...events]);
    const preview = screen.turns[0]?.preview ?? '';
    expect(paragraphs).toEqual([]);
    expect(preview.length).toBeLessThanOrEqual(8192);
    expect(preview).toMatch(/^line \d+\n[\s\S]*line 19999\n$/);
  });

  it('forgets an attempt that the agent gave up', () => {
    const { screen } = follow([
      turnStart(),
      progress({ type: 'text-delta', text: 'wrong' }),
      progress({ type: 'text-reset' }),
      progress({ type: 'text-delta', text: 'right' }),
    ]);
    expect(screen.turns[0]?.preview).toBe('right');
  });

  it('numbers tools over the whole conversation, also those that run at the same time', () => {
    const start = (toolId: string) => activity({ type: 'tool-start', toolId, name: 'Read', input: toolId });
    const end = (toolId: string) =>
      activity({ type: 'tool-end', toolId, name: 'Read', ok: true, result: '' });
    const { screen } = follow([
      turnStart(),
      start('a'),
      start('b'),
      end('b'),
      end('a'),
      start('c'),
      end('c'),
    ]);
    expect(screen.toolCalls.map(({ number, input }) => [number, input])).toEqual([
      [2, 'b'],
      [1, 'a'],
      [3, 'c'],
    ]);
  });

  it('keeps a question for leave until it is decided or the turn is over', () => {
    const asked = [
      turnStart(),
      activity({
        type: 'permission-request',
        requestId: 'r',
        name: 'Bash',
        input: 'rm -r build',
        isOpen: true,
      }),
    ];
    expect(openPermissions(follow(asked).screen)).toEqual([
      { number: 1, requestId: 'r', name: 'Bash', input: 'rm -r build' },
    ]);
    const decided = fact({
      type: 'permission-decided',
      turnId: 'turn-1' as TurnId,
      memberId: 'max' as MemberId,
      requestId: 'r',
      decision: 'denied',
      by: { kind: 'nobody' },
    });
    expect(openPermissions(follow([...asked, decided]).screen)).toEqual([]);
    expect(openPermissions(follow([...asked, turnEnd({ kind: 'cancelled', draft: '' })]).screen)).toEqual([]);
  });

  it('keeps a question for leave while another tool of the same turn comes to its end', () => {
    const { screen } = follow([
      turnStart(),
      activity({ type: 'tool-start', toolId: 'a', name: 'Read', input: 'a.ts' }),
      activity({
        type: 'permission-request',
        requestId: 'r',
        name: 'Bash',
        input: 'rm -r build',
        isOpen: true,
      }),
      activity({ type: 'tool-end', toolId: 'a', name: 'Read', ok: true, result: '' }),
    ]);
    expect(openPermissions(screen)).toMatchObject([{ requestId: 'r' }]);
  });
});
