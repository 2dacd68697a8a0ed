import { english } from '../../../src/catalogue/english.js';
import { INITIAL_STATE } from '../../../src/conversation/ConversationState.js';
import { applyEvent, createScreen, type Screen } from '../../../src/frontends/tui/screen/Screen.js';
import type { ActivityEvent } from '../../../src/models/AgentEvent.js';
import {
  type ConversationEvent,
  type ConversationFact,
  EVENT_VERSION,
  type TurnProgress,
} from '../../../src/models/ConversationEvent.js';
import type { MemberId, MessageId, TurnId } from '../../../src/models/ids.js';
import type { AgentMember, Limits, Team } from '../../../src/models/Team.js';
import type { ShownMember } from '../../../src/presentation/Block.js';
import type { Paragraph } from '../../../src/presentation/Paragraph.js';

const LIMITS: Limits = {
  agentTurns: 20,
  pairTurns: 6,
  sameAnswer: 3,
  addressees: 8,
  queue: 50,
  parallel: 8,
  idleMinutes: 10,
  turnMinutes: 30,
};

export function agent(name: string, more: Partial<AgentMember> = {}): AgentMember {
  return {
    id: name as MemberId,
    name,
    type: 'ai',
    agentType: 'claude-code',
    permission: 'read',
    allow: [],
    deny: [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
    ...more,
  };
}

/** A member as a screen knows them. */
export function shown(name: string, type: 'human' | 'ai', more: Partial<ShownMember> = {}): ShownMember {
  return { id: name as MemberId, name, type, place: type === 'human' ? -1 : 0, ...more };
}

export function teamOf(limits: Partial<Limits> = {}): Team {
  return {
    name: 'auth-squad',
    members: [
      { id: 'kailai' as MemberId, name: 'kailai', type: 'human' },
      agent('max', { title: 'Architect' }),
      agent('sarah'),
    ],
    routing: { fallback: 'human', fanout: 'sequential' },
    limits: { ...LIMITS, ...limits },
    prices: [],
    context: { maxBytes: 786_432, guard: 'on' },
  };
}

export function emptyScreen(team: Team = teamOf()): Screen {
  return createScreen(team, {
    phase: { kind: 'idle' },
    messages: [],
    teamTask: null,
    state: INITIAL_STATE,
  });
}

/** The screen after all of this, and the transcript it made. */
export function follow(events: readonly ConversationEvent[], screen: Screen = emptyScreen()) {
  const paragraphs: Paragraph[] = [];
  let current = screen;
  for (const event of events) {
    const step = applyEvent(current, event, english);
    current = step.screen;
    paragraphs.push(...step.paragraphs);
  }
  return { screen: current, paragraphs };
}

export function fact(content: ConversationFact, at = 0): ConversationEvent {
  return { ...content, v: EVENT_VERSION, seq: 1, at };
}

export function turnStart(turn = 'turn-1', member = 'max', at = 0): ConversationEvent {
  return fact(
    {
      type: 'turn-start',
      turnId: turn as TurnId,
      memberId: member as MemberId,
      triggeredBy: 'msg-1' as MessageId,
      prompt: { bytes: 1, sha256: '', latestMessageId: 'msg-1' as MessageId, session: 'new' },
    },
    at,
  );
}

export function progress(event: TurnProgress['event'], turn = 'turn-1', member = 'max'): ConversationEvent {
  return {
    type: 'turn-progress',
    v: EVENT_VERSION,
    at: 0,
    turnId: turn as TurnId,
    memberId: member as MemberId,
    event,
  };
}

export function activity(event: ActivityEvent, turn = 'turn-1', member = 'max'): ConversationEvent {
  return fact({ type: 'turn-activity', turnId: turn as TurnId, memberId: member as MemberId, event });
}

export function turnEnd(
  result: Extract<ConversationFact, { type: 'turn-end' }>['result'],
  more: Partial<Extract<ConversationFact, { type: 'turn-end' }>> = {},
): ConversationEvent {
  return fact({
    type: 'turn-end',
    turnId: 'turn-1' as TurnId,
    memberId: 'max' as MemberId,
    result,
    milliseconds: 1200,
    ...more,
  });
}

export function completed(turn = 'turn-1', member = 'max'): ConversationEvent {
  return turnEnd(
    { kind: 'completed', messageId: 'msg-2' as MessageId },
    { turnId: turn as TurnId, memberId: member as MemberId },
  );
}

export function message(
  speaker: string,
  content: string,
  { to = [], turn }: { to?: readonly string[]; turn?: string } = {},
): ConversationEvent {
  return fact({
    type: 'message-added',
    message: {
      id: 'msg-2' as MessageId,
      content,
      speaker: { roleId: speaker, roleName: speaker, type: turn === undefined ? 'human' : 'ai' },
      timestamp: 0,
      routing: { resolvedAddressees: to },
    },
    ...(turn !== undefined && { turnId: turn as TurnId }),
  });
}
