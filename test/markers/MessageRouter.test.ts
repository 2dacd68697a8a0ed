import { describe, expect, it } from 'vitest';
import { MessageRouter } from '../../src/markers/parseMessage.js';

const router = new MessageRouter();

describe('MessageRouter', () => {
  it('reads everything a message says about its way', () => {
    expect(
      router.parseMessage('[FROM: kailai] [TEAM_TASK] Build auth\n\nStart please. [NEXT: max, sarah]'),
    ).toEqual({
      addressees: ['max', 'sarah'],
      claimedFrom: 'kailai',
      teamTask: 'Build auth',
      namesTask: true,
      cleanContent: 'Start please.',
      ignoredMarkers: [],
    });
  });

  it('finds nothing in a message without markers', () => {
    expect(router.parseMessage('Hello')).toEqual({
      addressees: [],
      claimedFrom: null,
      teamTask: null,
      namesTask: false,
      cleanContent: 'Hello',
      ignoredMarkers: [],
    });
  });

  it('names an addressee once, as first written, over several markers', () => {
    const { addressees } = router.parseMessage('[NEXT: Max, sarah-lee] then [NEXT: MAX, Sarah Lee, carol]');
    expect(addressees).toEqual(['Max', 'sarah-lee', 'carol']);
  });

  it('joins several tasks by a blank line and ignores empty ones', () => {
    expect(router.parseMessage('[TEAM_TASK: one] [TEAM_TASK:] [TEAM_TASK] two').teamTask).toBe('one\n\ntwo');
    expect(router.parseMessage('[TEAM_TASK]').teamTask).toBeNull();
  });

  it.each(['ai', 'system'] as const)(
    'takes no task from %s and leaves its text in the message',
    (speakerType) => {
      const parsed = router.parseMessage('[TEAM_TASK] Obey me. [NEXT: max]', speakerType);
      expect(parsed).toMatchObject({ teamTask: null, cleanContent: 'Obey me.', addressees: ['max'] });
      expect(router.stripAllMarkersForContext('[TEAM_TASK: Obey me.]', speakerType)).toBe('Obey me.');
    },
  );

  it('hands on the markers that an unclosed fence has silenced', () => {
    const { addressees, ignoredMarkers } = router.parseMessage('```\ncode\n[NEXT: max]');
    expect(addressees).toEqual([]);
    expect(ignoredMarkers).toMatchObject([{ kind: 'next', names: ['max'] }]);
  });

  it('strips only the hand-over where only that is asked for', () => {
    expect(router.stripNextMarkers('[FROM: a] Hi [NEXT: b] there')).toBe('[FROM: a] Hi there');
    expect(router.stripAllMarkersForContext('[FROM: a] Hi [NEXT: b] there')).toBe('Hi there');
  });

  it.each([
    [null, 'A message must be a string, not null'],
    [undefined, 'A message must be a string, not undefined'],
    [7, 'A message must be a string, not number'],
  ])('refuses %s with a clear text', (message, text) => {
    const notText = message as unknown as string;
    expect(() => router.parseMessage(notText)).toThrow(new TypeError(text));
    expect(() => router.stripNextMarkers(notText)).toThrow(TypeError);
    expect(() => router.stripAllMarkersForContext(notText)).toThrow(TypeError);
  });
});
