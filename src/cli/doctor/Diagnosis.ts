import type { Team } from '../../models/Team.js';
import { EXIT_CODES } from '../exitCodes.js';

/** Result of one check. */
export interface Finding {
  /** `broken`: a run would fail, and doctor does too. `doubtful`: it may. `unused`: nothing depends on it. */
  readonly state: 'works' | 'doubtful' | 'broken' | 'unused';
  readonly text: string;
  /** A way to fix it. */
  readonly advice?: string;
}

/** A reason why a run would fail: its exit code, and the command that helps. */
export interface RunVerdict {
  readonly exitCode: number;
  readonly next: string;
}

export const VERDICTS = {
  notTrusted: { exitCode: EXIT_CODES.notTrusted, next: 'huddle trust' },
  noDataFolder: { exitCode: EXIT_CODES.cannotWrite, next: 'HUDDLE_HOME=<a folder of yours> huddle doctor' },
  badConfig: { exitCode: EXIT_CODES.teamFileInvalid, next: 'huddle config' },
  badTeam: { exitCode: EXIT_CODES.teamFileInvalid, next: 'huddle team check' },
} as const satisfies Readonly<Record<string, RunVerdict>>;

/** Result of a part of the examination. */
export interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly verdict?: RunVerdict;
  /** The same for `--json`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Result of the examination of the team. */
export interface TeamDiagnosis extends Diagnosis {
  /** The team file, valid or not. */
  readonly file?: string;
  /** The team, if its file is valid. */
  readonly team?: Team;
}

export function broken(text: string, advice?: string): Finding {
  return { state: 'broken', text, advice };
}
