import type { z } from 'zod';
import type { Catalogue } from '../../catalogue/words.js';
import type {
  ActionDone,
  ConversationListPage,
  CostShown,
  CreatedConversation,
  FileChanges,
  FirstScreen,
  Invited,
  LoggedIn,
  MembersShown,
  OlderBlocks,
  SearchHits,
  SentMessage,
  TurnExplained,
  WhoAmI,
} from './wire.js';
import * as wire from './wire.js';

/** A route: the router, the checks of requests, the description for programs and the table in docs/web.md are made from it. */
export interface WebRoute<
  Query extends z.ZodType = z.ZodType,
  Body extends z.ZodType = z.ZodType,
  Answer = unknown,
> {
  readonly method: 'GET' | 'POST' | 'DELETE';
  /** With `:name` for what varies. */
  readonly path: string;
  /** The least that a browser must be; `nobody`: also one that is not let in. */
  readonly role: wire.BrowserRole | 'nobody';
  readonly query?: Query;
  readonly body?: Body;
  /** `json` unless it says otherwise. */
  readonly answers?: 'json' | 'text' | 'attachment' | 'stream';
  readonly status?: 200 | 201 | 204;
  /** The same `Idempotency-Key` again gets the same answer. */
  readonly isOnce?: true;
  /** The sentence of docs/web.md and of the description for programs. */
  readonly does: string;
  /** Only a type: the answer. */
  readonly answer?: Answer;
}

function route<Answer = undefined>() {
  return <const Shape extends Omit<WebRoute, 'answer'>>(shape: Shape): Shape & { readonly answer?: Answer } =>
    shape;
}

/** The whole API. */
export const ROUTES = {
  login: route<LoggedIn>()({
    method: 'POST',
    path: '/api/login',
    role: 'nobody',
    body: wire.LOGIN_CODE,
    does: 'Lets a browser in for a code: sets a cookie and answers the key that goes with it.',
  }),
  whoAmI: route<WhoAmI>()({
    method: 'GET',
    path: '/api/session',
    role: 'watch',
    does: 'Shows what this browser may do, and which team would work here.',
  }),
  invite: route<Invited>()({
    method: 'POST',
    path: '/api/invitations',
    role: 'full',
    body: wire.INVITATION,
    status: 201,
    does: 'Makes a code for one more browser.',
  }),
  describe: route<object>()({
    method: 'GET',
    path: '/api/openapi.json',
    role: 'watch',
    does: 'Describes this API (OpenAPI 3.1).',
  }),
  list: route<ConversationListPage>()({
    method: 'GET',
    path: '/api/conversations',
    role: 'watch',
    query: wire.LIST,
    does: 'Lists conversations, 50 a page, with what waits for a person.',
  }),
  create: route<CreatedConversation>()({
    method: 'POST',
    path: '/api/conversations',
    role: 'full',
    body: wire.NEW_CONVERSATION,
    status: 201,
    does: 'Makes a conversation with the team here.',
  }),
  remove: route()({
    method: 'DELETE',
    path: '/api/conversations/:id',
    role: 'full',
    status: 204,
    does: 'Deletes a conversation.',
  }),
  show: route<FirstScreen>()({
    method: 'GET',
    path: '/api/conversations/:id',
    role: 'watch',
    does: 'Shows everything that a first screen needs.',
  }),
  older: route<OlderBlocks>()({
    method: 'GET',
    path: '/api/conversations/:id/blocks',
    role: 'watch',
    query: wire.BLOCKS,
    does: 'Shows older blocks; no turn is cut in two.',
  }),
  stream: route()({
    method: 'GET',
    path: '/api/stream',
    role: 'watch',
    query: wire.STREAM,
    answers: 'stream',
    does: 'Sends server-sent events: what is recorded and what runs. The only stream of a tab.',
  }),
  send: route<SentMessage>()({
    method: 'POST',
    path: '/api/conversations/:id/messages',
    role: 'full',
    body: wire.MESSAGE,
    status: 201,
    isOnce: true,
    does: 'Sends a message as a person.',
  }),
  decide: route()({
    method: 'POST',
    path: '/api/conversations/:id/decisions',
    role: 'full',
    body: wire.DECISION,
    status: 204,
    does: 'Answers a permission request.',
  }),
  act: route<ActionDone>()({
    method: 'POST',
    path: '/api/conversations/:id/actions',
    role: 'full',
    body: wire.ACTION,
    does: 'Stops, pauses, continues, retries; plans or does an undo or an apply.',
  }),
  members: route<MembersShown>()({
    method: 'GET',
    path: '/api/conversations/:id/members',
    role: 'watch',
    does: 'Shows model, memory and window of the agents, as they were last.',
  }),
  why: route<TurnExplained>()({
    method: 'GET',
    path: '/api/conversations/:id/turns/:turn',
    role: 'watch',
    does: 'Shows what a member was sent in a turn, what was left out, and why.',
  }),
  prompt: route()({
    method: 'GET',
    path: '/api/conversations/:id/turns/:turn/prompt',
    role: 'watch',
    query: wire.PROMPT_PART,
    answers: 'text',
    does: 'Shows the very bytes that were sent.',
  }),
  changes: route<FileChanges>()({
    method: 'GET',
    path: '/api/conversations/:id/changes',
    role: 'watch',
    query: wire.CHANGES,
    does: 'Shows files that a turn changed, or all turns, with their lines.',
  }),
  cost: route<CostShown>()({
    method: 'GET',
    path: '/api/conversations/:id/cost',
    role: 'watch',
    query: wire.COST,
    does: 'Counts tokens and money: sums, members, and bins for a chart.',
  }),
  search: route<SearchHits>()({
    method: 'GET',
    path: '/api/conversations/:id/search',
    role: 'watch',
    query: wire.SEARCH,
    does: 'Finds a text in the messages.',
  }),
  export: route()({
    method: 'GET',
    path: '/api/conversations/:id/export',
    role: 'watch',
    query: wire.EXPORT,
    answers: 'attachment',
    does: 'Saves the conversation as a file.',
  }),
} as const;

export type RouteName = keyof typeof ROUTES;

type AnswerOf<Name extends RouteName> = (typeof ROUTES)[Name] extends {
  readonly answers: 'text' | 'attachment';
}
  ? TextAnswer
  : (typeof ROUTES)[Name] extends { readonly answer?: infer Answer }
    ? Answer
    : never;

type ParsedQuery<Name extends RouteName> = (typeof ROUTES)[Name] extends {
  readonly query: infer Query extends z.ZodType;
}
  ? z.output<Query>
  : undefined;

type ParsedBody<Name extends RouteName> = (typeof ROUTES)[Name] extends {
  readonly body: infer Body extends z.ZodType;
}
  ? z.output<Body>
  : undefined;

/** Text as it is, or a file to save. */
export interface TextAnswer {
  readonly type: string;
  readonly text: string;
  /** Saved under this name, never shown by the browser. */
  readonly fileName?: string;
}

/** A request that passed every check. */
export interface Call<Name extends RouteName = RouteName> {
  /** The parts of the path that `:name` stands for. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: ParsedQuery<Name>;
  readonly body: ParsedBody<Name>;
  /** The browser it came from. */
  readonly browserId: string;
  readonly role: wire.BrowserRole;
  /** The key of a request that is only done once. */
  readonly onceKey?: string;
  /** The sentences in the language that it asks for. */
  readonly words: Catalogue;
}

/** Answers one route. Rejects with a HuddleError, whose code decides the status. */
export type RouteHandler<Name extends RouteName> = (call: Call<Name>) => Promise<AnswerOf<Name>>;

/** The routes that are answered, but for those the door answers itself and the stream. */
export type Handlers = { readonly [Name in Exclude<RouteName, DoorRoute | 'stream'>]: RouteHandler<Name> };

/** The routes of the door: who is let in, and the description. */
export type DoorRoute = 'login' | 'invite' | 'describe';
