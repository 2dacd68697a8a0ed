import type { TurnWarning } from '../../models/AgentEvent.js';
import type { LimitName } from '../../models/ConversationEvent.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';
import { exitText } from './failures.js';

export const decisionText = {
  allowed: {
    person: (name: string) => `allowed by ${name}`,
    'team-file': "allowed by the team file's allow/deny list",
    permission: "allowed by the member's permission",
    nobody: 'allowed (no one to ask)',
    size: 'allowed (too long to show whole)',
  },
  denied: {
    person: (name: string) => `denied by ${name}`,
    'team-file': "denied by the team file's allow/deny list",
    permission: "denied by the member's permission",
    nobody: 'denied (no one to ask)',
    size: 'denied (too long to show whole)',
  },
  cancelled: 'not answered before the turn ended',
  toAllow: (verdict: string, entry: string) => `${verdict}. To allow it: "allow": [${entry}]`,
};

export const warningText = {
  'exit-after-answer': ({ command, ...exit }) => `${command}: ${exitText(exit)} after its answer`,
  'lines-skipped': ({ command, lines }) =>
    `${command}: ${counted(lines, 'line')} of output too long; skipped`,
  'system-text-in-prompt': () =>
    'This version of the agent takes no separate system prompt, so Huddle puts it into the prompt.',
  'file-change-failed': () => 'A file change failed.',
  'denied-unasked': ({ entry }) =>
    `Denied by its CLI, which asks no one here. To allow it: "allow": [${JSON.stringify(entry)}]`,
  'servers-not-given': ({ servers, because }) =>
    because === 'permission'
      ? `MCP servers are not given to read-only members: ${servers.join(', ')}`
      : `The agent can't use these MCP servers from here: ${servers.join(', ')}`,
} satisfies { [Code in TurnWarning['code']]: (warning: Extract<TurnWarning, { code: Code }>) => string };

export const limitText = {
  agentTurns: (max: number) => `${counted(max, 'agent turn')} in a row`,
  pairTurns: (max: number) => `${counted(max, 'turn')} back and forth between the same two agents`,
  sameAnswer: (max: number) => `the same answer ${counted(max, 'time')}`,
  checkRounds: (max: number) => `${counted(max, 'failed check')} in a row`,
  tokens: (max: number) => `${counted(formatNumber(max), 'token')} used`,
  usd: (max: number) => `${counted(max, 'US dollar')} spent`,
} satisfies Record<LimitName, (max: number) => string>;

/** Sentences about where a session stands. */
export const sessionStatusText = {
  interrupted: (turnId: string, name: string) =>
    `${name}'s ${turnId} was interrupted before any output arrived.`,
  /** A process has the session open; `role` on a shared store. */
  running: (
    turnId: string,
    name: string,
    { pid, host, role }: { pid: number; host: string; role?: string },
  ) => `${name}'s ${turnId} is running ${role === undefined ? `in process ${pid}` : `on ${role}@${host}`}.`,
  exported: (turnId: string, name: string) => `${name}'s ${turnId} had not ended when this was exported.`,
  unfinished: (turnId: string, name: string) => `${name}'s ${turnId} did not finish.`,
  queue: (names: readonly string[]) => `Queued: ${names.join(', ')}.`,
  awaited: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  nothing: 'Your turn.',
};

/** Sentences of `huddle cost`. */
export const costText = {
  nothing: (id: string) => `Session ${id} has no usage data.`,
  heads: {
    turn: 'turn',
    member: 'member',
    turns: 'turns',
    input: 'tokens in',
    cached: 'cached',
    output: 'tokens out',
    money: 'cost',
    price: 'price',
    inherited: '(inherited)',
    here: '(spent here)',
    all: 'total',
  },
  prices: { reported: 'reported', estimated: 'estimated', unknown: 'unknown' },
  /** `1 reported, 2 unknown`. */
  counts: (counts: ReadonlyArray<readonly [count: number, price: string]>) =>
    counts.map(([count, price]) => `${count} ${price}`).join(', '),
  priceOf: (model: string, names: readonly string[]) => `${model} (${names.join(', ')})`,
  noPrice: (what: string) => `No price for ${what}: cost not counted.`,
  addPrice: (model: string) =>
    `Set it (USD per 1M tokens): huddle config set prices.${model} <input> <output>`,
  nameModel: (names: readonly string[]) =>
    `To set it, name the "model" of ${names.join(', ')} in the team file, then set the price of that model.`,
};

/** Sentences about what is typed, and likely not meant as a message. */
export const typedText = {
  shellCommand: "Huddle doesn't run shell commands. Run it in another terminal, or ask an agent to.",
  unknownCommand: (name: string, nearest: string | undefined) =>
    `Unknown command /${name}. ${nearest === undefined ? '/help lists them.' : `Did you mean /${nearest}?`}`,
  misspelledName: (name: string, nearest: string) => `No member named "${name}". Did you mean @${nearest}?`,
  sendAgain: (reason: string) => `${reason} To send it as it is, send it again.`,
};
