import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context/ContextManager.js';
import { describeRoute } from '../../src/coordinator/Ledger.js';
import { createProfile } from '../../src/coordinator/memberProfile.js';
import { describeSend, preparePrompt } from '../../src/coordinator/prepareTurn.js';
import type { QueuedTurn } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import type { AgentMember, Team } from '../../src/models/Team.js';
import { agent, person, team } from './teams.js';

const max = agent('max', { systemInstruction: 'Be brief.', instructionFileText: 'Use tabs.' });
const sarah = agent('sarah', { agentType: 'openai-codex' });
const ROOM = 100_000;
const squad = team([person(), max, sarah]);

type Said = readonly [name: string, content: string];

function conversation(maxBytes: number, ...said: readonly Said[]): ContextManager {
  const context = new ContextManager({ maxBytes, logger: {} });
  for (const [name, content] of said)
    context.addMessage({ content, speaker: { roleId: name, type: name === 'kailai' ? 'human' : 'ai' } });
  return context;
}

const turnOf = (memberId: string, parts: object = {}): QueuedTurn => ({
  turnId: 'turn-1' as TurnId,
  memberId: memberId as MemberId,
  triggeredBy: 'msg-1' as MessageId,
  ...parts,
});

const prepare = (context: ContextManager, inTeam: Team, member: AgentMember, turn: QueuedTurn) =>
  preparePrompt(context, { profile: createProfile(inTeam, member), turn });

test('what is written down about a prompt lets it be checked later', () => {
  const { output, sent } = prepare(conversation(ROOM, ['kailai', 'Hello.']), squad, max, turnOf('max'));
  expect(output.prompt).toBe('[MESSAGE]\nHello.');
  expect(output.systemFlag).toMatch(/^You are max, [\s\S]*\n\nBe brief\.\n\nUse tabs\.$/u);
  expect(sent).toEqual({
    bytes: Buffer.byteLength(`${output.systemFlag}${output.prompt}`),
    sha256: createHash('sha256').update(`${output.systemFlag}\0${output.prompt}`).digest('hex'),
    latestMessageId: 'msg-1',
    session: 'new',
  });
});

test('the nonce of a fence is written down', () => {
  const fenced = team(squad.members, { context: { guard: 'fence' } });
  const { output, sent } = prepare(conversation(ROOM, ['kailai', 'Hi']), fenced, max, turnOf('max'));
  expect(sent.nonce).toMatch(/^[0-9a-f]{16}$/u);
  expect(output.prompt).toContain(sent.nonce);
});

test('an agent is never asked about its own words', () => {
  const context = conversation(ROOM, ['kailai', 'One?'], ['sarah', 'Mine.']);
  const { output, sent } = prepare(context, squad, sarah, turnOf('sarah'));
  expect(output.prompt).toMatch(/- sarah -> all: Mine\.\n\n\[MESSAGE\]\nOne\?$/u);
  expect(sent).toMatchObject({ about: 'msg-1', latestMessageId: 'msg-2' });
});

test('a turn of a blind round ends with its question, whatever was said since', () => {
  const context = conversation(ROOM, ['kailai', 'Before.'], ['kailai', 'Which?'], ['max', 'Red.']);
  const turn = turnOf('sarah', { triggeredBy: 'msg-2', about: 'msg-2', blindRound: 'turn-1' });
  const { output } = prepare(context, squad, sarah, turn);
  expect(output.prompt).toMatch(/\[CONTEXT\]\n- kailai -> all: Before\.\n\n\[MESSAGE\]\nWhich\?$/u);
});

test('system text that a session was told takes no room from what is new', () => {
  const terse = agent('sarah', { agentType: 'openai-codex', systemInstruction: 'x'.repeat(500) });
  const small = team([person(), terse]);
  const context = conversation(ROOM, ['kailai', 'One.'], ['sarah', 'Yes.'], ['kailai', 'y'.repeat(200)]);
  const profile = createProfile(small, terse);
  const maxBytes = Buffer.byteLength(profile.systemInstruction) + 60;
  const { output, sent } = preparePrompt(context, {
    profile: { ...profile, maxBytes },
    turn: turnOf('sarah', { triggeredBy: 'msg-3' }),
    session: { sessionId: 's', lastSeenMessageId: 'msg-1' as MessageId, systemSha256: 'same' },
    hasSameSystemText: true,
  });
  expect(output).toEqual({ prompt: `[MESSAGE]\n${'y'.repeat(200)}`, systemFlag: undefined });
  expect(sent.omitsSystemText).toBe(true);
});

test('debugging shows the prompt with its system text, and what the budget left out', () => {
  const said = [
    ['kailai', 'a'.repeat(600)],
    ['kailai', 'b'.repeat(100)],
    ['kailai', 'Now?'],
  ] as const;
  const turn = turnOf('max', { triggeredBy: 'msg-3' });
  const { sent } = prepare(conversation(ROOM, ...said), squad, max, turn);
  const tightSquad = team(squad.members, { context: { maxBytes: sent.bytes - 1 } });
  const tight = prepare(conversation(ROOM, ...said), tightSquad, max, turn);
  const lines = describeSend(max, tight).split('\n');
  expect(lines[0]).toBe('[Debug][Send] to max');
  expect(lines[1]).toMatch(/^\(system\) You are max, /u);
  expect(lines.at(-1)).toBe('[Debug][Trim] CONTEXT kept 1 of 2 messages');
});

test('debugging shows where a message goes', () => {
  const [message] = conversation(ROOM, ['kailai', 'Go.']).getMessages();
  if (message === undefined) throw new Error('no message');
  const facts = [
    { type: 'message-added', message },
    { type: 'turns-queued', turns: [turnOf('max'), turnOf('sarah')], place: 'front' },
    { type: 'waiting-for-human', memberIds: ['kailai' as MemberId], named: true },
  ] as const;
  expect(describeRoute(facts)).toBe(
    '[Debug][Route] msg-1 from kailai; queued max, sarah at the front; waits for kailai',
  );
});
