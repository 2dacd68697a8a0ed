import { expect, test } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { AGENT_DEFINITIONS } from '../../../src/agents/definitions.js';
import { turnRequest } from '../turnRequest.js';

const programs = AGENT_DEFINITIONS.flatMap(({ label, dialect, command }) =>
  dialect && command ? [[label, dialect] as const] : [],
);

test.each(programs)('%s: a model or session id that looks like an option is refused', (_, dialect) => {
  for (const word of ['--yolo', '-c', '', 'a b', 'a\nb', 'x'.repeat(300)]) {
    const resume = { kind: 'resume', sessionId: word } as const;
    expect(() => dialect.prepare(turnRequest({ session: resume }))).toThrow(
      /session\.sessionId must be one word/,
    );
    if (word) expect(() => dialect.prepare(turnRequest({ model: word }))).toThrow(/model must be one word/);
  }
});

test.each(programs)('%s: a mark that looks like an option is refused', (_, dialect) => {
  const session = { kind: 'fork', sessionId: 's-1', at: '--yolo' } as const;
  expect(() => dialect.prepare(turnRequest({ session }))).toThrow(/session\.(?:at|kind) must be/);
});

test('an agent cannot choose a mark that would act as an option', () => {
  const reader = claudeDialect.createReader({});
  const records = [
    { type: 'assistant', uuid: '--yolo', message: { content: [] } },
    { type: 'result', is_error: false, session_id: 's-1' },
  ];
  const sessions = records.flatMap((record) => reader.read(record)).filter(({ type }) => type === 'session');
  for (const session of sessions) expect(session).not.toHaveProperty('mark');
  expect(sessions).not.toEqual([]);
});

test.each(programs)('%s: an agent cannot choose a session id that would act as an option', (_, dialect) => {
  const records = [
    { type: 'system', subtype: 'init', session_id: '--dangerously-skip-permissions' },
    { type: 'thread.started', thread_id: '--yolo' },
    { type: 'init', session_id: '--yolo' },
  ];
  const reader = dialect.createReader({});
  const sessions = records
    .flatMap((record) => reader.read(record))
    .filter((event) => event.type === 'session');
  expect(sessions).toEqual([]);
});
