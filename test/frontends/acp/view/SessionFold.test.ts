import type { SessionUpdate } from '@agentclientprotocol/sdk/unstable';
import { describe, expect, test } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { NO_USAGE } from '../../../../src/conversation/usage.js';
import { SessionFold, type SessionFoldOptions } from '../../../../src/frontends/acp/view/SessionFold.js';
import type { ActivityEvent, ProgressEvent } from '../../../../src/models/AgentEvent.js';
import type { ConversationEvent } from '../../../../src/models/ConversationEvent.js';
import {
  completed,
  failedWith,
  kim,
  max,
  record,
  said,
  sarah,
  turn,
  turnEnded,
  turnStarted,
} from '../../events.js';
import { outline, readThread } from './wire.js';

const members = [{ id: max, name: 'max', title: 'Architect' }];

function foldAll(events: readonly ConversationEvent[], options: Partial<SessionFoldOptions> = {}) {
  const fold = new SessionFold({
    members,
    words: english,
    folder: '/work',
    hasNotices: false,
    usage: NO_USAGE,
    maxBytes: 4000,
    hasTitle: true,
    ...options,
  });
  const steps = events.flatMap((event) => fold.take(event));
  const updates = steps.flatMap((step) => (step.kind === 'update' ? [step.update] : []));
  return { steps, updates, outline: outline(updates), thread: readThread(updates) };
}

const does = (event: ActivityEvent, turnId = turn(1), memberId = max) =>
  record({ type: 'turn-activity', turnId, memberId, event });
const shows = (event: ProgressEvent, turnId = turn(1), memberId = max): ConversationEvent => ({
  type: 'turn-progress',
  v: 1,
  at: 0,
  turnId,
  memberId,
  event,
});
const writes = (text: string) => shows({ type: 'text-delta', text });
const settles = (text: string) => shows({ type: 'text', text });
const reads: ActivityEvent = { type: 'tool-start', toolId: 't1', name: 'Read', input: 'a.ts', kind: 'read' };

describe('text', () => {
  test('has another id after a tool call, also where nothing settled what came before', () => {
    const { outline } = foldAll([
      turnStarted(turn(1), max),
      writes('Let me look.'),
      does(reads),
      writes('Done.'),
    ]);
    expect(outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nLet me look.',
      'tool_call turn-1/t1 in_progress: max · Read a.ts',
      'agent turn-1.2: Done.',
    ]);
  });

  test('begins with who speaks, and has one id until something else comes', () => {
    const { outline, updates } = foldAll([
      turnStarted(turn(1), max),
      writes('Let '),
      writes('me look.'),
      settles('Let me look.'),
      does(reads),
      writes('Do'),
      settles('Done.'),
      turnEnded(turn(1), max, completed),
      said(max, 'Let me look.\n\nDone.', turn(1)),
    ]);
    expect(outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nLet ',
      'agent turn-1.1: me look.',
      'tool_call turn-1/t1 in_progress: max · Read a.ts',
      'agent turn-1.2: \n\nDo',
      'agent turn-1.2: ne.',
      'tool_call_update turn-1/t1 completed: ',
    ]);
    for (const { _meta } of updates) expect(_meta).toEqual({ huddle: { member: 'max', turn: 'turn-1' } });
  });

  test('of the next turn is apart from that of the one before', () => {
    const { thread } = foldAll([
      settles('One.'),
      said(max, 'One.', turn(1)),
      shows({ type: 'text', text: 'Two.' }, turn(2), sarah),
      said(sarah, 'Two.', turn(2)),
    ]);
    expect(thread).toBe('**max** · Architect\n\nOne.\n\n**sarah**\n\nTwo.');
  });

  test('that differs from what was written is shown as a block of its own', () => {
    const { outline } = foldAll([writes('Perha'), settles('No.')]);
    expect(outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nPerha',
      'agent turn-1.2: \n\n*(starts again)*',
      'agent turn-1.3: \n\nNo.',
    ]);
  });

  test('that the agent gives up stays, with a line after it', () => {
    const { thread } = foldAll([
      writes('Perha'),
      shows({ type: 'text-reset' }),
      writes('No.'),
      settles('No.'),
    ]);
    expect(thread).toBe('**max** · Architect\n\nPerha\n\n*(starts again)*\n\nNo.');
  });

  test('of a blind round comes whole, in the order of the round', () => {
    const { outline } = foldAll([
      turnStarted(turn(1), max),
      turnStarted(turn(2), sarah),
      does(reads, turn(2), sarah),
      turnEnded(turn(1), max, completed),
      said(max, 'One.', turn(1)),
      turnEnded(turn(2), sarah, completed),
      said(sarah, 'Two.', turn(2)),
    ]);
    expect(outline).toEqual([
      'tool_call turn-2/t1 in_progress: sarah · Read a.ts',
      'agent turn-1.1: **max** · Architect\n\nOne.',
      'tool_call_update turn-2/t1 completed: ',
      'agent turn-2.1: \n\n**sarah**\n\nTwo.',
    ]);
  });

  test('that went on after the last block that was settled is not repeated', () => {
    const { thread } = foldAll([settles('Yes.'), writes('And'), said(max, 'Yes.', turn(1))]);
    expect(thread).toBe('**max** · Architect\n\nYes.\n\nAnd');
  });

  test('too long for a message was shown whole, and is not shown again', () => {
    const whole = 'a'.repeat(2 * 1024 ** 2);
    const { updates } = foldAll([writes(whole), settles(whole), said(max, 'aa [… cut] aa', turn(1))]);
    expect(updates).toHaveLength(1);
  });

  test('that leaves code open has it closed before anything else is said', () => {
    const { outline } = foldAll([
      writes('Look:\n```ts\ncon'),
      writes('st x'),
      turnEnded(turn(1), max, { kind: 'cancelled', draft: 'Look:\n```ts\nconst x' }),
      shows({ type: 'text', text: '~~~~\n```' }, turn(2), sarah),
      said(sarah, '~~~~\n```', turn(2)),
    ]);
    expect(outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nLook:\n```ts\ncon',
      'agent turn-1.1: st x',
      'agent turn-1.1: \n```',
      'agent turn-1.2: \n\n*draft, not delivered*',
      'agent turn-2.1: \n\n**sarah**\n\n~~~~\n```',
      'agent turn-2.1: \n~~~~',
    ]);
  });

  test('cannot pass a title for formatting of ours', () => {
    const members = [{ id: max, name: 'max', title: '*x*\n# y' }];
    const { thread } = foldAll([settles('Yes.')], { members });
    expect(thread).toBe('**max** · \\*x\\* # y\n\nYes.');
  });
});

describe('thoughts', () => {
  test('have an id of their own and say whose they are', () => {
    const think = (text: string) => shows({ type: 'thinking', text });
    const { outline } = foldAll([
      think('Hm'),
      think(', so.'),
      think('**Next**'),
      writes('Yes.'),
      think('Why?'),
    ]);
    expect(outline).toEqual([
      'thought turn-1.1: max: Hm',
      'thought turn-1.1: , so.',
      'thought turn-1.1: \n\n**Next**',
      'agent turn-1.2: **max** · Architect\n\nYes.',
      'thought turn-1.3: max: Why?',
    ]);
  });
});

describe('tool calls', () => {
  const edits: ActivityEvent = { type: 'tool-start', toolId: 'e', name: 'Edit', input: 'a.ts', kind: 'edit' };
  const detail = shows({
    type: 'tool-detail',
    toolId: 'e',
    title: 'Edit a.ts',
    locations: [{ path: 'a.ts', line: 3 }],
    diffs: [{ path: 'a.ts', oldText: 'x', newText: 'y' }],
  });
  const ended: ActivityEvent = { type: 'tool-end', toolId: 'e', name: 'Edit', ok: true, result: 'done' };
  const changed: ActivityEvent = { type: 'file-change', path: '/work/a.ts', change: 'update' };
  const _meta = { huddle: { member: 'max', turn: 'turn-1' } };
  const diff = { type: 'diff', path: '/work/a.ts', oldText: 'x', newText: 'y' };

  test('show the change where it is made, and the result', () => {
    const { updates } = foldAll([does(edits), detail, does(ended), does(changed)]);
    expect(updates).toEqual([
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'turn-1/e',
        title: 'max · Edit a.ts',
        name: 'Edit',
        kind: 'edit',
        status: 'in_progress',
        rawInput: { input: 'a.ts' },
        _meta,
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'turn-1/e',
        title: 'max · Edit a.ts',
        locations: [{ path: '/work/a.ts', line: 3 }],
        content: [diff],
        _meta,
      },
      {
        sessionUpdate: 'tool_call_update',
        toolCallId: 'turn-1/e',
        status: 'completed',
        content: [diff, { type: 'content', content: { type: 'text', text: 'done' } }],
        _meta,
      },
    ]);
  });

  test('keep their whole output when the result in short follows', () => {
    const output = shows({ type: 'tool-detail', toolId: 'e', output: 'all of it' });
    const { updates } = foldAll([does(edits), output, does(ended)]);
    expect(updates.at(-1)).toEqual({
      sessionUpdate: 'tool_call_update',
      toolCallId: 'turn-1/e',
      status: 'completed',
      _meta,
    });
  });

  test.each([
    ['update', 'edit', 'max changed b.ts'],
    ['delete', 'delete', 'max deleted b.ts'],
  ] as const)('that only tell of a changed file are a card: %s', (change, kind, title) => {
    const { updates } = foldAll([does({ type: 'file-change', path: 'b.ts', change })]);
    expect(updates).toEqual([
      {
        sessionUpdate: 'tool_call',
        toolCallId: 'turn-1/file',
        title,
        kind,
        status: 'completed',
        locations: [{ path: '/work/b.ts' }],
        _meta,
      },
    ]);
  });

  test('with an id that was used before are cards of their own', () => {
    const { outline } = foldAll([does(reads), does({ ...ended, toolId: 't1' }), does(reads)]);
    expect(outline.map((line) => line.split(':')[0])).toEqual([
      'tool_call turn-1/t1 in_progress',
      'tool_call_update turn-1/t1 completed',
      'tool_call turn-1/t1/2 in_progress',
    ]);
  });

  test('whose start was not told begin with their end', () => {
    expect(foldAll([does({ ...ended, ok: false })]).outline).toEqual([
      'tool_call turn-1/e in_progress: max · Edit',
      'tool_call_update turn-1/e failed: ',
    ]);
  });

  test('that a failed turn leaves behind have failed', () => {
    const { outline } = foldAll([does(reads), turnEnded(turn(1), max, failedWith('AGENT_ERROR'))]);
    expect(outline[1]).toBe('tool_call_update turn-1/t1 failed: ');
  });
});

describe('a turn that is no message', () => {
  test('ends with one line: what, what was kept, what to do', () => {
    const { thread } = foldAll([writes('Half'), turnEnded(turn(1), max, failedWith('AUTH', 'Half'))]);
    expect(thread).toMatch(/^\*\*max\*\* · Architect\n\nHalf\n\n\*max.*draft kept \(4 characters\).*\*$/u);
    expect(thread.split('\n')).toHaveLength(5);
  });

  test('shows its draft when nothing of it was shown', () => {
    const { outline } = foldAll([turnEnded(turn(1), max, failedWith('AGENT_ERROR', 'Half'))]);
    expect(outline[0]).toBe('agent turn-1.1: **max** · Architect · draft, not delivered\n\nHalf');
    expect(outline).toHaveLength(2);
  });

  test('that a person stopped says only that its words are a draft', () => {
    const stopped = turnEnded(turn(1), max, { kind: 'cancelled', draft: 'Half' });
    expect(foldAll([writes('Ha'), stopped]).outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nHa',
      'agent turn-1.1: lf',
      'agent turn-1.2: \n\n*draft, not delivered*',
    ]);
    expect(foldAll([turnEnded(turn(1), max, { kind: 'cancelled', draft: '' })]).outline).toEqual([]);
    expect(foldAll([stopped]).outline).toEqual([
      'agent turn-1.1: **max** · Architect · draft, not delivered\n\nHalf',
    ]);
  });
});

describe('notices', () => {
  const events = [
    writes('On'),
    does({ type: 'retry', message: 'overloaded *now*', attempt: 2, maxAttempts: 5 }),
    writes('e.'),
    does({ type: 'error', message: 'odd' }),
    does({ type: 'warning', about: { code: 'file-change-failed' } }),
    record({ type: 'notice', code: 'no-agent', messageId: 'msg-1' as never }),
  ];

  test('are updates of their own where a client has them', () => {
    const { outline, updates } = foldAll(events, { hasNotices: true });
    expect(outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nOn',
      'notice warning: max is retrying: overloaded *now* (attempt 2 of 5)',
      'agent turn-1.1: e.',
      'notice error: max: odd',
      'notice warning: max: A file change failed.',
      expect.stringMatching(/^notice warning: /u),
    ]);
    expect(updates[1]?._meta).toEqual({ huddle: { member: 'max', turn: 'turn-1' } });
  });

  test('are lines with an id of their own elsewhere, and text goes on after them', () => {
    expect(foldAll(events).outline).toEqual([
      'agent turn-1.1: **max** · Architect\n\nOn',
      'agent turn-1.2: \n\n*max is retrying: overloaded \\*now\\* (attempt 2 of 5)*\n\n',
      'agent turn-1.3: e.',
      'agent turn-1.4: \n\n*max: odd*\n\n',
      'agent turn-1.5: \n\n*max: A file change failed.*\n\n',
      expect.stringMatching(/^agent note-\d+: \n\n\*.*\*$/u),
    ]);
  });

  test('tell of a request that the team file denied', () => {
    const request = { type: 'permission-request', requestId: 'r', name: 'Bash', input: 'rm', isOpen: false };
    const denied = { decision: 'denied', by: { kind: 'team-file' } } as const;
    const { outline } = foldAll([
      does({ ...request, command: 'rm -r x' } as ActivityEvent),
      record({ type: 'permission-decided', turnId: turn(1), memberId: max, requestId: 'r', ...denied }),
    ]);
    expect(outline).toEqual([
      "agent turn-1.1: *max: asked permission for Bash: rm -r x (denied by the team file's allow/deny list)*",
    ]);
  });

  test('name the limit that was reached, and how to continue', () => {
    const reason = { kind: 'limit', limit: 'agentTurns', count: 3, max: 3 } as const;
    expect(foldAll([record({ type: 'conversation-pause', reason })]).thread).toBe(
      '*Paused: 3 agent turns in a row. Send /continue to continue, or a new message.*',
    );
  });
});

describe('permission requests', () => {
  const request: ActivityEvent = {
    type: 'permission-request',
    requestId: 'r',
    toolId: 't1',
    name: 'Bash',
    input: 'npm test …',
    kind: 'execute',
    title: 'Run the tests',
    command: 'npm test\nrm -r `x`',
    paths: ['x', '/etc'],
    diffs: [{ path: 'x', oldText: 'a', newText: 'b' }],
    isOpen: true,
  };
  const decided = (decision: 'allowed' | 'denied') =>
    record({
      type: 'permission-decided',
      turnId: turn(1),
      memberId: max,
      requestId: 'r',
      decision,
      by: { kind: 'person', memberId: kim },
    });

  test('show the whole command, every file and the change, on the card of the call', () => {
    const { steps } = foldAll([does(reads), does(request)]);
    expect(steps.at(-1)).toEqual({
      kind: 'ask',
      requestId: 'r',
      card: {
        toolCall: {
          toolCallId: 'turn-1/t1',
          title: 'max · Bash npm test ⏎ rm -r `x`',
          kind: 'execute',
          status: 'pending',
          content: [
            {
              type: 'content',
              content: {
                type: 'text',
                text: [
                  '```',
                  'command  npm test ⏎',
                  '         rm -r `x`',
                  'file     x',
                  'outside  /etc',
                  'title    Run the tests',
                  '```',
                ].join('\n'),
              },
            },
            { type: 'diff', path: '/work/x', oldText: 'a', newText: 'b' },
          ],
          locations: [{ path: '/work/x' }, { path: '/etc' }],
          rawInput: { command: 'npm test\nrm -r `x`' },
        },
        options: [
          { optionId: 'allow', name: 'Allow once', kind: 'allow_once' },
          { optionId: 'deny', name: 'Deny', kind: 'reject_once' },
        ],
        _meta: { huddle: { member: 'max', turn: 'turn-1' } },
      },
    });
  });

  test('get a card before they are asked, which the call then has', () => {
    expect(foldAll([does(request), decided('allowed'), does(reads)]).outline).toEqual([
      'tool_call turn-1/t1 pending: max · Bash npm test ⏎ rm -r `x`',
      'tool_call_update turn-1/t1 in_progress: ',
      'tool_call_update turn-1/t1 in_progress: max · Read a.ts',
    ]);
  });

  test.each([
    ['allowed', 'completed'],
    ['denied', 'failed'],
  ] as const)('without a call are a card of their own: %s', (decision, status) => {
    const { toolId, ...alone } = request as Extract<ActivityEvent, { type: 'permission-request' }>;
    expect(foldAll([does(alone), decided(decision)]).outline.map((line) => line.split(':')[0])).toEqual([
      'tool_call turn-1/r pending',
      `tool_call_update turn-1/r ${status}`,
    ]);
  });

  test('that were denied leave no call that went well', () => {
    const { outline } = foldAll([does(request), decided('denied'), turnEnded(turn(1), max, completed)]);
    expect(outline.at(-1)).toBe('tool_call_update turn-1/t1 failed: ');
  });
});

describe('cost and title', () => {
  const usage = { inputTokens: 10, cachedInputTokens: 4, outputTokens: 5 };
  const ends = (parts: object): ConversationEvent =>
    ({ ...turnEnded(turn(1), max, completed), usage: { ...usage, ...parts } }) as ConversationEvent;

  test('are told after every turn, the cost of all of them', () => {
    const start = turnStarted(turn(1), max);
    const paid = ends({ usd: 0.25, price: 'reported' });
    expect(foldAll([start, paid, paid]).updates.at(-1)).toEqual({
      sessionUpdate: 'usage_update',
      used: 1,
      size: 1000,
      cost: { amount: 0.5, currency: 'USD' },
    });
  });

  test('leave out what is not known', () => {
    expect(foldAll([ends({ price: 'unknown' })]).updates).toEqual([
      { sessionUpdate: 'usage_update', used: 0, size: 1000 },
    ]);
  });

  test('the first words without markers are the title', () => {
    const updates: SessionUpdate[] = foldAll(
      [said(kim, '[NEXT: max]'), said(kim, '[TEAM_TASK] Is\nit safe? [NEXT: max]'), said(kim, 'Well?')],
      { hasTitle: false },
    ).updates;
    expect(updates).toEqual([
      { sessionUpdate: 'session_info_update', title: 'Is it safe?', updatedAt: '1970-01-01T00:00:00.000Z' },
    ]);
  });
});
