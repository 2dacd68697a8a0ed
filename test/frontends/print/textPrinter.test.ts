import { PassThrough } from 'node:stream';
import { expect, onTestFinished, test, vi } from 'vitest';
import { english } from '../../../src/catalogue/english.js';
import { JsonPrinter } from '../../../src/frontends/print/jsonPrinter.js';
import { LiveAnswer, type PrintedRecord, TextPrinter } from '../../../src/frontends/print/textPrinter.js';
import type { ActivityEvent } from '../../../src/models/AgentEvent.js';
import type { ConversationEvent, TurnProgress } from '../../../src/models/ConversationEvent.js';
import type { MemberId, MessageId } from '../../../src/models/ids.js';
import { NEW_TELLING } from '../../../src/presentation/Telling.js';
import { tell } from '../../../src/presentation/tell.js';
import {
  completed,
  failedWith,
  kim,
  max,
  record,
  said,
  sarah,
  started,
  turn,
  turnEnded,
  turnStarted,
} from '../events.js';

/** Everything on one screen, as a person sees it; stderr lines are marked. */
function show(
  events: readonly ConversationEvent[],
  { isTTY = false, columns, record }: { isTTY?: boolean; columns?: number; record?: PrintedRecord } = {},
): string {
  let screen = '';
  const collect = (mark: string) => {
    const stream = new PassThrough();
    stream.on('data', (chunk) => {
      screen += String(chunk).replace(/^/u, mark);
    });
    return stream;
  };
  const stdout = Object.assign(collect(''), { isTTY, ...(columns && { columns }) });
  const stderr = Object.assign(collect('~ '), { isTTY, ...(columns && { columns }) });
  const printer = new TextPrinter({
    words: english,
    streams: { stdout, stderr },
    env: { NO_COLOR: '1', TERM: 'dumb' },
    record,
  });
  let telling = NEW_TELLING;
  for (const event of events) {
    const step = tell(telling, event);
    telling = step.telling;
    printer.take(event, step);
  }
  printer.end(telling);
  return screen;
}

const does = (event: ActivityEvent) =>
  record({ type: 'turn-activity', turnId: turn(1), memberId: max, event });
const writes = (text: string): ConversationEvent => ({
  type: 'turn-progress',
  v: 1,
  at: 0,
  turnId: turn(1),
  memberId: max,
  event: { type: 'text-delta', text },
});

const opening = [said(kim, 'Go.'), turnStarted(turn(1), max)];

test('a word that comes in pieces goes to the next line as a whole, on a terminal only', () => {
  const pieces = ['Done. Now it is up to [NEXT', ': sa', 'rah]'].map(writes);
  const events = [started(), ...opening, ...pieces, turnEnded(turn(1), max, completed)];
  expect(show(events, { isTTY: true, columns: 25 })).toContain(
    '\n  Done. Now it is up to \n  [NEXT: sarah]\n',
  );
  expect(show([started(), ...opening, ...pieces])).toContain('\n  Done. Now it is up to [NEXT: sarah]\n');
});

test('a saved session is told as what was, with the numbers of its messages, how long it took, and how to continue it', () => {
  const events: ConversationEvent[] = [
    started(),
    said(kim, 'Go.'),
    { ...turnStarted(turn(1), max), at: 1000 },
    does({ type: 'tool-start', toolId: '1', name: 'Bash', input: 'npm test' }),
    { ...turnEnded(turn(1), max, completed), at: 25_000 },
    said(max, 'Done.', turn(1)),
    record({ type: 'conversation-pause', reason: { kind: 'limit', limit: 'agentTurns', count: 1, max: 1 } }),
  ];
  const screen = show(events, { record: { kind: 'saved', id: 'wiki-1' } });
  expect(screen).toContain('#1 kim:\n  Go.\n');
  expect(screen).toContain('#1 max:\n  Done.\n');
  expect(screen).toContain('~ max ran Bash: npm test\n');
  expect(screen).toContain('~ 1 turn in 24 s\n');
  expect(screen).toContain('~ To continue: huddle resume wiki-1\n');
  expect(screen).not.toContain('--max-turns');
});

test('a cassette that was played cost nothing, and asks for no price', () => {
  const usage = { inputTokens: 208, cachedInputTokens: 0, outputTokens: 14, price: 'unknown' } as const;
  const ended = { ...turnEnded(turn(1), max, completed), usage } as ConversationEvent;
  const screen = show([started(), ...opening, ended], { record: { kind: 'played' } });
  expect(screen).toContain('~ 1 turn in 1 s · played, no cost\n');
  expect(screen).not.toContain('price');
});

test('somebody whom the team does not know is named harmlessly', () => {
  const stranger = 'e\x1b]0;owned\x07ve' as MemberId;
  expect(show([started(), said(stranger, 'Hello.')])).toContain('e␛]0;owned␇ve:\n  Hello.\n');
});

test('a terminal says who works also under what was said so far', () => {
  const written: string[] = [];
  const stream = new PassThrough().on('data', (chunk) => written.push(String(chunk)));
  const streams = {
    stdout: Object.assign(stream, { isTTY: true }),
    stderr: Object.assign(stream, { isTTY: true }),
  };
  const printer = new TextPrinter({ words: english, streams, env: { NO_COLOR: '1' } });
  let telling = NEW_TELLING;
  const lastAfter = (event: ConversationEvent): string | undefined => {
    const step = tell(telling, event);
    telling = step.telling;
    printer.take(event, step);
    return written.at(-1);
  };
  lastAfter(started());
  expect(lastAfter(turnStarted(turn(1), max))).toContain('max is thinking · 0 s');
  expect(lastAfter(writes('One'))).toBe('  One');
  expect(lastAfter(writes(' line.\n'))).toContain('max is replying · 0 s');
  expect(lastAfter(writes('And'))).toBe('  And');
  expect(lastAfter(turnEnded(turn(1), max, completed))).toBe('\n');
});

test('what an agent does is one line each, beside the transcript', () => {
  const screen = show([
    started(),
    ...opening,
    does({ type: 'session', sessionId: 's' }),
    does({ type: 'tool-start', toolId: '1', name: 'Bash', input: 'npm test' }),
    does({ type: 'tool-end', toolId: '1', name: 'Bash', ok: false, result: 'exit 1' }),
    does({ type: 'tool-end', toolId: '2', name: 'Read', ok: true, result: '' }),
    does({ type: 'file-change', path: 'src/\u001b[2J.ts', change: 'update' }),
    does({
      type: 'todo-list',
      items: [
        { text: 'a', done: true },
        { text: 'b', done: false },
      ],
    }),
    does({ type: 'permission-request', requestId: '1', name: 'Bash', input: 'rm' }),
    does({ type: 'retry', message: 'overloaded', attempt: 2, maxAttempts: 10, waitMilliseconds: 4500 }),
    does({ type: 'warning', about: { code: 'exit-after-answer', command: 'claude', exitCode: 1 } }),
    turnEnded(turn(1), max, completed),
    said(max, 'Done.', turn(1)),
    record({ type: 'notice', code: 'no-agent', messageId: 'msg-1' as MessageId }),
  ]);
  expect(screen).toBe(
    [
      '~ Team: kim (human), max (Claude Code), sarah (Codex).',
      'kim:',
      '  Go.',
      '~ max is running Bash: npm test',
      '~ max: Bash failed: exit 1',
      '~ max changed src/␛[2J.ts',
      "~ max's plan: 1 of 2 done",
      '~ max asks for permission: Bash rm',
      '~ max is retrying: overloaded (attempt 2 of 10, in 4.5 s)',
      '~ max: claude: exit code 1 after its answer',
      '',
      'max:',
      '  Done.',
      '~ No agent to reply.',
      '~ 1 turn in 1 s',
      '',
    ].join('\n'),
  );
});

test('on a terminal an answer appears while it is written, and a line beside it begins on a new line', () => {
  const screen = show(
    [
      ...opening,
      writes('I lo'),
      writes('ok.'),
      does({ type: 'tool-start', toolId: '1', name: 'Read', input: 'a.ts' }),
      writes(' Done.'),
      turnEnded(turn(1), max, completed),
      said(max, 'I look. Done.', turn(1)),
    ],
    { isTTY: true },
  );
  expect(screen).toContain('\n  I look.\n~ max is running Read: a.ts\n   Done.\n~ \n~ 1 turn');
});

test('an emoji or a word that comes in pieces is whole on a terminal', () => {
  const pieces = ['👩', '\u200d', '💻 می', '\u200c', 'خواهم a', '\u200d', 'b \u200d'];
  const screen = show([...opening, ...pieces.map(writes), turnEnded(turn(1), max, completed)], {
    isTTY: true,
  });
  expect(screen).toContain('\n  👩\u200d💻 می\u200cخواهم a<U+200D>b <U+200D>\n');
});

test('an answer that was cut off is marked as a draft where it stands', () => {
  const live = show(
    [started(), ...opening, writes('Half'), turnEnded(turn(1), max, failedWith('AGENT_ERROR', 'Half'))],
    {
      isTTY: true,
    },
  );
  expect(live).toContain(
    '\n  Half\n[draft, not delivered]\n~ error[AGENT_ERROR]: max (claude): It failed; draft kept (4 characters), not delivered',
  );
  const piped = show([started(), ...opening, turnEnded(turn(1), max, failedWith('AGENT_ERROR', 'Half'))]);
  expect(piped).toContain('max (draft, not delivered):\n  Half\n~ error[AGENT_ERROR]');
});

test('the end of stderr of a program that failed is shown below its error', () => {
  const result = failedWith('AGENT_ERROR');
  if (result.kind !== 'failed') throw new TypeError('It is a failure.');
  const failure = { ...result.failure, stderrTail: 'one\ntwo' };
  const screen = show([started(), ...opening, turnEnded(turn(1), max, { ...result, failure })]);
  expect(screen).toContain('to see more.\n~ | one\n~ | two\n');
});

test('stderr that the error quotes already is not shown twice', () => {
  const failure = {
    code: 'AUTH',
    reason: 'login-needed',
    detail: 'Please set an Auth method first.',
    stderrTail: 'Please set an\nAuth method\tfirst.',
  } as const;
  const screen = show([
    started(),
    ...opening,
    turnEnded(turn(1), max, { kind: 'failed', failure, draft: '' }),
  ]);
  expect(screen.split('Auth method')).toHaveLength(2);
  expect(screen).not.toContain('~ | ');
});

test('a member without a fence is labelled wherever it speaks', () => {
  const screen = show([started('full'), said(max, 'Done.', turn(1))]);
  expect(screen).toContain('max (Claude Code, no sandbox)');
  expect(screen).toContain('max (no sandbox):\n  Done.');
});

test('a turn that gives no sign says so on the line at the bottom, until it gives one', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let screen = '';
  const stream = Object.assign(new PassThrough(), { isTTY: true });
  const write = (text: string): boolean => {
    screen += text;
    return true;
  };
  const stderr = Object.assign(stream, { write }) as unknown as NodeJS.WriteStream;
  const printer = new TextPrinter({
    words: english,
    streams: { stdout: stderr, stderr },
    env: { NO_COLOR: '1' },
  });
  let telling = NEW_TELLING;
  const take = (event: ConversationEvent): void => {
    const step = tell(telling, event);
    telling = step.telling;
    printer.take(event, step);
  };
  for (const event of [started(), ...opening]) take(event);
  vi.advanceTimersByTime(14_000);
  expect(screen).not.toContain('no output');
  vi.advanceTimersByTime(26_000);
  expect(screen).toContain('max: no output for 40 s · 40 s · Ctrl-C to stop');
  take(does({ type: 'tool-start', toolId: 't', name: 'Bash', input: 'npm test' }));
  screen = '';
  vi.advanceTimersByTime(5_000);
  expect(screen).not.toContain('no output');
  printer.end(telling);
});

const looking = (at: number, files: number): ConversationEvent => ({
  type: 'files-progress',
  v: 1,
  at,
  files,
});

test('a first look at a folder is told once, when it takes long', () => {
  expect(show([started(), looking(1000, 10), looking(1900, 20)])).not.toContain('Looking');
  const lines = show([started(), ...[0, 500, 1000, 3000].map((at) => looking(at, 42_000 + at))]);
  expect(lines.match(/Looking.*/gu)).toEqual([
    'Looking at the files of this folder for the first time: 43,000 so far. Ctrl-C to stop.',
  ]);
});

test('a pause because a reader changed files says how to go on, as every limit does', () => {
  const pause = (reason: Extract<ConversationEvent, { type: 'conversation-pause' }>['reason']) =>
    show([started(), ...opening, record({ type: 'conversation-pause', reason })]);
  expect(pause({ kind: 'reader', memberId: max, turnId: turn(1) })).toContain(
    '~ Paused: files changed during the turn of a read-only member.\n~ Review the changes with huddle diff, then continue.\n',
  );
  expect(pause({ kind: 'limit', limit: 'checkRounds', count: 3, max: 3 })).toContain(
    '~ Paused: 3 failed checks in a row.\n~ The check keeps failing: look at it, or raise limits.checkRounds in the team file.\n',
  );
});

test('rows of files are as wide as the terminal at most, and in full elsewhere', () => {
  const path = `src/${'deep/'.repeat(12)}upload.test.ts`;
  const files = [{ path, change: 'update', added: 12, removed: 3 } as const];
  const events = [
    started(),
    ...opening,
    turnEnded(turn(1), max, completed),
    said(max, 'Done.', turn(1)),
    record({ type: 'files-recorded', by: { kind: 'turns', turnIds: [turn(1)] }, files }),
  ];
  expect(show(events)).toContain(`~ max · turn-1 · 1 file +12 −3\n  M ${path} +12 −3\n`);
  const rows = show(events, { isTTY: true, columns: 40 }).split('\n');
  expect(rows.filter((row) => row.includes('upload'))).toEqual(['  M src/deep/deep…/upload.test.ts +12 −3']);
});

test('JSON has the files of each turn, and says which turns share them', () => {
  const stdout = new PassThrough();
  const printer = new JsonPrinter({ stdout, stderr: new PassThrough() });
  const files = [{ path: 'a.ts', change: 'add', added: 1 } as const];
  let telling = NEW_TELLING;
  for (const event of [
    started(),
    said(kim, 'Go.'),
    ...[1, 2, 3].flatMap((number) => [
      turnStarted(turn(number), number === 2 ? sarah : max),
      turnEnded(turn(number), number === 2 ? sarah : max, completed),
      said(max, 'Done.', turn(number)),
    ]),
    record({ type: 'files-recorded', by: { kind: 'turns', turnIds: [turn(1), turn(2)] }, files, patch: 'x' }),
  ]) {
    const step = tell(telling, event);
    telling = step.telling;
    printer.take(event, step);
  }
  printer.end(telling);
  const { turns } = JSON.parse(String(stdout.read()));
  expect(turns).toMatchObject([
    { turnId: 'turn-1', files, filesSharedWith: ['turn-2'] },
    { turnId: 'turn-2', files, filesSharedWith: ['turn-1'] },
    { turnId: 'turn-3' },
  ]);
  expect(Object.keys(turns[2])).not.toContain('files');
});

type Event = TurnProgress['event'];
const delta = (text: string): Event => ({ type: 'text-delta', text });
const block = (text: string): Event => ({ type: 'text', text });
const reset: Event = { type: 'text-reset' };

const cases: ReadonlyArray<readonly [string, readonly Event[], string]> = [
  ['pieces as they come', [delta('Hel'), delta('lo')], 'Hello'],
  ['nothing twice when the block is settled', [delta('Hel'), delta('lo'), block('Hello')], 'Hello'],
  ['the rest of a block that was settled early', [delta('Hel'), block('Hello')], 'Hello'],
  ['whole blocks, a blank line between them', [block('One.'), block('Two.')], 'One.\n\nTwo.'],
  [
    'a new block after a settled one',
    [delta('One.'), block('One.'), delta('Tw'), delta('o.')],
    'One.\n\nTwo.',
  ],
  [
    'that the agent starts again',
    [delta('Hel'), reset, delta('Good day')],
    'Hel\n[the agent restarts its reply]\n\nGood day',
  ],
  [
    'a block that is not what its pieces were',
    [delta('Hel'), block('Good day')],
    'Hel\n[the agent restarts its reply]\n\nGood day',
  ],
  ['a character whose halves come apart', [delta('a\ud83d'), delta('\ude00b')], 'a😀b'],
  ['nothing of thoughts', [{ type: 'thinking', text: 'hm' }, reset], ''],
];

test.each(cases)('prints %s', (_title, events, printed) => {
  const answer = new LiveAnswer(english.print.startsAgain);
  expect(events.map((event) => answer.take(event)).join('')).toBe(printed);
});
