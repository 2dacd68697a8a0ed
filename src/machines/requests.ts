import { z } from 'zod';
import { USAGE } from '../models/schema/agentEvents.js';
import type { WorkerFile } from '../models/WorkerFile.js';
import { isPublicKeyText, isSignedBy, type PublicKeyText, type SigningKey } from '../utils/ed25519.js';

/** The newest form of requests that this Huddle knows. */
export const REQUEST_VERSION = 2;

/** The largest request, report or batch of reports, in bytes. */
export const MOST_BYTES = 4 * 1024 ** 2;

const milliseconds = z.number().positive().max(Number.MAX_SAFE_INTEGER);

/** Bodies of requests, by their kind: names, text and limits, nothing about what is started. */
const BODIES = {
  turn: z.strictObject({
    turn: z.string(),
    /** Name of the member as routing folds it. */
    member: z.string(),
    /** The type that the prompt was made for; the worker's own entry says what is started. */
    agentType: z.string(),
    prompt: z.string(),
    systemText: z.string().optional(),
    limits: z.strictObject({ idleMilliseconds: milliseconds, totalMilliseconds: milliseconds }),
    session: z.discriminatedUnion('kind', [
      z.strictObject({ kind: z.literal('new') }),
      z.strictObject({ kind: z.literal('resume'), sessionId: z.string().min(1) }),
      z.strictObject({ kind: z.literal('fork'), sessionId: z.string().min(1), at: z.string().optional() }),
    ]),
    sessionTotals: z.strictObject(USAGE).optional(),
  }),
  conversation: z.strictObject({
    /** Name of a team in the worker's own file. */
    team: z.string(),
    /** Given to the program that prepares the folder. */
    subject: z.string().optional(),
    message: z.string(),
  }),
};

const ENVELOPE = {
  v: z.literal(REQUEST_VERSION),
  /** Random id of the shared store: a request of one counts in no other. */
  store: z.string(),
  conversation: z.string(),
  workerRole: z.string(),
  /** Epoch milliseconds; not begun after that. */
  expires: z.number(),
  key: z.string().refine(isPublicKeyText),
  /** Base64url, over `bytesToSign`. */
  signature: z.string(),
};

const SCHEMAS = {
  turn: z.strictObject({ ...ENVELOPE, kind: z.literal('turn'), body: BODIES.turn }),
  conversation: z.strictObject({
    ...ENVELOPE,
    kind: z.literal('conversation'),
    body: BODIES.conversation,
  }),
};

export type RequestKind = keyof typeof BODIES;

/** Something that workers of a role are asked for, signed by the machine that asks. */
export interface SignedRequest<Kind extends RequestKind = RequestKind>
  extends Omit<z.infer<(typeof SCHEMAS)[RequestKind]>, 'v' | 'kind' | 'body'> {
  readonly v: number;
  readonly kind: Kind;
  readonly body: z.infer<(typeof BODIES)[Kind]>;
}

export type UnsignedRequest<Kind extends RequestKind> = Omit<SignedRequest<Kind>, 'v' | 'key' | 'signature'>;

export function signRequest<Kind extends RequestKind>(
  request: UnsignedRequest<Kind>,
  { publicKey, sign }: SigningKey,
): SignedRequest<Kind> {
  const whole = { v: REQUEST_VERSION, ...request };
  return { ...whole, key: publicKey, signature: sign(bytesToSign(whole)) };
}

/** A request as it stands in the shared store, where anyone with enough rights may have written it. */
export interface RequestRow {
  readonly conversation: string;
  readonly request: string;
  /** The role that asked, as the database knew it. Only for people: keys decide. */
  readonly askedBy: string;
}

/** Facts that a worker knows by itself when it is asked. */
export interface WorkerFacts {
  readonly file: Pick<WorkerFile, 'askers'>;
  readonly storeId: string;
  readonly role: string;
  /** Epoch milliseconds, of the worker's own clock. */
  readonly now: number;
}

/** Reason why a request is not believed, whatever it asks for. */
export type RequestRefusal =
  | { readonly because: 'unreadable' | 'bad-signature' | 'other-store' | 'other-turn' | 'expired' }
  | { readonly because: 'newer-version'; readonly found: number; readonly known: number }
  | { readonly because: 'unknown-key'; readonly asker: string; readonly key: string };

export interface Refused<Refusal> {
  readonly kind: 'refused';
  readonly refusal: Refusal;
}

export function refuse<const Refusal>(refusal: Refusal): Refused<Refusal> {
  return { kind: 'refused', refusal };
}

/** A request that its sender signed for this worker. */
export interface BelievedRequest<Kind extends RequestKind> {
  readonly kind: 'believed';
  readonly request: SignedRequest<Kind>;
  /** Names that the worker file has for the key. */
  readonly askers: readonly [string, ...string[]];
}

/**
 * Decides by the worker's own facts whether a request is believed. Nothing in the database can change the answer to yes.
 *
 * @param isOfRow Whether the body is what its row says.
 */
export function checkSignedRequest<Kind extends RequestKind>(
  kind: Kind,
  row: RequestRow,
  facts: WorkerFacts,
  isOfRow: (body: SignedRequest<Kind>['body']) => boolean,
): BelievedRequest<Kind> | Refused<RequestRefusal> {
  const value = parse(row.request);
  const found = Number(Object(value).v);
  if (Number.isSafeInteger(found) && found > REQUEST_VERSION)
    return refuse({ because: 'newer-version', found, known: REQUEST_VERSION });
  const parsed = SCHEMAS[kind].safeParse(value);
  if (!parsed.success) return refuse({ because: 'unreadable' });
  // The schema of the kind gives a request of the kind.
  const request = parsed.data as unknown as SignedRequest<Kind>;
  const { key, signature, ...signed } = request;
  if (!isSignedBy(key as PublicKeyText, bytesToSign(signed), signature))
    return refuse({ because: 'bad-signature' });
  if (request.store !== facts.storeId) return refuse({ because: 'other-store' });
  const isMeant = request.conversation === row.conversation && request.workerRole === facts.role;
  if (!isMeant || !isOfRow(request.body)) return refuse({ because: 'other-turn' });
  const [asker, ...others] = [...facts.file.askers].flatMap(([name, known]) => (known === key ? name : []));
  if (asker === undefined) return refuse({ because: 'unknown-key', asker: row.askedBy, key });
  if (!(facts.now < request.expires)) return refuse({ because: 'expired' });
  return { kind: 'believed', request, askers: [asker, ...others] };
}

/** All of a request in one spelling. The first words keep a signature from meaning anything elsewhere. */
function bytesToSign(request: object): Uint8Array {
  return Buffer.from(`huddle request\n${JSON.stringify(request, sortFields)}`);
}

function sortFields(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Undefined for what is not even JSON: it comes from no Huddle. */
function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
