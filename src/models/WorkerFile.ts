import type { AgentMember } from './Team.js';

/** Members and teams that one machine runs for others: the only source of what a worker starts. */
export interface WorkerFile {
  /** Name of the shared store. */
  readonly store?: string;
  /** Turns that run at the same time. */
  readonly atOnce: number;
  /** Public keys whose requests are run, by the name that this file gives them. */
  readonly askers: ReadonlyMap<string, string>;
  /** Turns that run at the same time on an account, over all workers of the store. */
  readonly accounts: ReadonlyMap<string, number>;
  readonly members: readonly WorkerMember[];
  /** Conversations that it holds, by the name of their team. */
  readonly teams: ReadonlyMap<string, WorkerTeam>;
  readonly limits: WorkerLimits;
}

/** A member whose turns this machine runs. */
export interface WorkerMember {
  /** As `AgentManager` takes it: program, permission, lists, environment and model are from this file. */
  readonly member: AgentMember;
  /** The folder that it works in. */
  readonly folder: string;
  readonly account?: string;
  /** Names of those askers that may ask it. Absent: all of the file. */
  readonly askers?: readonly string[];
}

/** A team whose conversations this machine holds. */
export interface WorkerTeam {
  readonly file: string;
  readonly folder: string;
  /** Program and arguments that make the folder of a conversation ready and print it on their last line. */
  readonly prepare?: readonly string[];
}

/** Limits of a turn; a request can ask for less, never for more. */
export interface WorkerLimits {
  readonly idleMinutes: number;
  readonly turnMinutes: number;
}

/** Reason why a worker does not hold a conversation that it was asked for. */
export type FleetRefusal =
  | { readonly because: 'unknown-key'; readonly asker: string; readonly key: string }
  | { readonly because: 'no-team'; readonly team: string }
  | { readonly because: 'no-person'; readonly asker: string; readonly team: string }
  | { readonly because: 'team-unusable' | 'not-prepared'; readonly team: string }
  | {
      readonly because:
        | 'bad-subject'
        | 'expired'
        | 'asked-before'
        | 'bad-signature'
        | 'other-store'
        | 'other-turn'
        | 'newer-version'
        | 'unreadable'
        | 'other-conversation';
    };
