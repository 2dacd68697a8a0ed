/** Facts of each problem of a team file, by its code. The sentences are in the catalogue. */
interface ProblemFacts {
  /**
   * The text is not JSON with comments; `value` is the text at that place, absent where the file ends, and of a file that
   * is nested too deep the limit.
   */
  SYNTAX: { readonly fault: SyntaxFault };
  DUPLICATE_KEY: object;
  /** The team file itself cannot be read: not there, not a regular file, too large, not UTF-8. */
  FILE_UNREADABLE: FileFault;
  /** `value` is the name of the field only, since its content may be a secret. */
  UNKNOWN_FIELD: ProblemAdvice & {
    /** Agents have this field, and it stands in a person or beside the members. */
    readonly isOfAgents?: true;
    /** The name of a model that no program can have. */
    readonly isModel?: true;
  };
  MISSING_FIELD: { readonly choices?: readonly unknown[] };
  WRONG_TYPE: ProblemAdvice & { readonly expected: ExpectedType };
  UNKNOWN_VALUE: ProblemAdvice & { readonly choices: readonly unknown[] };
  OUT_OF_RANGE: { readonly bound: Bound };
  NAME_INVALID: { readonly maxLength: number; readonly use?: string };
  NAME_RESERVED: object;
  /** `scripts` are Unicode's names, or `other`. */
  NAME_MIXED_SCRIPTS: { readonly scripts: readonly string[] };
  NAME_TAKEN: { readonly first: { readonly name: string; readonly index: number } };
  NO_MEMBERS: object;
  NO_AGENT: object;
  NO_HUMAN: object;
  COMMAND_MISSING: { readonly agentType: string };
  /** `output` for an agent whose output Huddle knows. */
  OUTPUT_UNSUPPORTED: { readonly label: string };
  /** `allow` or `deny` for a program that has no such thing. */
  TOOL_LIST_UNSUPPORTED: { readonly label: string };
  /** `check` for an agent that has no exit code to go by. */
  CHECK_UNSUPPORTED: object;
  /** `workspace` or `check` for a member while `files.record` is false. */
  NEEDS_RECORD: object;
  /** A field beside `runsOn` that only the worker's own file may have. */
  OF_THE_WORKER: { readonly runsOn: string };
  /** A value of `askers` in a worker file is no public key. */
  KEY_INVALID: object;
  /** A name that `askers` or `accounts` of the same worker file does not have. */
  NAME_UNDEFINED: { readonly list: 'askers' | 'accounts'; readonly known: readonly string[] };
  /** A member of a worker file with the permission `full` has no `askers` of its own. */
  ASKERS_MISSING: object;
  /** Replies without a recipient would go round for ever. */
  FALLBACK_CYCLE: { readonly agent: string };
  INSTRUCTION_FILE_UNREADABLE: FileFault;
  INSTRUCTION_FILE_OUTSIDE: object;
  INSTRUCTION_FILE_TOO_LARGE: FileFault;
  /** The system prompt, which is never cut, takes more than half of every prompt. */
  SYSTEM_TEXT_TOO_LARGE: { readonly bytes: number; readonly maxBytes: number };
  /** Only ever a warning: a money limit cannot see what this member spends. */
  PRICE_UNKNOWN: {
    /** The name its price would have in `prices`; absent while the model is not named. */
    readonly priceName?: string;
  };
}

export type TeamProblemCode = keyof ProblemFacts;

/** The advice that a problem comes with: the right spelling, or how it is written. */
export interface ProblemAdvice {
  /** The nearest spelling that would have been right: a guess. */
  readonly suggestion?: string;
  /** The word for what is plainly meant; of a field its path. */
  readonly use?: string;
  /** The whole value, as it is written. */
  readonly example?: unknown;
  /** The value would be right without its quotes. */
  readonly isQuoted?: true;
}

export type SyntaxFault =
  | 'empty'
  | 'yaml'
  | 'not-json'
  | 'too-deep'
  | 'comma'
  | 'colon'
  | 'field-name'
  | 'field-value'
  | 'brace'
  | 'bracket'
  | 'after-end'
  | 'unquoted-name'
  | 'single-quotes'
  | 'curly-quotes'
  | 'hash-comment'
  | 'extra-bracket'
  | 'unexpected'
  | 'open-comment'
  | 'open-text'
  | 'backslash'
  | 'number'
  | 'control-character';

export type ExpectedType =
  | 'text'
  | 'number'
  | 'whole-number'
  | 'true-or-false'
  | 'list'
  | 'list-of-words'
  | 'object'
  | 'text-or-list'
  | 'variable-name'
  | 'store-name'
  | 'something-else';

/** The bound that a value is beyond. */
export type Bound =
  | { readonly kind: 'at-least' | 'more-than' | 'at-most'; readonly limit: number }
  | { readonly kind: 'characters' | 'entries'; readonly limit: number }
  | { readonly kind: 'bytes'; readonly limit: number; readonly bytes: number }
  | { readonly kind: 'not-empty' | 'no-nul' };

/** The reason that a file was not read. */
export type FileFault =
  | {
      readonly fault:
        | 'missing'
        | 'not-regular'
        | 'not-utf8'
        | 'denied'
        | 'link-to-itself'
        | 'name-too-long'
        | 'name-impossible'
        | 'of-the-system'
        | 'not-read';
    }
  | { readonly fault: 'too-large'; readonly maxBytes: number }
  /** Anything else, with the code of the system. */
  | { readonly fault: 'other'; readonly systemCode: string };

/** A problem of a team file: a code, the place, and the facts of that code. */
export type TeamProblem = {
  [Code in TeamProblemCode]: {
    readonly code: Code;
    /** JSON pointer (RFC 6901) of the field; `''` is the whole file. */
    readonly pointer: string;
    /** The value found. */
    readonly value: unknown;
    /** Name of the member that the field is of, as the file has it. */
    readonly member?: string;
    /** Both count from 1. Absent when the team did not come from a file. */
    readonly position?: { readonly line: number; readonly column: number };
  } & ProblemFacts[Code];
}[TeamProblemCode];
