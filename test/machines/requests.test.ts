import { describe, expect, it } from 'vitest';
import { type SignedRequest, signRequest, type UnsignedRequest } from '../../src/machines/requests.js';
import type { TurnRow } from '../../src/machines/TurnTable.js';
import { checkTurn, type TurnCheckFacts } from '../../src/machines/takeTurn.js';
import type { WorkerMember } from '../../src/models/WorkerFile.js';
import { createKeyText, readKeyText, type SigningKey } from '../../src/utils/ed25519.js';

const kim = newKey();
const eve = newKey();

type TurnRequest = UnsignedRequest<'turn'>;
type Body = TurnRequest['body'];

const ASK: TurnRequest = {
  kind: 'turn',
  store: 'store-1',
  conversation: '20261116-1200-9f3c',
  workerRole: 'gpu_box',
  body: {
    turn: 'turn-3',
    member: 'sarah',
    agentType: 'openai-codex',
    prompt: 'Look at the tests.',
    systemText: 'You are sarah.',
    limits: { idleMilliseconds: 60_000, totalMilliseconds: 600_000 },
    session: { kind: 'resume', sessionId: 'session-1' },
  },
  expires: 2000,
};

const FACTS: TurnCheckFacts = {
  file: { askers: new Map([['kim', kim.publicKey]]), members: [entryOf('sarah')] },
  storeId: 'store-1',
  role: 'gpu_box',
  now: 1000,
};

describe('checkTurn', () => {
  it('accepts what a known key signed for this store, role and turn', () => {
    expect(check(signRequest(ASK, kim))).toMatchObject({ kind: 'believed', askers: ['kim'], request: ASK });
  });

  it.each<[string, Partial<SignedRequest<'turn'>> | { readonly body: Partial<Body> }]>([
    ['prompt', { body: { prompt: 'Delete the tests.' } }],
    ['system text', { body: { systemText: 'You are root.' } }],
    ['missing system text', { body: { systemText: undefined } }],
    ['limits', { body: { limits: { idleMilliseconds: 60_000, totalMilliseconds: 600_001 } } }],
    ['session', { body: { session: { kind: 'resume', sessionId: 'session-2' } } }],
    ['kind of session', { body: { session: { kind: 'fork', sessionId: 'session-1' } } }],
    ['new session', { body: { session: { kind: 'new' } } }],
    ['totals', { body: { sessionTotals: { inputTokens: 1, cachedInputTokens: 0, outputTokens: 0 } } }],
    ['expiry', { expires: 3000 }],
    ['member', { body: { member: 'fixer' } }],
    ['store', { store: 'store-2' }],
    ['conversation', { conversation: '20261116-1200-0000' }],
    ['turn', { body: { turn: 'turn-4' } }],
    ['worker role', { workerRole: 'other_box' }],
    ['agent type', { body: { agentType: 'claude-code' } }],
    ['key', { key: eve.publicKey }],
    ['signature', { signature: signRequest(withBody({ turn: 'turn-4' }), kim).signature }],
    ['spelling of the signature', { signature: `${signRequest(ASK, kim).signature}=` }],
  ])('refuses a request whose %s was changed after it was signed', (_, change) => {
    expect(check(changed(signRequest(ASK, kim), change))).toEqual(refused('bad-signature'));
  });

  it('refuses a key that its file does not have, and names it', () => {
    expect(check(signRequest(ASK, eve))).toEqual({
      kind: 'refused',
      refusal: { because: 'unknown-key', asker: 'mallory', key: eve.publicKey },
    });
  });

  it.each<[string, TurnRequest, string]>([
    ['another store', { ...ASK, store: 'store-2' }, 'other-store'],
    ['another worker role', { ...ASK, workerRole: 'other_box' }, 'other-turn'],
    ['another conversation than the row', { ...ASK, conversation: '20261116-1200-0000' }, 'other-turn'],
    ['another turn than the row', withBody({ turn: 'turn-4' }), 'other-turn'],
    ['another member than the row', withBody({ member: 'fixer' }), 'other-turn'],
    ['a time that is over', { ...ASK, expires: 1000 }, 'expired'],
    ['no time', { ...ASK, expires: Number.NaN }, 'unreadable'],
  ])('refuses what a known key signed for %s', (_, ask, because) => {
    expect(check(signRequest(ask, kim))).toEqual(refused(because));
  });

  it('refuses a member that it does not run, and says whose entry is missing', () => {
    expect(check(signRequest(withBody({ member: 'max' }), kim), { member: 'max' })).toEqual({
      kind: 'refused',
      refusal: { because: 'not-offered', agentType: 'openai-codex' },
    });
  });

  it('refuses prompts that were made for another agent', () => {
    expect(check(signRequest(withBody({ agentType: 'claude-code' }), kim))).toEqual({
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
    expect(checkTurn(rowOf(signRequest(ASK, eve)), { ...FACTS, file })).toEqual({
      kind: 'refused',
      refusal: { because: 'asker-not-allowed', asker: 'eve' },
    });
    expect(checkTurn(rowOf(signRequest(ASK, kim)), { ...FACTS, file }).kind).toBe('believed');
  });

  it('refuses a newer form with both numbers, and whatever is no request', () => {
    expect(checkTurn({ ...rowOf(signRequest(ASK, kim)), request: '{"v":3}' }, FACTS)).toEqual({
      kind: 'refused',
      refusal: { because: 'newer-version', found: 3, known: 2 },
    });
    for (const request of [
      '',
      'null',
      '{',
      '[]',
      '{"v":2}',
      JSON.stringify({ ...signRequest(ASK, kim), command: ['sh'] }),
      JSON.stringify(changed(signRequest(ASK, kim), { body: { command: ['sh'] } })),
      JSON.stringify({ ...signRequest(ASK, kim), kind: 'conversation' }),
    ])
      expect(checkTurn({ ...rowOf(signRequest(ASK, kim)), request }, FACTS)).toEqual(refused('unreadable'));
  });
});

function withBody(change: Partial<Body>): TurnRequest {
  return { ...ASK, body: { ...ASK.body, ...change } };
}

function changed(request: SignedRequest<'turn'>, change: object): SignedRequest<'turn'> {
  const { body = {} } = change as { readonly body?: object };
  return { ...request, ...change, body: { ...request.body, ...body } };
}

function check(request: SignedRequest<'turn'>, row: Partial<TurnRow> = {}) {
  return checkTurn({ ...rowOf(request), ...row }, FACTS);
}

function rowOf(request: SignedRequest<'turn'>): TurnRow {
  return {
    conversation: ASK.conversation,
    turn: ASK.body.turn,
    member: ASK.body.member,
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
