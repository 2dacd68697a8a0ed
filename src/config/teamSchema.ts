import * as z from 'zod/mini';
import { AGENT_TYPE_NAMES } from '../models/knownPrograms.js';
import { LANGUAGES } from '../models/Language.js';
import type { ModelPrice } from '../models/Team.js';
import { STORE_NAME } from '../models/Team.js';
import type { Bound } from '../models/TeamProblem.js';
import { DEFAULT_MAX_BYTES, MAX_TEAM_TASK_BYTES } from '../models/textLimits.js';
import { utf8Length } from '../utils/bytes.js';

/** The largest team; more members than anyone can follow, and a bound on what checking a file may cost. */
export const MAX_MEMBERS = 100;
export const MIN_MAX_BYTES = 1024;
/** Contents of larger files are not kept. */
const MAX_FILE_BYTES = 16 * 1024 * 1024;
/** Postgres cuts longer names of roles. */
const MAX_ROLE_CHARACTERS = 63;
/** Timers hold at most 24 days. */
const MAX_MINUTES = 7 * 24 * 60;

const text = z.string().check(z.minLength(1));
/** Text that is not empty, for other files of settings. */
export const filledText = text;
/** A text that becomes a word of a command line, in which no system has room for NUL. */
export const word = text.check(({ value, issues }) => {
  if (value.includes('\0')) issues.push(beyond({ kind: 'no-nul' }, value));
});
export const startedWords = z.array(word).check(z.minLength(1));
export const count = z.int().check(z.minimum(1));
const minutes = z.number().check(z.gt(0), z.maximum(MAX_MINUTES));
const dollars = () => z.number().check(z.minimum(0));

const name = described(
  '1 to 32 letters of one script, digits, "-" or "_". Case, "-" and "_" do not tell names apart.',
  z.string().check(z.normalize('NFC')),
);

const task = described(
  'The work of the team, at most 5 KB. Included in every prompt.',
  z.optional(
    z.string().check(({ value, issues }) => {
      const bytes = utf8Length(value);
      if (bytes <= MAX_TEAM_TASK_BYTES) return;
      issues.push(beyond({ kind: 'bytes', limit: MAX_TEAM_TASK_BYTES, bytes }, value));
    }),
  ),
);

const agentType = described(
  'The program that answers. "acp" and "command" also need a "command".',
  z.pipe(
    z.transform((value: unknown) => (typeof value === 'string' ? value.trim().toLowerCase() : value)),
    z.enum(AGENT_TYPE_NAMES),
  ),
);

const title = described('The role in a few words, such as "Architect".', z.optional(text));

const runsOn = described(
  'Role of the workers that run its turns, in a shared store. Without it they run on this machine.',
  z.optional(text.check(z.maxLength(MAX_ROLE_CHARACTERS))),
);

const humanShape = {
  type: described('A person at the terminal.', z.literal('human')),
  name,
  title,
  role: described(
    'Login of this person in a shared store. Default: the name in small letters, without "-" and "_".',
    z.optional(word),
  ),
};

const agentShape = {
  type: described(
    'An agent. "ai" and "agent" mean the same.',
    z.pipe(
      z.literal(['ai', 'agent']),
      z.transform(() => 'ai' as const),
    ),
  ),
  name,
  agentType,
  title,
  command: described('Program and first arguments. Started without a shell.', z.optional(startedWords)),
  output: described(
    'Output of a "command". text: all of it is the reply. json-lines: a record a line.',
    z.optional(z.enum(['text', 'json-lines'])),
  ),
  systemInstruction: described(
    'Instructions for this agent: who it is and how it works. A list is joined line by line.',
    z.optional(z.union([z.string(), z.array(z.string())])),
  ),
  instructionFile: described(
    'A file with more of the same, relative to the team file, at most 256 KB. Both texts are sent.',
    z.optional(text),
  ),
  model: described("The model, in the program's own words.", z.optional(word)),
  permission: described(
    'read: read-only. edit: change files in the working folder. full: full access, no sandbox.',
    z._default(z.enum(['read', 'edit', 'full']), 'read'),
  ),
  allow: described(
    "Tools allowed beyond the permission, in the program's own words.",
    z._default(z.array(word), []),
  ),
  deny: described(
    "Tools denied whatever the permission, in the program's own words.",
    z._default(z.array(word), []),
  ),
  memory: described(
    "window: each turn carries the last messages. session: the program's own session is resumed.",
    z._default(z.enum(['window', 'session']), 'window'),
  ),
  window: described(
    'Number of messages of history in a prompt.',
    z._default(z.int().check(z.minimum(0)), 20),
  ),
  visibility: described(
    'all: the whole conversation. addressed: messages to everyone, to this agent, and its own.',
    z._default(z.enum(['all', 'addressed']), 'all'),
  ),
  env: described(
    "inherit: your environment less other vendors' credentials. minimal: a short allow-list.",
    z._default(z.enum(['inherit', 'minimal']), 'inherit'),
  ),
  credentials: described(
    "Names of variables it gets in addition to its own vendor's, such as the key of another vendor.",
    z.optional(z.array(z.string().check(z.regex(/^[A-Za-z_][A-Za-z0-9_]*$/)))),
  ),
  workspace: described(
    'shared: works in the working folder. copy: always works in a copy of its own.',
    z._default(z.enum(['shared', 'copy']), 'shared'),
  ),
  check: described(
    'Only for "command": runs after every turn that changed files, and fails by its exit code.',
    z._default(z.boolean(), false),
  ),
  runsOn,
};

/** Fields of an agent that say what is started and what it may do. In the entry of a member that runs elsewhere they are refused. */
export const PROGRAM_FIELDS = [
  'command',
  'output',
  'model',
  'permission',
  'allow',
  'deny',
  'env',
  'credentials',
] as const satisfies readonly (keyof typeof agentShape)[];

/** A member that a machine runs for others: the same fields as in a team file, and its folder. */
export const workerMemberShape = {
  ...pick(agentShape, ['name', 'agentType', ...PROGRAM_FIELDS]),
  folder: described('The folder it works in. A relative path is beside the worker file.', word),
  account: described('Account of "accounts" that its turns count for.', z.optional(text)),
  askers: described('Names of "askers" that may ask it. Default: all of them.', z.optional(z.array(text))),
};

/** Limits of a single turn. */
export const turnLimitsShape = {
  idleMinutes: described('Minutes of one turn without any output.', z._default(minutes, 10)),
  turnMinutes: described('Total minutes of one turn.', z._default(minutes, 30)),
};

const routingShape = {
  fallback: described(
    'Who gets a reply without a recipient: the human who spoke last, or the next agent.',
    z._default(z.enum(['human', 'round-robin']), 'human'),
  ),
  fanout: described(
    'What several recipients see: the earlier replies, the same question, or only that.',
    z._default(z.enum(['sequential', 'same-question', 'blind']), 'sequential'),
  ),
};

const limitsShape = {
  agentTurns: described('Agent turns in a row without a human.', z._default(count, 20)),
  pairTurns: described('Alternations of the same two agents.', z._default(count, 6)),
  sameAnswer: described('Times the same reply is given.', z._default(count, 3)),
  checkRounds: described('Failed checks in a row without a human.', z._default(count, 3)),
  addressees: described('Different recipients of one message.', z._default(count, 8)),
  queue: described('Queued turns.', z._default(count, 50)),
  parallel: described('Agents of a blind round that run at the same time.', z._default(count, 8)),
  ...turnLimitsShape,
  waitMinutes: described('Minutes that a turn waits for a worker. 30 by default.', z.optional(minutes)),
  tokens: described('Tokens of the whole conversation. None by default.', z.optional(count)),
  usd: described(
    'US dollars of the whole conversation. None by default.',
    z.optional(z.number().check(z.gt(0))),
  ),
};

const priceShape = {
  input: described('US dollars per million input tokens.', dollars()),
  cachedInput: described(
    'US dollars per million cached input tokens; as "input" if absent.',
    z.optional(dollars()),
  ),
  output: described('US dollars per million output tokens.', dollars()),
};

/** Prices by model. */
export const pricesSchema = z.record(text, extensible(z.strictObject(priceShape)));

/** Prices as a file has them → as the rest of the program has them. */
export function listPrices(prices: z.output<typeof pricesSchema>): readonly ModelPrice[] {
  return Object.entries(prices).map(([model, price]) => ({ model, ...price }));
}

const contextShape = {
  maxBytes: described(
    'Largest prompt, in bytes of UTF-8.',
    z._default(z.int().check(z.minimum(MIN_MAX_BYTES)), DEFAULT_MAX_BYTES),
  ),
  guard: described(
    'Keeps message text from reading as prompt structure; fence also marks where each message ends.',
    z._default(z.enum(['on', 'off', 'fence']), 'on'),
  ),
};

const filesShape = {
  record: described(
    'Record what every turn changes. false: nothing is recorded, shown, checked or undone.',
    z._default(z.boolean(), true),
  ),
  tell: described(
    'What agents are told of changed files: their names, the diff as well, or nothing.',
    z._default(z.enum(['names', 'diff', 'nothing']), 'names'),
  ),
  readers: described(
    'When files change during the turn of a read-only agent: report it, or pause.',
    z._default(z.enum(['report', 'pause']), 'report'),
  ),
  blind: described(
    'Where agents that can edit work in a blind round: in a copy each, or in the same folder.',
    z._default(z.enum(['copies', 'shared']), 'copies'),
  ),
  setup: described(
    'Program and arguments that prepare a new copy, such as ["npm", "ci"]. Started without a shell.',
    z.optional(startedWords),
  ),
  maxFileBytes: described(
    'Larger files are listed with their size; their content is not kept and cannot be undone.',
    z._default(count, MAX_FILE_BYTES),
  ),
};

const teamShape = {
  $schema: described('Path of this schema, for editors.', z.optional(z.string())),
  version: described('Version of this format.', z.literal(1)),
  name: described('Name of the team.', z._default(text.check(z.maxLength(64)), 'team')),
  language: described(
    'Language of what agents are told about the team. English by default.',
    z.optional(z.enum(LANGUAGES)),
  ),
  task,
  members: described(
    'The members. A message without a recipient goes to the first agent here.',
    z
      .array(
        extensible(z.discriminatedUnion('type', [z.strictObject(humanShape), z.strictObject(agentShape)])),
      )
      .check(z.maxLength(MAX_MEMBERS)),
  ),
  routing: described('Rules for who is next.', z.prefault(extensible(z.strictObject(routingShape)), {})),
  limits: described(
    'Limits at which the conversation pauses.',
    z.prefault(extensible(z.strictObject(limitsShape)), {}),
  ),
  prices: described(
    'Price of each model, for programs that report tokens only.',
    z._default(pricesSchema, {}),
  ),
  context: described('Rules for building prompts.', z.prefault(extensible(z.strictObject(contextShape)), {})),
  files: described(
    'Rules for recording and sharing changes of files.',
    z.prefault(extensible(z.strictObject(filesShape)), {}),
  ),
  store: described(
    'Name of the shared store for conversations. Its address is in your own settings: huddle store add.',
    z.optional(z.string().check(z.regex(STORE_NAME))),
  ),
  retryInterrupted: described(
    'Interrupted turns of members with the permission "read" are run again, once, where no person is there: in a fleet.',
    z.optional(z.enum(['read'])),
  ),
};

/** Marks every copy of the schema as ours. */
export const TEAM_SCHEMA_DESCRIPTION = 'A Huddle team.';

/** `huddle.jsonc`. What concerns several fields at once is checked in `teamChecks.ts`. */
export const teamSchema = described(TEAM_SCHEMA_DESCRIPTION, extensible(z.strictObject(teamShape)));

export type TeamFile = z.output<typeof teamSchema>;

/** The fields that each kind of object may have. */
export const FIELDS = {
  team: Object.keys(teamShape),
  human: Object.keys(humanShape),
  ai: Object.keys(agentShape),
  routing: Object.keys(routingShape),
  limits: Object.keys(limitsShape),
  price: Object.keys(priceShape),
  context: Object.keys(contextShape),
  files: Object.keys(filesShape),
} as const satisfies Record<string, readonly string[]>;

const EXTENSION = /^x-/;

/** Gives a schema, which is of this field alone, a text for editors. */
function described<Schema extends z.ZodMiniType>(description: string, schema: Schema): Schema {
  z.globalRegistry.add(schema, { description });
  return schema;
}

function pick<Shape extends object, Field extends keyof Shape>(
  shape: Shape,
  fields: readonly Field[],
): Pick<Shape, Field> {
  return Object.fromEntries(fields.map((field) => [field, shape[field]])) as Pick<Shape, Field>;
}

/** An issue of a check of ours. */
function beyond(bound: Bound, input: unknown) {
  return { code: 'custom', input, params: { bound } } as const;
}

/** Lets an object carry `x-…` fields, which mean nothing to us. */
export function extensible<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.pipe(z.transform(withoutExtensions), schema);
}

function withoutExtensions(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([key]) => !EXTENSION.test(key)));
}

/** The same as a JSON Schema, for editors. */
export function createTeamJsonSchema(): object {
  return z.toJSONSchema(teamSchema, {
    io: 'input',
    override: ({ jsonSchema }) => {
      if (jsonSchema.additionalProperties === false)
        jsonSchema.patternProperties = { [EXTENSION.source]: {} };
    },
  });
}
