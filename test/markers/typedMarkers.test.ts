import { describe, expect, it } from 'vitest';
import { stripOuterMarkers } from '../../src/markers/markers.js';
import { cleanMessage, parseMessage } from '../../src/markers/parseMessage.js';

describe('a marker in the brackets of a Chinese keyboard', () => {
  it.each([
    ['看看。【NEXT：max，sarah】', ['max', 'sarah'], '看看。'],
    ['【NEXT：max】看看。', ['max'], '看看。'],
    ['【next: 小明、max】 看看。', ['小明', 'max'], '看看。'],
    ['【待办】看看。【NEXT：max】', ['max'], '【待办】看看。'],
  ])('acts in what a person says: %s', (message, addressees, text) => {
    expect(parseMessage(message, 'human')).toMatchObject({ addressees, cleanContent: text });
    expect(cleanMessage(message, 'human')).toBe(text);
    expect(stripOuterMarkers(message, ['next'], 'human')).toBe(text);
  });

  it('sets the task', () => {
    expect(parseMessage('【TEAM_TASK】 设计登录', 'human')).toMatchObject({ teamTask: '设计登录' });
    expect(parseMessage('【TEAM_TASK：设计登录】开始。', 'human')).toMatchObject({
      teamTask: '设计登录',
      cleanContent: '开始。',
    });
  });

  it.each(['`【NEXT：max】`', '\\【NEXT：max】', '```\n【NEXT：max】\n```', '【NEXT max】', '【NEXT：max'])(
    'does nothing, and stays as it is, in %s',
    (message) => {
      expect(parseMessage(message, 'human')).toMatchObject({ addressees: [], cleanContent: message });
      expect(cleanMessage(message, 'human')).toBe(message);
    },
  );

  it.each(['ai', 'system'] as const)('does nothing in what others say: %s', (speaker) => {
    const message = '好的。【NEXT：max】';
    expect(parseMessage(message, speaker)).toMatchObject({ addressees: [], cleanContent: message });
    expect(cleanMessage(message, speaker)).toBe(message);
    expect(stripOuterMarkers(message, ['next'], speaker)).toBe(message);
  });
});
