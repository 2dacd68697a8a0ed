import { describe, expect, it } from 'vitest';
import { chinese } from '../../src/catalogue/chinese.js';
import { english } from '../../src/catalogue/english.js';
import type { WaitingEvent } from '../../src/models/AgentEvent.js';
import { describeWaiting } from '../../src/presentation/describeTurn.js';

const waiting = (facts: Partial<WaitingEvent>): WaitingEvent => ({
  type: 'waiting',
  worker: 'gpu_box',
  ...facts,
});

describe('a turn that waits for another machine', () => {
  it.each<[Partial<WaitingEvent>, string, string]>([
    [
      { lastSeen: 3 * 3600 },
      'Waiting for gpu_box to run sarah (last seen 3 h ago)',
      '等待 gpu_box 运行 sarah（上次在线：3 小时前）',
    ],
    [{}, 'Waiting for gpu_box to run sarah (never seen)', '等待 gpu_box 运行 sarah（从未在线）'],
    [{ lastSeen: 0 }, 'Waiting for gpu_box to run sarah (busy)', '等待 gpu_box 运行 sarah（忙碌中）'],
    [
      { lastSeen: 0, account: 'acme-codex', running: 6, atOnce: 6 },
      'sarah waits: acme-codex has 6 of 6',
      'sarah 等待中：acme-codex 已用 6/6',
    ],
  ])('says what it waits for: %j', (facts, inEnglish, inChinese) => {
    expect(describeWaiting('sarah', waiting(facts), english)).toBe(inEnglish);
    expect(describeWaiting('sarah', waiting(facts), chinese)).toBe(inChinese);
  });
});
