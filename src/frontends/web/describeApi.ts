import { z } from 'zod';
import { LANGUAGES } from '../../models/Language.js';
import { ROUTES, type RouteName, type WebRoute } from './routes.js';
import * as wire from './wire.js';

const JSON_TYPE = 'application/json';
const ANSWER_TYPES = {
  json: JSON_TYPE,
  text: 'text/plain',
  attachment: 'application/octet-stream',
  stream: 'text/event-stream',
} as const;

/** The description of the whole API for programs: OpenAPI 3.1, made from the table of routes. */
export function describeApi(version: string): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, route] of Object.entries(ROUTES) as [RouteName, WebRoute][]) {
    const path = route.path.replaceAll(/:(\w+)/gu, '{$1}');
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: describeRoute(name, route) };
  }
  return {
    openapi: '3.1.0',
    info: { title: 'Huddle', version },
    paths,
    components: {
      schemas: { Error: schemaOf(REFUSED) },
      securitySchemes: {
        key: { type: 'apiKey', in: 'header', name: 'x-huddle-key' },
        cookie: { type: 'apiKey', in: 'cookie', name: 'huddle-<port>' },
      },
    },
    // Both, at once.
    security: [{ key: [], cookie: [] }],
  };
}

function describeRoute(name: RouteName, route: WebRoute): object {
  const { does, role, body, status = 200, answers = 'json' } = route;
  const answer = ANSWERS[name];
  return {
    operationId: name,
    summary: does,
    ...(role === 'nobody' && { security: [] }),
    'x-role': role,
    parameters: describeParameters(route),
    ...(body && {
      requestBody: { required: true, content: { [JSON_TYPE]: { schema: schemaOf(body) } } },
    }),
    responses: {
      [status]: {
        description: does,
        ...(status !== 204 && {
          content: { [ANSWER_TYPES[answers]]: answer === undefined ? {} : { schema: schemaOf(answer) } },
        }),
      },
      default: {
        description: 'Error',
        content: { [JSON_TYPE]: { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  };
}

function describeParameters({ path, query, isOnce }: WebRoute): readonly object[] {
  const names = Array.from(path.matchAll(/:(\w+)/gu), ([, name]) => name);
  const { properties = {}, required = [] } = query === undefined ? {} : schemaOf(query);
  return [
    ...names.map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
    ...Object.entries(properties).map(([key, schema]) => ({
      name: key,
      in: 'query',
      required: required.includes(key),
      schema,
    })),
    ...(isOnce
      ? [{ name: 'idempotency-key', in: 'header', required: true, schema: { type: 'string' } }]
      : []),
  ];
}

/** As senders write it: what has a default may be left out. */
function schemaOf(schema: z.ZodType): z.core.JSONSchema.BaseSchema {
  const { $schema, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

/** A schema for each field of a type, so that the compiler finds one that is missing, too many or of another type. */
type Fields<Shown> = {
  readonly [Key in keyof Shown]-?: object extends Pick<Shown, Key>
    ? z.ZodOptional<z.ZodType<Exclude<Shown[Key], undefined>>>
    : z.ZodType<Shown[Key]>;
};

function record<Shown>(fields: Fields<Shown>): z.ZodType<Shown> {
  // The type of the fields says the same of the whole.
  return z.object(fields as z.ZodRawShape) as unknown as z.ZodType<Shown>;
}

/** Describes an object whose fields are left open here, since other pages have them, such as blocks and usage. */
function open<Shown extends object>(about: string): z.ZodType<Shown> {
  return z.looseObject({}).describe(about) as unknown as z.ZodType<Shown>;
}

/** An id of any kind, which the compiler tells apart. */
function id<Id extends string>(): z.ZodType<Id> {
  return z.string() as unknown as z.ZodType<Id>;
}

const text = z.string();
const count = z.number();
const yes = z.literal(true);
const texts = z.array(text);

type In<Shown, Key extends keyof Shown> = NonNullable<Shown[Key]>;
type Of<List> = List extends readonly (infer Each)[] ? Each : never;

const ERROR = record<wire.WireError>({ code: text, message: text, hint: text.optional() });

/** The answer that tells of an error. */
const REFUSED = z.object({ error: ERROR });

const MEMBER = open<Of<In<In<wire.WhoAmI, 'team'>, 'members'>>>('A member, as in `conversation-start`');
const REQUEST = open<wire.OpenRequest>(
  'A permission request, as in `permission-request`, with `turnId` and `memberName`',
);
const MESSAGE = open<In<wire.SentMessage, 'message'>>('A message, as in `message-added`');
const USAGE = open<In<wire.CostShown, 'usage'>>('Tokens and dollars: `total` and `members`');

const LISTED = record<wire.ListedConversation>({
  id: id(),
  title: text,
  teamName: text,
  members: z.array(record<Of<wire.ListedConversation['members']>>({ id: id(), name: text })),
  isRehearsal: z.boolean(),
  forkedFrom: id<In<wire.ListedConversation, 'forkedFrom'>>().optional(),
  replayOf: text.optional(),
  messages: count,
  turns: count,
  usage: open<In<wire.ListedConversation, 'usage'>>('Tokens and dollars of all turns').optional(),
  startedAt: count,
  changedAt: count,
  pause: open<In<wire.ListedConversation, 'pause'>>('The reason, as in `conversation-pause`').nullable(),
  folder: text.optional(),
  state: z.enum([
    'interrupted',
    'paused',
    'stopped',
    'failed',
    'waiting',
    'done',
    'open',
    'empty',
    'damaged',
  ]),
  holder: record<In<wire.ListedConversation, 'holder'>>({
    pid: count,
    host: text,
    role: text.optional(),
  }).optional(),
  queued: count,
  running: z.array(id<Of<wire.ListedConversation['running']>>()),
  unfinished: z.array(
    record<Of<wire.ListedConversation['unfinished']>>({
      turnId: id(),
      kind: z.enum(['failed', 'cancelled', 'timed-out', 'interrupted']),
    }),
  ),
  awaited: texts,
  requests: z.array(REQUEST),
  openIn: count.optional(),
  isDemo: yes.optional(),
  isElsewhere: yes.optional(),
});

const BLOCKS = z.array(record<wire.PlacedTelling>({ seq: count, block: open('A block, by its `kind`') }));

/** The JSON that each route answers. */
export const ANSWERS: Partial<Readonly<Record<RouteName, z.ZodType>>> = {
  login: record<wire.LoggedIn>({ key: text, role: wire.ROLE }),
  whoAmI: record<wire.WhoAmI>({
    role: wire.ROLE,
    version: text,
    folder: text,
    language: z.enum(LANGUAGES),
    team: record<In<wire.WhoAmI, 'team'>>({ name: text, members: z.array(MEMBER) }).optional(),
    people: texts,
    refusal: ERROR.optional(),
    hasDemo: z.boolean(),
  }),
  invite: record<wire.Invited>({ path: text, role: wire.ROLE }),
  describe: open('This description'),
  list: record<wire.ConversationListPage>({ conversations: z.array(LISTED), next: count.optional() }),
  create: record<wire.CreatedConversation>({ id: id() }),
  show: record<wire.FirstScreen>({
    summary: LISTED,
    telling: open('What the page tells on from'),
    seq: count,
    blocks: BLOCKS,
    from: count.optional(),
    running: z.array(record<wire.RunningText>({ turnId: id(), text })),
    limits: open('Limits, as in the team file'),
  }),
  older: record<wire.OlderBlocks>({ blocks: BLOCKS, from: count.optional() }),
  send: record<wire.SentMessage>({ message: MESSAGE }),
  act: record<wire.ActionDone>({
    turns: count.optional(),
    files: record<wire.FilesActed>({
      action: z.enum(['undo', 'apply']),
      id: text.optional(),
      what: text,
      of: texts,
      members: texts,
      copyOf: id<In<wire.FilesActed, 'copyOf'>>().optional(),
      files: z.array(
        record<Of<wire.FilesActed['files']>>({
          path: text,
          action: z.enum(['write', 'merge', 'remove', 'none']),
          keeps: text.nullable().optional(),
          notNamedBy: text.optional(),
        }),
      ),
      total: count,
      left: texts.optional(),
      git: z.array(open<Of<wire.FilesActed['git']>>('Commits and branches, which stay')),
    }).optional(),
  }),
  members: record<wire.MembersShown>({
    agents: z.array(
      record<wire.ShownAgent>({
        memberId: id(),
        model: text.optional(),
        permission: z.enum(['read', 'edit', 'full']).optional(),
        isInCopy: yes.optional(),
        memory: z.enum(['window', 'session']),
        window: count,
        visibility: z.enum(['all', 'addressed']),
        maxBytes: count,
      }),
    ),
  }),
  why: record<wire.TurnExplained>({
    turnId: id(),
    memberId: id(),
    memberName: text,
    plan: open('The parts of the prompt, and every message with what became of it'),
    sent: open('The record of the prompt, as in `turn-start`'),
    isExact: z.boolean(),
    previous: id<In<wire.TurnExplained, 'previous'>>().optional(),
    next: id<In<wire.TurnExplained, 'next'>>().optional(),
    since: id<In<wire.TurnExplained, 'since'>>().optional(),
    hasSystemPrompt: z.boolean(),
  }),
  changes: record<wire.FileChanges>({
    units: z.array(
      record<wire.ChangeUnit>({
        name: text,
        memberName: text,
        copyOf: text.optional(),
        isLate: yes.optional(),
        isUndone: yes.optional(),
      }),
    ),
    files: z.array(
      record<wire.ChangedFileShown>({
        path: text,
        change: z.enum(['add', 'update', 'delete']),
        added: count,
        removed: count,
        units: texts,
        parts: z.array(record<wire.PatchOfUnit>({ unit: text, patch: text })),
        note: z.enum(['binary', 'secret', 'not-kept', 'mode', 'moved', 'cut', 'too-much']).optional(),
      }),
    ),
    unlisted: count,
    inCopies: texts,
    isReportedOnly: z.boolean(),
    reason: id<In<wire.FileChanges, 'reason'>>().optional(),
  }),
  cost: record<wire.CostShown>({
    usage: USAGE,
    fork: open<In<wire.CostShown, 'fork'>>('The usage that is inherited, and that since').optional(),
    bins: z.array(
      record<wire.CostBin>({
        from: id(),
        to: id(),
        members: z.array(record<wire.BinShare>({ memberId: id(), usd: count, tokens: count })),
      }),
    ),
  }),
  search: record<wire.SearchHits>({
    hits: z.array(
      record<wire.SearchHit>({
        seq: count,
        messageId: text,
        memberName: text,
        at: count,
        excerpt: record<wire.Excerpt>({ before: text, match: text, after: text }),
      }),
    ),
    isCut: z.boolean(),
  }),
};
