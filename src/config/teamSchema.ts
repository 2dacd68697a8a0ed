import { z } from 'zod';
import { AGENT_TYPE_NAMES } from '../models/agentTypeNames.js';
import { LANGUAGES } from '../models/Language.js';
import { DEFAULT_MAX_BYTES, MAX_TEAM_TASK_BYTES } from '../models/promptLimits.js';
import type { ModelPrice } from '../models/Team.js';
import type { Bound } from '../models/TeamProblem.js';
import { utf8Length } from '../utils/bytes.js';

/** The largest team; more members than anyone can follow, and a bound on what checking a file may cost. */
export const MAX_MEMBERS = 100;
export const MIN_MAX_BYTES = 1024;
/** Timers hold at most 24 days. */
const MAX_MINUTES = 7 * 24 * 60;

const text = z.string().min(1);
/** A text that becomes a word of a command line, in which no system has room for NUL. */
const word = text.check(({ value, issues }) => {
  if (value.includes('\0')) issues.push(beyond({ kind: 'no-nul' }, value));
});
const count = z.int().min(1);
const minutes = z.number().gt(0).max(MAX_MINUTES);
const dollars = z.number().min(0);

const name = z
  .string()
  .normalize('NFC')
  .describe('1 to 32 letters of one script, digits, "-" or "_". Case, "-" and "_" do not tell names apart.');

const task = z
  .string()
  .check(({ value, issues }) => {
    const bytes = utf8Length(value);
    if (bytes <= MAX_TEAM_TASK_BYTES) return;
    issues.push(beyond({ kind: 'bytes', limit: MAX_TEAM_TASK_BYTES, bytes }, value));
  })
  .optional()
  .describe('The work of the team, at most 5 KB. Included in every prompt.');

const agentType = z
  .preprocess(
    (value) => (typeof value === 'string' ? value.trim().toLowerCase() : value),
    z.enum(AGENT_TYPE_NAMES),
  )
  .describe('The program that answers. "acp" and "command" also need a "command".');

const title = text.optional().describe('The role in a few words, such as "Architect".');

const humanShape = {
  type: z.literal('human').describe('A person at the terminal.'),
  name,
  title,
};

const agentShape = {
  type: z
    .literal(['ai', 'agent'])
    .transform(() => 'ai' as const)
    .describe('An agent. "ai" and "agent" mean the same.'),
  name,
  agentType,
  title,
  command: z.array(word).min(1).optional().describe('Program and first arguments. Started without a shell.'),
  output: z
    .enum(['text', 'json-lines'])
    .optional()
    .describe('Output of a "command". text: all of it is the reply. json-lines: a record a line.'),
  systemInstruction: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .describe('Instructions for this agent: who it is and how it works. A list is joined line by line.'),
  instructionFile: text
    .optional()
    .describe(
      'A file with more of the same, relative to the team file, at most 256 KB. Both texts are sent.',
    ),
  model: word.optional().describe("The model, in the program's own words."),
  permission: z
    .enum(['read', 'edit', 'full'])
    .default('read')
    .describe('read: read-only. edit: change files in the working folder. full: full access, no sandbox.'),
  allow: z
    .array(word)
    .default([])
    .describe("Tools allowed beyond the permission, in the program's own words."),
  deny: z
    .array(word)
    .default([])
    .describe("Tools denied whatever the permission, in the program's own words."),
  memory: z
    .enum(['window', 'session'])
    .default('window')
    .describe("window: each turn carries the last messages. session: the program's own session is resumed."),
  window: z.int().min(0).default(20).describe('Number of messages of history in a prompt.'),
  visibility: z
    .enum(['all', 'addressed'])
    .default('all')
    .describe('all: the whole conversation. addressed: messages to everyone, to this agent, and its own.'),
  env: z
    .enum(['inherit', 'minimal'])
    .default('inherit')
    .describe("inherit: your environment less other vendors' credentials. minimal: a short allow-list."),
  credentials: z
    .array(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/))
    .optional()
    .describe(
      "Names of variables it gets in addition to its own vendor's, such as the key of another vendor.",
    ),
};

const routingShape = {
  fallback: z
    .enum(['human', 'round-robin'])
    .default('human')
    .describe('Who gets a reply without a recipient: the human who spoke last, or the next agent.'),
  fanout: z
    .enum(['sequential', 'same-question', 'blind'])
    .default('sequential')
    .describe('What several recipients see: the earlier replies, the same question, or only that.'),
};

const limitsShape = {
  agentTurns: count.default(20).describe('Agent turns in a row without a human.'),
  pairTurns: count.default(6).describe('Alternations of the same two agents.'),
  sameAnswer: count.default(3).describe('Times the same reply is given.'),
  addressees: count.default(8).describe('Different recipients of one message.'),
  queue: count.default(50).describe('Queued turns.'),
  parallel: count.default(8).describe('Agents of a blind round that run at the same time.'),
  idleMinutes: minutes.default(10).describe('Minutes of one turn without any output.'),
  turnMinutes: minutes.default(30).describe('Total minutes of one turn.'),
  tokens: count.optional().describe('Tokens of the whole conversation. None by default.'),
  usd: z.number().gt(0).optional().describe('US dollars of the whole conversation. None by default.'),
};

const priceShape = {
  input: dollars.describe('US dollars per million input tokens.'),
  cachedInput: dollars
    .optional()
    .describe('US dollars per million cached input tokens; as "input" if absent.'),
  output: dollars.describe('US dollars per million output tokens.'),
};

/** Prices by model. */
export const pricesSchema = z.record(text, extensible(z.strictObject(priceShape)));

/** Prices as a file has them → as the rest of the program has them. */
export function listPrices(prices: z.output<typeof pricesSchema>): readonly ModelPrice[] {
  return Object.entries(prices).map(([model, price]) => ({ model, ...price }));
}

const contextShape = {
  maxBytes: z
    .int()
    .min(MIN_MAX_BYTES)
    .default(DEFAULT_MAX_BYTES)
    .describe('Largest prompt, in bytes of UTF-8.'),
  guard: z
    .enum(['on', 'off', 'fence'])
    .default('on')
    .describe(
      'Keeps message text from reading as prompt structure; fence also marks where each message ends.',
    ),
};

const teamShape = {
  $schema: z.string().optional().describe('Path of this schema, for editors.'),
  version: z.literal(1).describe('Version of this format.'),
  name: text.max(64).default('team').describe('Name of the team.'),
  language: z
    .enum(LANGUAGES)
    .optional()
    .describe('Language of what agents are told about the team. English by default.'),
  task,
  members: z
    .array(extensible(z.discriminatedUnion('type', [z.strictObject(humanShape), z.strictObject(agentShape)])))
    .max(MAX_MEMBERS)
    .describe('The members. A message without a recipient goes to the first agent here.'),
  routing: extensible(z.strictObject(routingShape)).prefault({}).describe('Rules for who is next.'),
  limits: extensible(z.strictObject(limitsShape))
    .prefault({})
    .describe('Limits at which the conversation pauses.'),
  prices: pricesSchema.default({}).describe('Price of each model, for programs that report tokens only.'),
  context: extensible(z.strictObject(contextShape)).prefault({}).describe('Rules for building prompts.'),
};

/** Marks every copy of the schema as ours. */
export const TEAM_SCHEMA_DESCRIPTION = 'A Huddle team.';

/** `huddle.jsonc`. What concerns several fields at once is checked in `teamChecks.ts`. */
export const teamSchema = extensible(z.strictObject(teamShape)).describe(TEAM_SCHEMA_DESCRIPTION);

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
} as const satisfies Record<string, readonly string[]>;

const EXTENSION = /^x-/;

/** An issue of a check of ours. */
function beyond(bound: Bound, input: unknown) {
  return { code: 'custom', input, params: { bound } } as const;
}

/** Lets an object carry `x-…` fields, which mean nothing to us. */
export function extensible<Schema extends z.ZodType>(schema: Schema) {
  return z.preprocess(withoutExtensions, schema);
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
