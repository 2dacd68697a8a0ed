import type { Tool } from '@modelcontextprotocol/server';
import * as z from 'zod/mini';
import { kindAndTitle, rightsOf } from '../../catalogue/members.js';
import type { Catalogue, WordsOf } from '../../catalogue/words.js';
import type { TeamHere } from '../../coordinator/Conversations.js';
import { HuddleError } from '../../models/errors.js';
import type { Member } from '../../models/Team.js';
import { isBlank } from '../../utils/isBlank.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { MOST_WAIT_SECONDS } from './McpOptions.js';
import type { Serving } from './Serving.js';

/** Characters of a message to the team. */
const MOST_MESSAGE = 200_000;
/** Characters of a page that is read. */
const MOST_READ = 100_000;
/** Characters of a name, an id or a number; none of ours is as long. */
const MOST_WORD = 200;
const MOST_NAMES = 50;
/** Characters of a fact about a member: a description is read as if the user had written it. */
const FACT_CHARACTERS = 60;

type ExpectedWords = Catalogue['mcp']['expected'];

/** An argument of a tool. Models are taken as they write: a number may be a text, a single name may stand alone. */
interface Parameter<Value = unknown> {
  readonly schema: z.ZodMiniType<Value>;
  /** A description for a client whose argument is something else. */
  readonly expected: (expected: ExpectedWords) => string;
  readonly isRequired?: boolean;
}

function required<Value>(parameter: Parameter<Value>) {
  return { ...parameter, isRequired: true } as const;
}

/** A schema that reads a value in another form as well. */
function reading<Value>(prepare: (value: unknown) => unknown, schema: z.ZodMiniType<Value>) {
  return z.pipe(z.transform(prepare), schema as z.ZodMiniType<Value, unknown>);
}

function filled(most: number) {
  return z.string().check(
    z.minLength(1),
    z.maxLength(most),
    z.refine((value) => !isBlank(value)),
  );
}

function text(most: number): Parameter<string> {
  return { schema: filled(most), expected: (expected) => expected.text(most) };
}

function number(min: number, max: number): Parameter<number> {
  const schema = reading(
    (value) => (typeof value === 'string' && !isBlank(value) ? Number(value) : value),
    z.int().check(z.minimum(min), z.maximum(max)),
  );
  return { schema, expected: (expected) => expected.number(min, max) };
}

/** A name, an id or a number: `turn-3`, `3`. */
const WORD: Parameter<string> = {
  schema: reading(
    (value) => (typeof value === 'number' ? String(value) : value),
    filled(MOST_WORD).check(z.trim()),
  ),
  expected: ({ word }) => word,
};
const NAMES: Parameter<string[]> = {
  schema: reading(
    (value) => (Array.isArray(value) ? value : [value]),
    z.array(filled(MOST_WORD).check(z.trim())).check(z.minLength(1), z.maxLength(MOST_NAMES)),
  ),
  expected: ({ names }) => names,
};
const FLAG: Parameter<boolean> = {
  schema: reading((value) => (value === 'true' || value === 'false' ? value === 'true' : value), z.boolean()),
  expected: ({ flag }) => flag,
};
const FORMAT: Parameter<'text' | 'json'> = {
  schema: z.enum(['text', 'json']),
  expected: ({ format }) => format,
};

const ASKING = {
  message: required(text(MOST_MESSAGE)),
  session: WORD,
  wait_seconds: number(0, MOST_WAIT_SECONDS),
  format: FORMAT,
};

/** Arguments of every tool. */
const TOOL_PARAMETERS = {
  ask_team: { ...ASKING, members: NAMES, max_turns: number(1, 1000) },
  ask_member: { member: required(WORD), ...ASKING },
  wait_for_team: {
    session: required(WORD),
    wait_seconds: ASKING.wait_seconds,
    stop: FLAG,
    format: FORMAT,
  },
  read_conversation: { session: WORD, from: WORD, max_characters: number(1000, MOST_READ) },
  explain_turn: { session: required(WORD), turn: required(WORD), prompt: FLAG },
  conversation_cost: { session: required(WORD) },
} satisfies Readonly<Record<string, Readonly<Record<string, Parameter>>>>;

export type ToolName = keyof typeof TOOL_PARAMETERS;

export const TOOL_NAMES = Object.keys(TOOL_PARAMETERS) as readonly ToolName[];

/** Tools that have agents started. */
const ASKING_TOOLS: readonly ToolName[] = ['ask_team', 'ask_member'];

type ValueOf<Wanted> =
  Wanted extends Parameter<infer Value>
    ? Wanted extends { readonly isRequired: true }
      ? Value
      : Value | undefined
    : never;

/** Arguments of a tool, checked. */
export type Given<Name extends ToolName> = {
  readonly [Key in keyof (typeof TOOL_PARAMETERS)[Name]]: ValueOf<(typeof TOOL_PARAMETERS)[Name][Key]>;
};

export function isToolName(name: string): name is ToolName {
  return Object.hasOwn(TOOL_PARAMETERS, name);
}

/**
 * Checks what a client gave.
 *
 * @throws {@link HuddleError} `INVALID_ARGUMENT`.
 */
export function readArguments<Name extends ToolName>(
  name: Name,
  given: unknown,
  { mcp }: WordsOf<'mcp'>,
): Given<Name> {
  const wanted: Readonly<Record<string, Parameter>> = TOOL_PARAMETERS[name];
  const values = (given ?? {}) as Readonly<Record<string, unknown>>;
  const stranger = Object.keys(values).find((key) => !Object.hasOwn(wanted, key));
  if (stranger !== undefined) {
    const names = Object.keys(wanted);
    throw refuse(mcp.unknownArgument(sanitizeToOneLine(stranger), nearest(stranger, names), names));
  }
  const read = Object.entries(wanted).map(([key, { schema, expected, isRequired }]) => {
    const value = values[key] ?? undefined;
    if (value === undefined && isRequired) throw refuse(mcp.missingArgument(key));
    if (value === undefined) return [key, undefined];
    const result = schema.safeParse(value);
    if (!result.success) throw refuse(mcp.badArgument(key, expected(mcp.expected)));
    return [key, result.data];
  });
  // Each value was read by the schema that its type follows from.
  return Object.fromEntries(read) as Given<Name>;
}

function refuse(message: string): HuddleError {
  return new HuddleError('INVALID_ARGUMENT', message);
}

/** The tools as a client lists them. Only a team that the user trusts has words in them. */
export async function describeTools(serving: Serving): Promise<readonly Tool[]> {
  const { options } = serving;
  const { words } = options;
  const team = await describeTeam(words, async () => {
    const conversations = await (await serving.asks()).conversations();
    return conversations.teamOf(options.folder, { permission: options.permission });
  });
  return TOOL_NAMES.map((name) => {
    const isAsking = ASKING_TOOLS.includes(name);
    return {
      name,
      title: words.mcp.titles[name],
      description: isAsking
        ? [words.mcp.tools[name], describeAuthority(options.permission, words), team].join(' ')
        : words.mcp.tools[name],
      inputSchema: describeArguments(TOOL_PARAMETERS[name], words),
      annotations: { title: words.mcp.titles[name], ...annotate(name, options.permission) },
    };
  });
}

function describeArguments(
  wanted: Readonly<Record<string, Parameter>>,
  { mcp }: WordsOf<'mcp'>,
): Tool['inputSchema'] {
  const properties = Object.entries(wanted).map(([name, { schema }]) => {
    const { $schema, ...described } = z.toJSONSchema(schema);
    return [name, { ...described, description: mcp.parameters[name] }];
  });
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: Object.keys(wanted).filter((name) => wanted[name]?.isRequired),
    additionalProperties: false,
  };
}

/** True statements about a tool. With `read` no member can change anything, so asking is as harmless as reading. */
function annotate(name: ToolName, permission: 'read' | 'team'): Tool['annotations'] {
  const isAsking = ASKING_TOOLS.includes(name);
  const mayChange = isAsking && permission === 'team';
  return {
    readOnlyHint: !mayChange,
    destructiveHint: mayChange,
    idempotentHint: !isAsking,
    openWorldHint: isAsking,
  };
}

function describeAuthority(permission: 'read' | 'team', words: WordsOf<'mcp'>): string {
  return permission === 'read' ? words.mcp.readOnly : words.mcp.mayChange;
}

async function describeTeam(words: Catalogue, find: () => Promise<TeamHere>): Promise<string> {
  try {
    const { team, refusal } = await find();
    if (refusal?.code === 'FOLDER_NOT_TRUSTED') return words.mcp.notTrusted;
    if (refusal !== undefined) return words.mcp.noTeam;
    const agents = team.members.filter(({ type }) => type === 'ai');
    return words.mcp.team(agents.map((agent) => describeMember(agent, words)));
  } catch {
    // A call says what is wrong; here its words would be read as ours.
    return words.mcp.noTeam;
  }
}

function describeMember(member: Member, words: Catalogue): string {
  const facts = [...kindAndTitle(member, words), ...rightsOf(member, words)].map(shorten);
  return words.joining.described(shorten(member.name), facts);
}

function shorten(text: string): string {
  const line = sanitizeToOneLine(text);
  return line.length > FACT_CHARACTERS ? `${line.slice(0, FACT_CHARACTERS - 1)}…` : line;
}
