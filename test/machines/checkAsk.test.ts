import { describe, expect, it } from 'vitest';
import { type AskedRow, checkAsk, type WorkerFacts } from '../../src/machines/checkAsk.js';
import { type SignedAsk, signAsk, type TurnAsk } from '../../src/machines/signing.js';
import type { WorkerMember } from '../../src/models/WorkerFile.js';
import { createKeyText, readKeyText, type SigningKey } from '../../src/utils/ed25519.js';

const kim = newKey();
const eve = newKey();

const ASK: TurnAsk = {
  v: 1,
  store: 'store-1',
  conversation: '20261116-1200-9f3c',
  turn: 'turn-3',
  member: 'sarah',
  agentType: 'openai-codex',
  workerRole: 'gpu_box',
  prompt: 'Look at the tests.',
  systemText: 'You are sarah.',
  limits: { idleMilliseconds: 60_000, totalMilliseconds: 600_000 },
  session: { kind: 'resume', sessionId: 'session-1' },
  expires: 2000,
};

const FACTS: WorkerFacts = {
  file: { askers: new Map([['kim', kim.publicKey]]), members: [entryOf('sarah')] },
  storeId: 'store-1',
  role: 'gpu_box',
  now: 1000,
};

describe('checkAsk', () => {
  it('accepts what a known key signed for this store, role and turn', () => {
    expect(check(signAsk(ASK, kim))).toMatchObject({ kind: 'accepted', asker: 'kim', request: ASK });
  });

  it.each<[string, Partial<SignedAsk>]>([
    ['prompt', { prompt: 'Delete the tests.' }],
    ['system text', { systemText: 'You are root.' }],
    ['missing system text', { systemText: undefined }],
    ['limits', { limits: { idleMilliseconds: 60_000, totalMilliseconds: 600_001 } }],
    ['session', { session: { kind: 'resume', sessionId: 'session-2' } }],
    ['kind of session', { session: { kind: 'fork', sessionId: 'session-1' } }],
    ['new session', { session: { kind: 'new' } }],
    ['totals', { sessionTotals: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 } }],
    ['expiry', { expires: 3000 }],
    ['member', { member: 'fixer' }],
    ['store', { store: 'store-2' }],
    ['conversation', { conversation: '20261116-1200-0000' }],
    ['turn', { turn: 'turn-4' }],
    ['worker role', { workerRole: 'other_box' }],
    ['agent type', { agentType: 'claude-code' }],
    ['key', { key: eve.publicKey }],
    ['signature', { signature: signAsk({ ...ASK, turn: 'turn-4' }, kim).signature }],
    ['spelling of the signature', { signature: `${signAsk(ASK, kim).signature}=` }],
  ])('refuses a request whose %s was changed after it was signed', (_, change) => {
    expect(check({ ...signAsk(ASK, kim), ...change })).toEqual(refused('bad-signature'));
  });

  it('refuses a key that its file does not have, and names it', () => {
    expect(check(signAsk(ASK, eve))).toEqual({
      kind: 'refused',
      refusal: { because: 'unknown-key', asker: 'mallory', key: eve.publicKey },
    });
  });

  it.each<[string, TurnAsk, string]>([
    ['another store', { ...ASK, store: 'store-2' }, 'other-store'],
    ['another worker role', { ...ASK, workerRole: 'other_box' }, 'other-turn'],
    ['another conversation than the row', { ...ASK, conversation: '20261116-1200-0000' }, 'other-turn'],
    ['another turn than the row', { ...ASK, turn: 'turn-4' }, 'other-turn'],
    ['another member than the row', { ...ASK, member: 'fixer' }, 'other-turn'],
    ['a time that is over', { ...ASK, expires: 1000 }, 'expired'],
    ['no time', { ...ASK, expires: Number.NaN }, 'unreadable'],
  ])('refuses what a known key signed for %s', (_, ask, because) => {
    expect(check(signAsk(ask, kim))).toEqual(refused(because));
  });

  it('refuses a member that it does not run, and says whose entry is missing', () => {
    expect(check(signAsk({ ...ASK, member: 'max' }, kim), { member: 'max' })).toEqual({
      kind: 'refused',
      refusal: { because: 'not-offered', agentType: 'openai-codex' },
    });
  });

  it('refuses prompts that were made for another agent', () => {
    expect(check(signAsk({ ...ASK, agentType: 'claude-code' }, kim))).toEqual({
      kind: 'refused',
      refusal: { because: 'other-agent', agentType: 'openai-codex' },
    });
  });

  it('lets only the askers of a member ask it, by any of the names that a key has', () => {
    const askers = new Map([
      ['kim', kim.publicKey],
      ['kim-laptop', kim.publicKey],
      ['eve', eve.publicKey],
    ]);
    const file = { askers, members: [{ ...entryOf('sarah'), askers: ['kim-laptop'] }] };
    expect(checkAsk(rowOf(signAsk(ASK, eve)), { ...FACTS, file })).toEqual({
      kind: 'refused',
      refusal: { because: 'asker-not-allowed', asker: 'eve' },
    });
    expect(checkAsk(rowOf(signAsk(ASK, kim)), { ...FACTS, file }).kind).toBe('accepted');
  });

  it('refuses a newer form with both numbers, and whatever is no request', () => {
    expect(checkAsk({ ...rowOf(signAsk(ASK, kim)), request: '{"v":2}' }, FACTS)).toEqual({
      kind: 'refused',
      refusal: { because: 'newer-version', found: 2, known: 1 },
    });
    for (const request of [
      '',
      'null',
      '{',
      '[]',
      '{"v":1}',
      JSON.stringify({ ...signAsk(ASK, kim), command: ['sh'] }),
    ])
      expect(checkAsk({ ...rowOf(signAsk(ASK, kim)), request }, FACTS)).toEqual(refused('unreadable'));
  });
});

function check(request: SignedAsk, row: Partial<AskedRow> = {}) {
  return checkAsk({ ...rowOf(request), ...row }, FACTS);
}

function rowOf(request: SignedAsk): AskedRow {
  return {
    conversation: ASK.conversation,
    turn: ASK.turn,
    member: ASK.member,
    askedBy: 'mallory',
    request: JSON.stringify(request),
  };
}

function refused(because: string) {
  return { kind: 'refused', refusal: { because } };
}

function entryOf(name: string): WorkerMember {
  return {
    member: {
      id: name as never,
      name,
      type: 'ai',
      agentType: 'openai-codex',
      permission: 'read',
      allow: [],
      deny: [],
      memory: 'window',
      window: 0,
      visibility: 'all',
      env: 'inherit',
    },
    folder: '/srv/app',
  };
}

function newKey(): SigningKey {
  const key = readKeyText(createKeyText());
  if (key === undefined) throw new Error('a new key can be read');
  return key;
}
