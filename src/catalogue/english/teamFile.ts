import type {
  Bound,
  ExpectedType,
  SyntaxFault,
  TeamProblem,
  TeamProblemCode,
} from '../../models/TeamProblem.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { quoteText } from '../../utils/quoteText.js';
import { counted } from '../counted.js';
import { wordFileFaults } from '../fileFaults.js';

/** A problem as sentences show it: `field` is its path, and everything from the file is quoted. */
export type ShownProblem<Code extends TeamProblemCode = TeamProblemCode> = Shown<
  Extract<TeamProblem, { code: Code }>
>;

type Shown<Problem> = Problem extends TeamProblem
  ? Omit<Problem, 'value' | 'choices'> & {
      readonly field: string;
      readonly value: string;
      readonly choices: readonly string[];
    }
  : never;

const SHORTEST = '{ "version": 1, "members": [ … ] }';

const describeFileFault = wordFileFaults({
  missing: (file) => `${file} does not exist`,
  'not-regular': (file) => `${file} is not a regular file`,
  'not-utf8': (file) => `${file} is not UTF-8 text; save it as UTF-8`,
  denied: (file) => `${file} cannot be read: permission denied`,
  'link-to-itself': (file) => `${file} is a link that points to itself`,
  'name-too-long': (file) => `${file} has a name that is too long`,
  'name-impossible': (file) => `${file} has a name that no file can have`,
  'of-the-system': (file) => `${file} is a file of the system, not yours; copy what you need from it`,
  'not-read': (file) => `${file} was not read`,
  'too-large': (file, { maxBytes }) => `${file} has more than ${maxBytes} bytes`,
  other: (file, { systemCode }) => `${file} cannot be read (${systemCode})`,
});

const syntaxFaults: Readonly<Record<SyntaxFault, (near: string, bare: string) => string>> = {
  empty: () => 'the file is empty. Create a team file with: huddle init --force',
  yaml: () => `this looks like YAML; a team file is JSON: ${SHORTEST}`,
  'not-json': () => `this is not JSON; a team file is one object: ${SHORTEST}`,
  'too-deep': (near) => `the file is nested more than ${near} levels deep`,
  comma: (near) => `expected a comma before ${near}`,
  colon: (near) => `expected a colon before ${near}`,
  'field-name': (near) => `expected a field name in double quotes before ${near}`,
  'field-value': (near) => `expected a value before ${near}`,
  brace: () => 'the file ends too early: "}" is missing',
  bracket: () => 'the file ends too early: "]" is missing',
  'after-end': (near) => `unexpected ${near} after the end of the team; a team file is one object`,
  'unquoted-name': (_near, bare) => `put the field name in double quotes: "${bare}"`,
  'single-quotes': (_near, bare) => `use double quotes: "${bare.slice(1, -1)}" instead of ${bare}`,
  'curly-quotes': (_near, bare) => `use straight double quotes: "${bare.slice(1, -1)}" instead of ${bare}`,
  'hash-comment': () => 'comments start with //, not with #',
  'extra-bracket': (near) => `unexpected ${near}: no bracket opens it`,
  unexpected: (_near, bare) => `unexpected ${bare}; put text in double quotes`,
  'open-comment': () => 'the comment is not closed; end it with */',
  'open-text': () => 'the closing double quote is missing',
  backslash: () => 'write a backslash in text twice: \\\\',
  number: (near) => `${near} is not a number`,
  'control-character': () => 'text contains a control character; write a line end as \\n, a tab as \\t',
};

/** Problems of a team file: sentences without a full stop, since a code follows. */
export const teamFileText = {
  invalid: (file: string) => `${file} is not valid:`,
  invalidTeam: 'The team is not valid:',
  more: (count: number) => `… and ${count} more`,
  /** A line: `huddle.jsonc:9:5 … [CODE]`. */
  line: (place: string, sentence: string, code: string) =>
    `${place === '' ? '' : `${place} `}${sentence} [${code}]`,
  wholeFile: 'the file',
  list: 'a list',
  object: 'an object',
  inMember: (member: string, sentence: string) => `${member}: ${sentence}`,

  /** Advice after a sentence. */
  didYouMean: (sentence: string, suggestion: string) => `${sentence}; did you mean ${suggestion}?`,
  use: (sentence: string, right: string) => `${sentence}; use ${right}`,
  write: (sentence: string, example: string) => `${sentence}; write ${example}`,
  removeQuotes: (sentence: string) => `${sentence}; remove the quotes`,

  problems: {
    SYNTAX: ({ fault, value }) => syntaxFaults[fault](value, value.slice(1, -1)),
    DUPLICATE_KEY: ({ field }) => `${field} is written twice; remove one of the two`,
    FILE_UNREADABLE: describeFileFault,
    UNKNOWN_FIELD: ({ field, member, isOfAgents, isModel }) => {
      if (isModel) return `${field} is not the name of a model`;
      if (!isOfAgents) return `unknown field ${field}`;
      return member === undefined
        ? `only agents have the field ${field}; move it into a member`
        : `only agents have the field ${field}; move it into a member of type "ai"`;
    },
    MISSING_FIELD: ({ field, pointer, choices }) => {
      if (choices.length === 0) return `${field} is missing`;
      const name = pointer.slice(pointer.lastIndexOf('/') + 1);
      return choices.length === 1
        ? `${field} is missing; add "${name}": ${choices[0]}`
        : `${field} is missing; choose one of ${choices.join(', ')}`;
    },
    WRONG_TYPE: ({ field, pointer, value, expected }) => {
      const sentence = `${field} must be ${expectedTypes[expected]}, not ${value}`;
      return pointer === '' ? `${sentence}; start with ${SHORTEST}` : sentence;
    },
    UNKNOWN_VALUE: ({ field, value, choices }) =>
      choices.length === 1
        ? `${field} must be ${choices[0]}, not ${value}`
        : `${field} must be one of ${choices.join(', ')}, not ${value}`,
    OUT_OF_RANGE: ({ field, value, bound }) => describeBound(field, value, bound),
    NAME_INVALID: ({ field, maxLength }) =>
      `${field} must be 1 to ${maxLength} letters, digits, "-" or "_", with at least one letter or digit`,
    NAME_RESERVED: ({ value }) => `${value} is a reserved word; choose another name`,
    NAME_MIXED_SCRIPTS: ({ value, scripts }) =>
      `${value} mixes letters that can be mistaken for each other (${scripts.map((script) => (script === 'other' ? 'another script' : script)).join(' and ')})`,
    NAME_TAKEN: ({ value, first }) =>
      `${value} is the same name as ${quoteText(first.name)} in members[${first.index}]; case, width, "-" and "_" do not matter`,
    NO_MEMBERS: ({ field }) => `${field} is empty; add an agent and a person`,
    NO_AGENT: ({ field }) => `${field} has no agent; add a member of type "ai"`,
    NO_HUMAN: ({ field }) => `${field} has no person to talk to; add { "name": "you", "type": "human" }`,
    COMMAND_MISSING: ({ field, agentType }) =>
      `${field} is missing; agent type "${agentType}" has no program of its own`,
    OUTPUT_UNSUPPORTED: ({ field, label }) =>
      `${field} is only for agent type "command"; Huddle knows what ${label} prints. Remove it`,
    TOOL_LIST_UNSUPPORTED: ({ field, label }) =>
      `${field} is not supported for ${label}; remove it and choose a "permission"`,
    CHECK_UNSUPPORTED: ({ field }) =>
      `${field} is only for agent type "command", whose exit code tells whether it passed; remove it`,
    NEEDS_RECORD: ({ field }) =>
      `${field} needs the record of files; remove it, or set "files.record" to true`,
    OF_THE_WORKER: ({ field, runsOn }) =>
      `${field} is decided by the worker file of ${quoteText(runsOn)}; remove it here, or remove "runsOn"`,
    KEY_INVALID: ({ field }) =>
      `${field} is not a public key; copy the one that huddle key prints: "ed25519:…"`,
    NAME_UNDEFINED: ({ value, list, known }) =>
      known.length === 0
        ? `${value} is not in "${list}", which is empty`
        : `${value} is not in "${list}"; it has ${known.map((name) => quoteText(name)).join(', ')}`,
    ASKERS_MISSING: ({ field }) =>
      `${field} is missing; permission "full" needs a list of its own, such as "askers": ["kim"]`,
    FALLBACK_CYCLE: ({ field, value, agent }) =>
      `${field} ${value} would have the only agent answer itself: ${quoteText(agent)} -> ${quoteText(agent)}`,
    INSTRUCTION_FILE_UNREADABLE: describeFileFault,
    INSTRUCTION_FILE_OUTSIDE: ({ field, value }) =>
      `${field} ${value} leads out of the folder of the team file; move it inside, or allow it with: huddle trust`,
    INSTRUCTION_FILE_TOO_LARGE: describeFileFault,
    SYSTEM_TEXT_TOO_LARGE: ({ field, bytes, maxBytes }) =>
      `${field} takes, with the rest of the system prompt, ${bytes} bytes; half of context.maxBytes is ${maxBytes}. ` +
      'Shorten the text or raise context.maxBytes',
    PRICE_UNKNOWN: ({ field, priceName }) =>
      priceName === undefined
        ? `${field} has no known price, so limits.usd cannot count it; set limits.tokens as well, or name its "model" and add that to "prices"`
        : `${field} has no known price, so limits.usd cannot count it; set limits.tokens as well, or add the price: huddle config set prices.${quoteForShell(priceName)} <input> <output>`,
  } satisfies { [Code in TeamProblemCode]: (problem: ShownProblem<Code>) => string },
};

const expectedTypes: Readonly<Record<ExpectedType, string>> = {
  text: 'text',
  number: 'a number',
  'whole-number': 'a whole number',
  'true-or-false': 'true or false',
  list: 'a list',
  'list-of-words': 'a list of words',
  object: 'an object',
  'text-or-list': 'text or a list of texts',
  'variable-name': 'the name of an environment variable',
  'store-name': 'the name of a shared store, as huddle store list shows it',
  'something-else': 'of another type',
};

function describeBound(field: string, value: string, bound: Bound): string {
  switch (bound.kind) {
    case 'at-least':
      return `${field} must be at least ${bound.limit}, not ${value}`;
    case 'more-than':
      return `${field} must be more than ${bound.limit}, not ${value}`;
    case 'at-most':
      return `${field} must be at most ${bound.limit}, not ${value}`;
    case 'characters':
      return `${field} must have at most ${counted(bound.limit, 'character')}`;
    case 'entries':
      return `${field} must have at most ${counted(bound.limit, 'entry', 'entries')}`;
    case 'bytes':
      return `${field} must have at most ${bound.limit} bytes, not ${bound.bytes}`;
    case 'not-empty':
      return `${field} must not be empty`;
    case 'no-nul':
      return `${field} must not contain the character NUL`;
  }
}
