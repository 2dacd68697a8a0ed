import { fileURLToPath } from 'node:url';
import type { MemberId } from '../../src/models/ids.js';
import type { AgentMember, HumanMember, Limits, Member, Team } from '../../src/models/Team.js';

/** The defaults of a team file. */
export const LIMITS: Limits = {
  agentTurns: 20,
  pairTurns: 6,
  sameAnswer: 3,
  addressees: 8,
  queue: 50,
  parallel: 8,
  idleMinutes: 10,
  turnMinutes: 30,
};

/** Limits that never stop anything, for tests about one of them. */
export const WIDE: Limits = { ...LIMITS, agentTurns: 1000, pairTurns: 1000, sameAnswer: 1000 };

export function person(name = 'kailai', parts: Partial<HumanMember> = {}): HumanMember {
  return { type: 'human', id: name as MemberId, name, ...parts };
}

export function agent(name: string, parts: Partial<AgentMember> = {}): AgentMember {
  return {
    type: 'ai',
    id: name as MemberId,
    name,
    agentType: 'claude-code',
    permission: 'read',
    allow: [],
    deny: [],
    memory: 'window',
    window: 20,
    visibility: 'all',
    env: 'inherit',
    ...parts,
  };
}

/** A member whose answers are what a few lines of JavaScript print; `prompt` is what it was sent. */
export function program(name: string, script: string): AgentMember {
  const read = "const prompt = require('node:fs').readFileSync(0, 'utf8');";
  return agent(name, { agentType: 'command', command: [process.execPath, '-e', read + script] });
}

/** What a member prints that is sent this; `stage` plays it without a process. */
type Answer = (prompt: string) => string | Promise<string>;

const ANSWERS = new WeakMap<Member, Answer>();

/** A member that answers as a command that prints this would. */
export function answering(name: string, answer: Answer | string): AgentMember {
  const member = agent(name, { agentType: 'command', command: ['played-in-this-process'] });
  ANSWERS.set(member, typeof answer === 'string' ? () => answer : answer);
  return member;
}

export function answerOf(member: Member): Answer | undefined {
  return ANSWERS.get(member);
}

const HOSTILE_AGENT = fileURLToPath(new URL('../fixtures/hostile-agent.mjs', import.meta.url));

/** A member played by the hostile agent; several behaviours with `|` need HOSTILE_STATE. */
export function hostile(
  name: string,
  behaviour: string,
  parts: Partial<AgentMember> & Hostility = {},
): AgentMember {
  const { variables = {}, ...rest } = parts;
  const set = { HOSTILE: behaviour, HOSTILE_NAME: name, HOSTILE_MAX_LIFE_MS: '60000', ...variables };
  const pairs = Object.entries(set).map(([key, value]) => `${key}=${value}`);
  return agent(name, { command: ['env', ...pairs, process.execPath, HOSTILE_AGENT], ...rest });
}

interface Hostility {
  readonly variables?: Readonly<Record<string, string>>;
}

type TeamParts = Partial<Omit<Team, 'limits' | 'context'>> & {
  readonly limits?: Partial<Limits>;
  readonly context?: Partial<Team['context']>;
};

export function team(members: readonly Member[], parts: TeamParts = {}): Team {
  const { limits, context, ...rest } = parts;
  return {
    name: 'squad',
    members,
    routing: { fallback: 'human', fanout: 'sequential' },
    prices: [],
    ...rest,
    limits: { ...LIMITS, ...limits },
    context: { maxBytes: 786_432, guard: 'on', ...context },
  };
}
