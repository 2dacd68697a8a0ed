import { describe, expect, test } from 'vitest';
import type { ConversationFact, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../src/models/ids.js';
import { type ConversationTally, countEvent, EMPTY_TALLY, summarize } from '../../src/store/summary.js';
import { ID, message } from './facts.js';

function end(usd: number): RecordedEvent {
  const fact: ConversationFact = {
    type: 'turn-end',
    turnId: 'turn-1' as TurnId,
    memberId: 'max' as MemberId,
    result: { kind: 'completed', messageId: null },
    milliseconds: 1,
    usage: { inputTokens: 10, cachedInputTokens: 2, outputTokens: 5, usd, price: 'reported' },
  };
  return { ...fact, v: 1, seq: 1, at: 1 };
}

function said(...contents: readonly string[]): ConversationTally {
  return contents
    .map((content, index): RecordedEvent => ({ ...message(index + 1, content), v: 1, seq: index + 1, at: 1 }))
    .reduce(countEvent, EMPTY_TALLY);
}

describe('the summary of a conversation', () => {
  test.each([
    [
      'of a task',
      '[TEAM_TASK] Design a sign-in\n\nBegin small. [NEXT: claude]',
      'Design a sign-in Begin small.',
    ],
    ['in Chinese brackets', '【TEAM_TASK：登录】开始吧【NEXT：max】', '登录开始吧'],
    ['in code', 'What does `[NEXT: max]` do?', 'What does `[NEXT: max]` do?'],
    ['where the text is cut', `${'Long. '.repeat(79)}[NEXT: claude]`, `${'Long. '.repeat(20).trim()}`],
  ])('has the first words without markers for its title: %s', (_, content, title) => {
    expect(summarize({ id: ID, tally: said(content) }).title).toBe(title);
  });

  test('passes over a message that is nothing but a marker', () => {
    expect(summarize({ id: ID, tally: said('[NEXT: max]', 'Is it safe?') }).title).toBe('Is it safe?');
  });

  test('loses the markers that an earlier version kept, also one that was cut off', () => {
    const title = '[TEAM_TASK] Design a sign-in for the team wiki. Begin with what there is today [NEXT: cla';
    expect(summarize({ id: ID, tally: { ...EMPTY_TALLY, title } }).title).toBe(
      'Design a sign-in for the team wiki. Begin with what there is today',
    );
  });

  test('has the title that a person gave it as it is', () => {
    const renamed: RecordedEvent = { type: 'title-changed', title: 'Try [NEXT: max]', v: 1, seq: 2, at: 1 };
    expect(summarize({ id: ID, tally: countEvent(said('Go.'), renamed) }).title).toBe('Try [NEXT: max]');
  });

  test('adds up tokens and money of its turns', () => {
    const tally = [end(0.5), end(0.25)].reduce(countEvent, EMPTY_TALLY);
    expect(summarize({ id: ID, tally }).usage).toMatchObject({ turns: 2, inputTokens: 20, usd: 0.75 });
  });

  test('does not count in the middle of a conversation that was begun without counting', () => {
    const { usage, ...before } = EMPTY_TALLY;
    const begun: ConversationTally = { ...before, turns: 7 };
    expect(usage).toBeDefined();
    expect(summarize({ id: ID, tally: countEvent(begun, end(0.5)) }).usage).toBeUndefined();
  });

  test('knows when a conversation changed whose clock was set back', () => {
    const changes = [500, 900, 100, 200, 950].map((at) => ({ ...end(0), at }));
    const times = changes.map((_, index) => {
      const tally = changes.slice(0, index + 1).reduce(countEvent, EMPTY_TALLY);
      return summarize({ id: ID, tally }).changedAt;
    });
    // Each change can be told from the one before.
    expect(times).toEqual([500, 900, 901, 902, 950]);
  });

  test('names the process that has it open', () => {
    const holder = { pid: 4711, processStart: null, host: 'here' };
    expect(summarize({ id: ID, tally: EMPTY_TALLY }, holder)).toMatchObject({
      state: 'open',
      holder: { pid: 4711, host: 'here' },
    });
    expect(summarize({ id: ID, tally: EMPTY_TALLY })).not.toHaveProperty('holder');
  });
});
