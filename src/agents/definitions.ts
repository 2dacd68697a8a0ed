import {
  AGENT_TYPES,
  type AgentType,
  type AgentTypeInfo,
  normalizeAgentType,
} from '../models/AgentConfig.js';
import { HuddleError } from '../models/errors.js';
import type { CommandOutput } from '../models/Team.js';
import type { AgentAdapter, SessionChoice, TurnRequest } from './AgentAdapter.js';
import { AcpAdapter } from './acp/AcpAdapter.js';
import { claudeDialect } from './claude/dialect.js';
import { codexDialect } from './codex/dialect.js';
import { createCommandDialect } from './command/dialect.js';
import type { Dialect } from './dialect/Dialect.js';
import { geminiDialect } from './gemini/dialect.js';
import { runDialectTurn, type TurnProcessOptions } from './process/runDialectTurn.js';
import { createSimulatedAdapter, type RehearsalOptions } from './rehearsal/simulateAgents.js';

/** The way to examine an installed program: run it, with `--version` and more; none of its files are read. */
export interface AgentProbe {
  /** Variables that make it answer sooner. */
  readonly env?: Readonly<Record<string, string>>;
  /** The version that `npm run test:real` runs, and of which the recordings in `test/fixtures` are. */
  readonly testedVersion: string;
  /** Ends with 0 when the user is logged in. Absent: the program has no such command. */
  readonly loginStatusArguments?: readonly string[];
}

/** The abilities of an agent type, for choices and for people. */
export interface AgentCapabilities {
  readonly sessions: ReadonlyArray<SessionChoice['kind']>;
  /** Whether the answer can be seen while it is being written. */
  readonly streamsText: boolean;
  /** The figures it reports about the cost of a turn. */
  readonly reports: 'tokens-and-usd' | 'tokens' | 'nothing';
}

/** The half of the table that can run: what `AgentConfig.ts` cannot hold, because it is code. */
interface AgentBehaviour {
  readonly createAdapter: (options: TurnProcessOptions) => AgentAdapter;
  /** Describes how to start and read its program, if each turn is one process. */
  readonly dialect?: Dialect;
  readonly probe?: AgentProbe;
  readonly capabilities: AgentCapabilities;
}

export type AgentDefinition = AgentTypeInfo & AgentBehaviour;

const commands: Readonly<Record<CommandOutput, Dialect>> = {
  text: createCommandDialect('plain-text'),
  'json-lines': createCommandDialect('json-lines'),
};

/** Everything that a check prints is part of its report. */
function outputOf({ output = 'text', checks }: TurnRequest): CommandOutput {
  return checks === undefined ? output : 'text';
}

/** An agent that is one process a turn. */
function processPerTurn(dialect: Dialect): Pick<AgentBehaviour, 'createAdapter' | 'dialect'> {
  return {
    dialect,
    createAdapter(options) {
      const asked = { ...options, answers: new Map() };
      return { runTurn: (request, signal) => runDialectTurn(dialect, request, signal, asked) };
    },
  };
}

const behaviours: Readonly<Record<AgentType, AgentBehaviour>> = {
  'claude-code': {
    ...processPerTurn(claudeDialect),
    probe: { testedVersion: '2.1.325', loginStatusArguments: ['auth', 'status'] },
    capabilities: { sessions: ['new', 'resume', 'fork'], streamsText: true, reports: 'tokens-and-usd' },
  },
  'openai-codex': {
    ...processPerTurn(codexDialect),
    probe: { testedVersion: '0.166.0', loginStatusArguments: ['login', 'status'] },
    capabilities: { sessions: ['new', 'resume', 'fork'], streamsText: false, reports: 'tokens' },
  },
  'google-gemini': {
    ...processPerTurn(geminiDialect),
    probe: { testedVersion: '0.61.0', env: { GEMINI_CLI_NO_RELAUNCH: 'true' } },
    capabilities: { sessions: ['new', 'resume'], streamsText: true, reports: 'tokens' },
  },
  acp: {
    createAdapter: (options) => new AcpAdapter(options),
    // An agent of this kind says itself what it can do, and not all of them can do this.
    capabilities: { sessions: ['new', 'resume', 'fork'], streamsText: true, reports: 'tokens' },
  },
  command: {
    dialect: commands.text,
    createAdapter: (options) => ({
      runTurn: (request, signal) => runDialectTurn(commands[outputOf(request)], request, signal, options),
    }),
    capabilities: { sessions: ['new'], streamsText: true, reports: 'nothing' },
  },
};

/** Every known agent type. Adding one is a row in `AgentConfig.ts`, a folder here, and a row above. */
export const AGENT_DEFINITIONS: readonly AgentDefinition[] = AGENT_TYPES.flatMap((info) => {
  const behaviour = behaviours[info.type];
  return behaviour ? [{ ...info, ...behaviour }] : [];
});

/** By any spelling of its type. */
export function findDefinition(agentType: string): AgentDefinition | undefined {
  const type = normalizeAgentType(agentType);
  return AGENT_DEFINITIONS.find((definition) => definition.type === type);
}

export interface AdapterOptions extends TurnProcessOptions {
  /** With this the built-in simulated agent answers in the agent's place. */
  readonly rehearsal?: RehearsalOptions;
}

/** The adapter for members of one type. */
export function createAdapter(
  agentType: string,
  { rehearsal, ...options }: AdapterOptions = {},
): AgentAdapter {
  const definition = findDefinition(agentType);
  if (!definition) {
    const known = AGENT_DEFINITIONS.flatMap(({ type, aliases }) => [type, ...aliases]);
    throw new HuddleError('UNKNOWN_AGENT_TYPE', { agentType, known });
  }
  return rehearsal ? createSimulatedAdapter(rehearsal, options) : definition.createAdapter(options);
}
