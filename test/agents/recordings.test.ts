import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { claudeDialect } from '../../src/agents/claude/dialect.js';
import { codexDialect } from '../../src/agents/codex/dialect.js';
import type { Dialect, TurnEvent } from '../../src/agents/dialect/Dialect.js';
import { geminiDialect } from '../../src/agents/gemini/dialect.js';
import { explainFailure } from '../../src/catalogue/tellings.js';
import { type Cli, describeUsage, listRecordings, type Played, playRecording } from './playRecording.js';
import { NOTHING, type Row, readRecordingTable } from './recordingTable.js';

/** How many recordings were made of each. */
const clis: ReadonlyArray<readonly [Cli, Dialect, number]> = [
  ['claude', claudeDialect, 69],
  ['codex', codexDialect, 57],
  ['gemini', geminiDialect, 59],
];

describe.each(clis)('%s', (cli, dialect, count) => {
  const rows = readRecordingTable(cli);

  for (const row of rows) {
    test(`${row.recording} (${row.what}) is read as ${row.outcome}`, () => {
      const played = playInSession(row);
      const isResumed = row.after !== NOTHING;
      expect({
        ...row,
        ...describePlayed(played),
        'session so far': isResumed ? describeUsage(played.sessionTotals) : NOTHING,
      }).toEqual(row);
      if (row.said !== NOTHING)
        expect(`${played.failure && explainFailure(played.failure).what}.`).toContain(row.said);
    });
  }

  test('every recording has one row, in order, and none is missing', () => {
    expect(rows.map((row) => row.recording)).toEqual(listRecordings(cli));
    expect(rows).toHaveLength(count);
  });

  /** With the totals of the turns before, as a live conversation hands them on. */
  function playInSession(row: Row): Played {
    const before = rows.find((candidate) => candidate.recording === row.after);
    return playRecording(cli, dialect, row.recording, before && playInSession(before).sessionTotals);
  }
});

function describePlayed(played: Played): Partial<Row> {
  return {
    outcome: played.outcome,
    text: describeText(played.text),
    tools: describeTools(played.events) || NOTHING,
    usage: describeUsage(played.usage) || NOTHING,
    session: played.sessionId ?? NOTHING,
    notices: describeNotices(played.events) || NOTHING,
  };
}

function describeText(text: string): string {
  if (text === '') return NOTHING;
  if (text.length <= 200) return JSON.stringify(text);
  return `${text.length} characters, sha256 ${createHash('sha256').update(text).digest('hex').slice(0, 12)}`;
}

/** `Bash(echo hi) ok, Read(a.ts) unfinished` */
function describeTools(events: readonly TurnEvent[]): string {
  const endings = new Map(
    events.flatMap((event) => (event.type === 'tool-end' ? [[event.toolId, event] as const] : [])),
  );
  return events
    .flatMap((event) => {
      if (event.type !== 'tool-start') return [];
      const ending = endings.get(event.toolId);
      const state = ending === undefined ? 'unfinished' : ending.ok ? 'ok' : 'failed';
      return [`${event.name}(${event.input}) ${state}`];
    })
    .join(', ');
}

/** `retry 1, 2 of 5 (status 401); 1 error` */
function describeNotices(events: readonly TurnEvent[]): string {
  const attempts = new Map<string, Array<number | undefined>>();
  for (const event of events) {
    if (event.type !== 'retry') continue;
    const limit = `${event.maxAttempts}${event.status === undefined ? '' : ` (status ${event.status})`}`;
    attempts.set(limit, [...(attempts.get(limit) ?? []), event.attempt]);
  }
  const errors = events.filter((event) => event.type === 'error').length;
  return [
    ...[...attempts].map(([limit, numbers]) => `retry ${numbers.join(', ')} of ${limit}`),
    ...(errors === 0 ? [] : [`${errors} ${errors === 1 ? 'error' : 'errors'}`]),
  ].join('; ');
}
