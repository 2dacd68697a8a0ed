import type { TeamProblemCode } from './TeamProblem.js';

/** Result of reading a member's instruction file. */
export type InstructionFile =
  | { readonly ok: true /** Absolute, links resolved. */; readonly path: string; readonly text: string }
  | { readonly ok: false; readonly code: InstructionFileCode; readonly reason: string };

type InstructionFileCode = Extract<TeamProblemCode, `INSTRUCTION_FILE_${string}`>;

/** By the path as the team file has it. */
export type InstructionFiles = ReadonlyMap<string, InstructionFile>;
