import type { AgentType } from './AgentConfig.js';
import type { MemberId } from './ids.js';
import type { Language } from './Language.js';

/** Permission of an agent: read-only, edit files in the working folder, or full access. */
export type Permission = 'read' | 'edit' | 'full';

/** `window`: each turn carries the last messages. `session`: the agent's own session is resumed. */
export type Memory = 'window' | 'session';

/** `all`: the whole conversation. `addressed`: messages to everybody, to this member, and its own. */
export type Visibility = 'all' | 'addressed';

/** `inherit`: the user's environment less other vendors' credentials; `minimal`: a short allow-list. */
export type EnvironmentMode = 'inherit' | 'minimal';

export type CommandOutput = 'text' | 'json-lines';

interface MemberBase {
  readonly id: MemberId;
  readonly name: string;
  readonly title?: string;
}

export interface HumanMember extends MemberBase {
  readonly type: 'human';
  /** The role of a shared store that speaks as this person. Default: the name, as routing folds it. */
  readonly role?: string;
}

export interface AgentMember extends MemberBase {
  readonly type: 'ai';
  /** Normalised, see `AgentConfig.ts`. */
  readonly agentType: AgentType;
  /** Program and first arguments, where they differ from the agent type's own. */
  readonly command?: readonly string[];
  /** Its program lies inside the project, so nothing is known of it, whatever its name. Looked up, never in a file. */
  readonly isProjectProgram?: boolean;
  /** Output format of a `command`: text, or a record a line. */
  readonly output?: CommandOutput;
  /** Text from the team file. Sent together with the text of the instruction file, never in place of it. */
  readonly systemInstruction?: string;
  /** Path of the file with `instructionFileText`, links resolved. */
  readonly instructionFile?: string;
  readonly instructionFileText?: string;
  readonly model?: string;
  readonly permission: Permission;
  /** Tools allowed or refused beyond `permission`, in the words of the agent. */
  readonly allow: readonly string[];
  readonly deny: readonly string[];
  readonly memory: Memory;
  readonly window: number;
  readonly visibility: Visibility;
  readonly env: EnvironmentMode;
  /** Names of variables that it gets in addition to those of its own vendor. */
  readonly credentials?: readonly string[];
  /** `copy`: it always works in a copy of the folder, its own. Default: in the folder itself. */
  readonly workspace?: 'shared' | 'copy';
  /** It runs after every turn that changed files and says by its exit code whether they are good. */
  readonly check?: boolean;
  /** The role of the workers that run its turns, in a shared store. Absent: they run on this machine. */
  readonly runsOn?: string;
}

export type Member = HumanMember | AgentMember;

export interface Routing {
  /** Recipient of an agent's reply that names none: the human who spoke last, or the next agent in the file. */
  readonly fallback: 'human' | 'round-robin';
  /** View of several recipients of one message: each other's replies, the same question, or only that. */
  readonly fanout: 'sequential' | 'same-question' | 'blind';
}

/** Limits at which a conversation pauses. `undefined` is no limit. */
export interface Limits {
  /** Agent turns in a row without a human. */
  readonly agentTurns: number;
  /** Turns in which the same two agents take turns. */
  readonly pairTurns: number;
  /** Times the same answer is given without a human speaking. */
  readonly sameAnswer: number;
  /** Different addressees of one message. */
  readonly addressees: number;
  /** Failed checks in a row without a human speaking. */
  readonly checkRounds?: number;
  /** Turns that wait. */
  readonly queue: number;
  /** Agents of a blind round that run at the same time. */
  readonly parallel: number;
  /** Minutes of one turn without any output. */
  readonly idleMinutes: number;
  /** Total minutes of one turn. */
  readonly turnMinutes: number;
  /** Minutes that a turn waits for a worker. */
  readonly waitMinutes?: number;
  readonly tokens?: number;
  readonly usd?: number;
}

/** US dollars per million tokens, for agents that report tokens only. */
export interface ModelPrice {
  readonly model: string;
  readonly input: number;
  /** Price of input read from the vendor's cache; that of `input` if absent. */
  readonly cachedInput?: number;
  readonly output: number;
}

export interface ContextSettings {
  /** Largest prompt, in bytes of UTF-8. */
  readonly maxBytes: number;
  /** Protection against message text that looks like prompt structure. */
  readonly guard: 'on' | 'off' | 'fence';
}

/** Rules for recording changes of files, telling them and keeping them apart. Absent fields have their defaults. */
export interface FileSettings {
  /** Default: true. False: nothing is recorded, shown, checked or put back. */
  readonly record?: boolean;
  /** Extent to which members are told of changed files. Default: their names. */
  readonly tell?: 'names' | 'diff' | 'nothing';
  /** Consequence of a change in the turn of a member that may only read. Default: people are told. */
  readonly readers?: 'report' | 'pause';
  /** Place where members that may edit work in a blind round. Default: a copy each. */
  readonly blind?: 'copies' | 'shared';
  /** Program and arguments that prepare a new copy. */
  readonly setup?: readonly string[];
  /** Contents of larger files are not kept. Default: 16 MB. */
  readonly maxFileBytes?: number;
}

export interface Team {
  readonly name: string;
  /** Language of what agents are told about the team; English if absent. */
  readonly language?: Language;
  readonly task?: string;
  readonly members: readonly Member[];
  readonly routing: Routing;
  readonly limits: Limits;
  readonly prices: readonly ModelPrice[];
  readonly context: ContextSettings;
  readonly files?: FileSettings;
  /** Name of the shared store that its conversations are kept in. What the name means is in the user's own settings. */
  readonly store?: string;
  /** `read`: an interrupted turn of a member that may only read is run again, once, where no person is there. Default: none is. */
  readonly retryInterrupted?: 'read';
}

/** The member with this id; members that have left the team are not found. */
export function findMember<Found extends { readonly id: string }>(
  { members }: { readonly members: readonly Found[] },
  id: string,
): Found | undefined {
  return members.find((member) => member.id === id);
}

/** Names of shared stores, as team files and the command line have them. */
export const STORE_NAME = /^[A-Za-z0-9][A-Za-z0-9._-]{0,31}$/;

/** File names of a team file, in the order of the search. */
export const TEAM_FILE_NAMES = ['huddle.jsonc', 'huddle.json'] as const;

/** The schema that `huddle init` puts next to it. */
export const SCHEMA_COPY_NAME = 'huddle.schema.json';
