import type { Language } from '../models/Language.js';
import type {
  CommandOutput,
  ContextSettings,
  EnvironmentMode,
  FileSettings,
  Limits,
  Memory,
  ModelPrice,
  Permission,
  Routing,
  Team,
  Visibility,
} from '../models/Team.js';
import { TeamFileError } from './readRegularFile.js';
import { type ResolveOptions, resolveTeam } from './resolveTeam.js';

/**
 * Creates a team in code: checks it and fills in the defaults. Reads nothing from disk, so there is no `instructionFile`:
 * read the text yourself and pass it as `systemInstruction`.
 *
 * @param input What stands in a `huddle.jsonc`; `version` may be left out.
 * @param options `interactive: true` refuses a team without a person.
 * @returns The team, ready for `createConversation`.
 * @throws {@link TeamFileError} with all `problems` if the team is not valid. Nothing was started.
 *
 * @example
 * ```ts
 * const team = defineTeam({
 *   members: [
 *     { name: 'you', type: 'human' },
 *     { name: 'author', type: 'ai', agentType: 'claude', permission: 'edit' },
 *     { name: 'reviewer', type: 'ai', agentType: 'codex' },
 *   ],
 *   limits: { agentTurns: 8 },
 * });
 * ```
 */
export function defineTeam(input: TeamInput, options: Pick<ResolveOptions, 'interactive'> = {}): Team {
  const result = resolveTeam({ version: 1, ...input }, options);
  if (!result.ok) throw new TeamFileError(result.problems);
  return result.team;
}

/** Fields that begin with `x-` are yours; Huddle ignores them. */
interface Extensible {
  readonly [extension: `x-${string}`]: unknown;
}

/**
 * A team as you write it in code: what stands in `huddle.jsonc`. Everything with a default may be left out.
 * `defineTeam` checks it and fills it in.
 */
export interface TeamInput extends Extensible {
  /** Path of this schema, for editors. */
  readonly $schema?: string;
  /** Version of this format. */
  readonly version?: 1;
  /** Name of the team. Default: "team". */
  readonly name?: string;
  /** Language of what agents are told about the team. English by default. */
  readonly language?: Language;
  /** The work of the team, at most 5 KB. Included in every prompt. */
  readonly task?: string;
  /** The members. A message without a recipient goes to the first agent here. */
  readonly members: readonly MemberInput[];
  /** Rules for who is next. */
  readonly routing?: Partial<Routing> & Extensible;
  /** Limits at which the conversation pauses. */
  readonly limits?: Partial<Limits> & Extensible;
  /** Price of each model, for programs that report tokens only. */
  readonly prices?: Readonly<Record<string, Omit<ModelPrice, 'model'> & Extensible>>;
  /** Rules for building prompts. */
  readonly context?: Partial<ContextSettings> & Extensible;
  /** Rules for recording and sharing changes of files. */
  readonly files?: FileSettings & Extensible;
  /** Name of the shared store for conversations. Its address is in your own settings: huddle store add. */
  readonly store?: string;
  /** Interrupted turns of members with the permission "read" are run again, once, where no person is there: in a fleet. */
  readonly retryInterrupted?: 'read';
}

/** A member of a `TeamInput`: a person, or an agent. */
export type MemberInput = HumanInput | AgentInput;

/** A person of a `TeamInput`. */
export interface HumanInput extends Extensible {
  /** A person at the terminal. */
  readonly type: 'human';
  /** 1 to 32 letters of one script, digits, "-" or "_". Case, "-" and "_" do not tell names apart. */
  readonly name: string;
  /** The role in a few words, such as "Architect". */
  readonly title?: string;
  /** Login of this person in a shared store. Default: the name in small letters, without "-" and "_". */
  readonly role?: string;
}

/** An agent of a `TeamInput`. */
export type AgentInput = AgentFields & (WithOwnProgram | WithCommand | WithWorker);

/** An agent type with a program of its own. */
interface WithOwnProgram {
  readonly agentType: Exclude<AgentTypeName, WithCommand['agentType']>;
  readonly command?: readonly string[];
}

/** An agent type that is told which program to start. */
interface WithCommand {
  readonly agentType: 'acp' | 'command';
  readonly command: readonly string[];
}

/** An agent whose program is known to the worker that runs it. */
interface WithWorker {
  readonly agentType: AgentTypeName;
  readonly runsOn: string;
}

interface AgentFields extends Extensible {
  /** An agent. "ai" and "agent" mean the same. */
  readonly type: 'ai' | 'agent';
  /** 1 to 32 letters of one script, digits, "-" or "_". Case, "-" and "_" do not tell names apart. */
  readonly name: string;
  /** The program that answers. "acp" and "command" also need a "command". */
  readonly agentType: AgentTypeName;
  /** The role in a few words, such as "Architect". */
  readonly title?: string;
  /** Program and first arguments. Started without a shell. */
  readonly command?: readonly string[];
  /** Output of a "command". text: all of it is the reply. json-lines: a record a line. */
  readonly output?: CommandOutput;
  /** Instructions for this agent: who it is and how it works. A list is joined line by line. */
  readonly systemInstruction?: string | readonly string[];
  /** The model, in the program's own words. */
  readonly model?: string;
  /** read: read-only. edit: change files in the working folder. full: full access, no sandbox. Default: "read". */
  readonly permission?: Permission;
  /** Tools allowed beyond the permission, in the program's own words. */
  readonly allow?: readonly string[];
  /** Tools denied whatever the permission, in the program's own words. */
  readonly deny?: readonly string[];
  /** window: each turn carries the last messages. session: the program's own session is resumed. Default: "window". */
  readonly memory?: Memory;
  /** Number of messages of history in a prompt. Default: 20. */
  readonly window?: number;
  /** all: the whole conversation. addressed: messages to everyone, to this agent, and its own. Default: "all". */
  readonly visibility?: Visibility;
  /** inherit: your environment less other vendors' credentials. minimal: a short allow-list. Default: "inherit". */
  readonly env?: EnvironmentMode;
  /** Names of variables it gets in addition to its own vendor's, such as the key of another vendor. */
  readonly credentials?: readonly string[];
  /** shared: works in the working folder. copy: always works in a copy of its own. Default: "shared". */
  readonly workspace?: 'shared' | 'copy';
  /** Only for "command": runs after every turn that changed files, and fails by its exit code. Default: false. */
  readonly check?: boolean;
  /** Role of the workers that run its turns, in a shared store. Without it they run on this machine. */
  readonly runsOn?: string;
}

/** Value of `agentType`: the program that answers. */
export type AgentTypeName =
  | 'claude'
  | 'codex'
  | 'gemini'
  | 'opencode'
  | 'qwen'
  | 'copilot'
  | 'acp'
  | 'command'
  | 'claude-code'
  | 'openai-codex'
  | 'google-gemini'
  | 'claude-agent-acp'
  | 'codex-acp';
