import type { OutputFormat } from './outputFormats.js';

/** The flags that `run`, `rehearse` and `resume` have in common. */
export interface RunFlags {
  readonly message?: string;
  readonly file?: string;
  readonly outputFormat: OutputFormat;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  /** A team file. */
  readonly team?: string;
  /** The user vouches for what the team file starts, this time. */
  readonly trust?: boolean;
  /** Agents may be started although this runs inside a turn. */
  readonly nested?: boolean;
  readonly debugFile?: string;
}
