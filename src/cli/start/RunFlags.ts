export const OUTPUT_FORMATS = ['text', 'json', 'stream-json'] as const;
type OutputFormat = (typeof OUTPUT_FORMATS)[number];

export const EXPORT_FORMATS = ['md', 'json', 'jsonl', 'html'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** The flags that `run`, `rehearse` and `resume` have in common. */
export interface RunFlags {
  readonly message?: string;
  readonly file?: string;
  readonly outputFormat: OutputFormat;
  /** Prints only the last answer. */
  readonly final?: boolean;
  readonly maxTurns?: number;
  readonly maxUsd?: number;
  /** Models for this run: `max=opus`, or `opus` for the only agent. */
  readonly model?: readonly string[];
  /** All agents get the permission `read`. */
  readonly readOnly?: boolean;
  /** A team file. */
  readonly team?: string;
  /** The user vouches for what the team file starts, this time. */
  readonly trust?: boolean;
  /** Agents may be started although this runs inside a turn. */
  readonly nested?: boolean;
  readonly debugFile?: string;
  /** The session is not saved. */
  readonly ephemeral?: boolean;
}
