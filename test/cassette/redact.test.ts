import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createMask } from '../../src/cassette/maskText.js';
import { redactEvents } from '../../src/cassette/redact.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { checkEvent } from '../../src/store/eventSchema.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { agentNamed, teamOf } from '../store/stage.js';
import { MARKED_SECRETS } from './markedSecrets.js';
import { hold, talks } from './secretTalks.js';

const PLACE = {
  folder: '/home/kim/wiki',
  home: '/home/kim',
  env: { WIKI_PASSWORD: 'correct horse battery', WORST_KEY: 'completed', OTHER_KEY: 'reviewer' },
};
const EVERYTHING = [
  ...MARKED_SECRETS.map(([, text]) => text),
  'correct horse battery',
  '/home/kim/wiki/src/a.ts and /home/kim/.config',
].join('\n');

/** Says, does and asks for everything in one turn. */
async function* doEverything(): AsyncGenerator<AgentEvent> {
  const paths = ['.env', '/home/kim/wiki/.env'];
  const diffs = [{ path: '.env', oldText: 'PLAIN=old', newText: 'PLAIN=new' }];
  yield { type: 'session', sessionId: 'session', model: EVERYTHING };
  yield { type: 'tool-start', toolId: '1', name: 'Bash', input: `cat .env # ${EVERYTHING}` };
  yield { type: 'tool-end', toolId: '1', name: 'Bash', ok: true, result: 'PLAIN=of the file' };
  yield { type: 'file-change', path: EVERYTHING, change: 'update' };
  yield { type: 'todo-list', items: [{ text: EVERYTHING, done: false }] };
  const asked = { requestId: '1', name: 'Write', input: EVERYTHING, title: EVERYTHING, kind: 'edit', paths };
  yield { type: 'permission-request', ...asked, isInFolder: true, diffs, arguments: 'PLAIN=argument' };
  yield { type: 'retry', message: EVERYTHING };
  yield { type: 'error', message: EVERYTHING };
  const failure = { code: 'AGENT_ERROR', reason: 'agent-error', detail: EVERYTHING, stderrTail: EVERYTHING };
  yield { type: 'end', outcome: { kind: 'failed', failure, draft: EVERYTHING } } as AgentEvent;
}

function expectConsistent(events: readonly RecordedEvent[]): Promise<void> {
  for (const event of events) expect(checkEvent(event).fault).toBeUndefined();
  expect(events.map(({ seq }) => seq)).toEqual(events.map((_, at) => at + 1));
  return toArray(explainTurns(events)).then((turns) =>
    expect(turns.filter(({ isExact }) => !isExact)).toEqual([]),
  );
}

describe('a recording that may be shown', () => {
  test('has none of the marked secrets, in whatever field they were, and its prompts are those of what is left', async () => {
    const team = teamOf([
      agentNamed('reviewer', { systemInstruction: EVERYTHING, instructionFileText: EVERYTHING }),
      agentNamed('max', { title: EVERYTHING, memory: 'session' }),
    ]);
    const events = await hold(
      team,
      [`[TEAM_TASK] ${EVERYTHING}\n\n[NEXT: reviewer] ${EVERYTHING}`, '[NEXT: max] Go on.'],
      [`${EVERYTHING}\n\n[NEXT: max]`, doEverything, 'Done.'],
    );
    const patch = [
      ...['diff --git a/.env b/.env', '--- a/.env', '+++ b/.env', '@@ -1 +1 @@', '-PLAIN=1', '+PLAIN=2'],
      ...[
        'diff --git a/a.ts b/a.ts',
        '--- a/a.ts',
        '+++ b/a.ts',
        '@@ -1 +1 @@',
        '-x',
        `+ghp_${'a1'.repeat(20)}`,
      ],
    ];
    const files = [{ path: 'a.ts', change: 'update' as const, added: 1, removed: 1 }];
    const seq = events.length + 1;
    events.push(
      { type: 'title-changed', title: EVERYTHING, v: 1, seq, at: 0 },
      {
        ...{ type: 'files-recorded', by: { kind: 'others' }, files },
        ...{ patch: `${patch.join('\n')}\n`, v: 1, seq: seq + 1, at: 0 },
      },
    );
    const redacted = redactEvents(events, PLACE);
    const text = redacted.map((event) => JSON.stringify(event)).join('\n');
    for (const [title, marked = '', secret = marked] of MARKED_SECRETS) {
      expect(text.includes(secret), title).toBe(false);
      expect(text.includes(JSON.stringify(secret).slice(1, -1)), title).toBe(false);
    }
    for (const gone of ['horse battery', '/home/kim', 'PLAIN='])
      expect(text.includes(gone), gone).toBe(false);
    expect(redacted[0]).toMatchObject({ redacted: true });
    expect(redacted.some((event) => event.type === 'turn-end' && event.result.kind === 'completed')).toBe(
      true,
    );
    expect(text.includes('[NEXT: reviewer]')).toBe(true);
    await expectConsistent(redacted);
  });

  test('is left as it is when it is made again', async () => {
    const events = await hold(teamOf([agentNamed('max')]), [EVERYTHING], [EVERYTHING, doEverything, 'Done.']);
    const redacted = redactEvents(events, PLACE);
    expect(redactEvents(redacted, PLACE)).toEqual(redacted);
  });

  test('changes nothing but the mark when there is nothing to mask', async () => {
    const events = await hold(teamOf([agentNamed('max')]), ['Is it safe?'], ['Yes. [NEXT: max]', 'Sure.']);
    const [start, ...rest] = events;
    expect(redactEvents(events, PLACE)).toEqual([{ ...start, redacted: true }, ...rest]);
  });

  test('is the recording that the masked words would have given, also where they do not fit', async () => {
    await fc.assert(
      fc.asyncProperty(talks, async ({ teamWith, messages, replies }) => {
        const mask = createMask(PLACE);
        const raw = await hold(teamWith(String), messages, replies);
        const masked = await hold(teamWith(mask), messages.map(mask), replies.map(mask));
        // A turn that did not fit has no answer to show, and one that no longer fits has one too many.
        fc.pre([raw, masked].every((events) => events.every((event) => !isTooLarge(event))));
        const [start, ...rest] = masked;
        expect(redactEvents(raw, PLACE).map(withoutTimes)).toEqual(
          [{ ...start, redacted: true } as RecordedEvent, ...rest].map(withoutTimes),
        );
      }),
      { numRuns: 60 },
    );
  });
});

function isTooLarge(event: RecordedEvent): boolean {
  if (event.type !== 'turn-end' || event.result.kind !== 'failed') return false;
  return event.result.failure.code === 'PROMPT_BUDGET';
}

function withoutTimes(event: RecordedEvent): object {
  if (event.type === 'message-added') return { ...event, at: 0, message: { ...event.message, timestamp: 0 } };
  return event.type === 'turn-end' ? { ...event, at: 0, milliseconds: 0 } : { ...event, at: 0 };
}
