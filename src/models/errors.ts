import { type ErrorFacts, errorText } from '../catalogue/english/errors.js';

export type {
  EventFault,
  ImportFault,
  StoreDamage,
  StoreDistrust,
  StoredThing,
  StoreLack,
  StoreUrlFault,
} from '../catalogue/english/errors.js';
export { reasonInEnglish } from '../catalogue/english/errors.js';

/** Facts that the sentence of an error is made from; none for codes whose sentence is made where they are thrown. */
type FactsOf<Code extends string> = Code extends keyof ErrorFacts ? ErrorFacts[Code] : never;

/**
 * Every expected failure of Huddle: callers branch on `code`. `message` is in English; people read the sentence that the
 * catalogue of their language makes of `code` and `facts`.
 */
export class HuddleError<Code extends string = string> extends Error {
  readonly code: Code;
  /** Absent if the message was made for people already. */
  readonly facts?: object;
  /** Makes the message again, in the language that is spoken then; only where it was made of words and not of facts. */
  readonly say?: () => string;

  constructor(code: Code, told: string | (() => string) | FactsOf<Code>, options?: ErrorOptions) {
    super(messageOf(code, told), options);
    this.name = new.target.name;
    this.code = code;
    if (isSentence(told)) this.say = told;
    else if (typeof told !== 'string') this.facts = told;
  }
}

function messageOf(code: string, told: string | (() => string) | object): string {
  if (typeof told === 'string') return told;
  return isSentence(told) ? told() : sayInEnglish(code, told);
}

/** No facts are a function, which the compiler cannot see of a type that depends on the code. */
function isSentence(told: string | object): told is () => string {
  return typeof told === 'function';
}

function sayInEnglish(code: string, facts: object): string {
  // The compiler does not see that the code of an error chooses the sentence that takes its facts.
  const sentence = errorText[code as keyof ErrorFacts] as (facts: object) => string;
  return sentence(facts);
}

/** Bytes of each part of a prompt, as it would have been sent. */
export interface SectionBytes extends Readonly<Record<'system' | 'task' | 'context' | 'message', number>> {
  /** Absent in a prompt that tells of no changed files. */
  readonly files?: number;
}

interface BudgetFacts {
  readonly maxBytes: number;
  /** The smallest budget that would have been enough. */
  readonly neededBytes: number;
  readonly sections: SectionBytes;
}

/** The parts that are never cut do not fit into the byte budget. */
export class PromptBudgetError extends HuddleError<'PROMPT_BUDGET'> implements BudgetFacts {
  readonly maxBytes: number;
  readonly neededBytes: number;
  readonly sections: SectionBytes;

  constructor(facts: BudgetFacts) {
    super('PROMPT_BUDGET', describeBudgetError(facts));
    this.maxBytes = facts.maxBytes;
    this.neededBytes = facts.neededBytes;
    this.sections = facts.sections;
  }
}

/** An option has a value that cannot be used; nothing was changed. */
export class InvalidOptionError extends HuddleError<'INVALID_OPTION'> {
  readonly option: string;
  readonly value: unknown;

  constructor(option: string, value: unknown, expectation: string) {
    super('INVALID_OPTION', `${option} must be ${expectation}, not ${String(value)}`);
    this.option = option;
    this.value = value;
  }
}

/** A snapshot was refused as a whole; `path` names the first field that is wrong. */
export class InvalidSnapshotError extends HuddleError<'INVALID_SNAPSHOT'> {
  readonly path: string;

  constructor(path: string, reason: string) {
    super('INVALID_SNAPSHOT', `Invalid snapshot format: ${path} ${reason}`);
    this.path = path;
  }
}

/** A message id that this conversation does not have. */
export class UnknownMessageError extends HuddleError<'UNKNOWN_MESSAGE'> {
  readonly messageId: string;

  constructor(option: string, messageId: string) {
    super('UNKNOWN_MESSAGE', `${option}: there is no message "${messageId}" in this conversation`);
    this.messageId = messageId;
  }
}

function describeBudgetError({ maxBytes, neededBytes, sections }: BudgetFacts): string {
  const sizes = Object.entries(sections)
    .map(([name, bytes]) => `${name} ${bytes}`)
    .join(', ');
  return (
    `The prompt does not fit into ${maxBytes} bytes: at least ${neededBytes} are needed (${sizes}). ` +
    `Shorten the ${largestFixedPart(sections)} or raise maxBytes.`
  );
}

function largestFixedPart(sections: SectionBytes): string {
  const { system, task, message } = sections;
  if (system >= task && system >= message) return 'system instruction or instruction file';
  return task >= message ? 'team task' : 'message';
}
