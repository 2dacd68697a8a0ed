import { MOST_WAIT_SECONDS } from './asking/waits.js';
import type { Parameters } from './parameters.js';

/** Characters of a message to the team. */
const MOST_MESSAGE = 200_000;
/** Characters of a page that is read. */
const MOST_READ = 100_000;

const SESSION = { kind: 'word', isRequired: true } as const;
const WAIT = { kind: 'number', min: 0, max: MOST_WAIT_SECONDS } as const;
const ASKING = {
  message: { kind: 'text', isRequired: true, max: MOST_MESSAGE },
  session: { kind: 'word' },
  wait_seconds: WAIT,
  format: { kind: 'format' },
} as const;

/** Arguments of every tool. */
export const TOOL_PARAMETERS = {
  ask_team: {
    ...ASKING,
    members: { kind: 'names' },
    max_turns: { kind: 'number', min: 1, max: 1000 },
  },
  ask_member: { member: { kind: 'word', isRequired: true }, ...ASKING },
  wait_for_team: { session: SESSION, wait_seconds: WAIT, stop: { kind: 'flag' }, format: { kind: 'format' } },
  read_conversation: {
    session: { kind: 'word' },
    from: { kind: 'word' },
    max_characters: { kind: 'number', min: 1000, max: MOST_READ },
  },
  explain_turn: { session: SESSION, turn: SESSION, prompt: { kind: 'flag' } },
  conversation_cost: { session: SESSION },
} as const satisfies Readonly<Record<string, Parameters>>;

export type ToolName = keyof typeof TOOL_PARAMETERS;

export const TOOL_NAMES = Object.keys(TOOL_PARAMETERS) as readonly ToolName[];

/** Tools that have agents started. */
export const ASKING_TOOLS: readonly ToolName[] = ['ask_team', 'ask_member'];

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_PARAMETERS, name);
}
