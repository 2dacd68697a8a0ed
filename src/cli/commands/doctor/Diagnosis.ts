import type { Catalogue } from '../../../catalogue/words.js';
import type { Team } from '../../../models/Team.js';
import type { Login } from '../../../models/TurnOutcome.js';
import { EXIT_CODES } from '../../start/exitCodes.js';

/** Result of one check. */
export interface Finding {
  /** `broken`: a run would fail, and doctor does too. `doubtful`: it may. `unused`: nothing depends on it. */
  readonly state: 'works' | 'doubtful' | 'broken' | 'unused';
  readonly text: string;
  /** A way to fix it. */
  readonly advice?: string;
}

/** A step to take next: one of those in the catalogue, a command, or a login. */
type NextStep = keyof Catalogue['doctor']['steps'] | { readonly run: string } | { readonly logIn: Login };

/** A reason why a run would fail: its exit code, and the step that helps. */
export interface RunVerdict {
  readonly exitCode: number;
  readonly next: NextStep;
}

/** A step in the words of a language. */
export function nameStep(step: NextStep, { doctor: { steps, logIn } }: Catalogue): string {
  if (typeof step === 'string') return steps[step];
  return 'run' in step ? step.run : logIn(step.logIn);
}

export const VERDICTS = {
  notTrusted: { exitCode: EXIT_CODES.notTrusted, next: 'trust' },
  noDataFolder: { exitCode: EXIT_CODES.cannotWrite, next: 'moveData' },
  badConfig: { exitCode: EXIT_CODES.teamFileInvalid, next: 'config' },
  badTeam: { exitCode: EXIT_CODES.teamFileInvalid, next: 'check' },
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
