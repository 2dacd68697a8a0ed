import { createHash } from 'node:crypto';
import { z } from 'zod';
import type { FleetRefusal } from '../catalogue/english/fleetErrors.js';
import type { WorkerFile } from '../models/WorkerFile.js';
import { formatSaid } from '../store/postgres/proofs.js';
import { isPublicKeyText, isSignedBy, type PublicKeyText, type SigningKey } from '../utils/ed25519.js';

const DAY = 24 * 60 * 60_000;
/** The newest form of these requests that this Huddle knows. */
const FLEET_VERSION = 1;

/** Subject of a conversation of a fleet, which the program that prepares its folder is given. */
const SUBJECT = /^[\w./#-]{1,200}$/u;

/** A conversation that a worker is asked to hold: names and text, nothing about what is started. */
export interface FleetAsk {
  /** Random id of the shared store: a request of one counts in no other. */
  readonly store: string;
  readonly conversation: string;
  readonly workerRole: string;
  /** Name of a team in the worker's own file. */
  readonly team: string;
  readonly subject?: string | undefined;
  readonly message: string;
  /** Epoch milliseconds; not begun after that. */
  readonly expires: number;
}

/** A request as it stands in the shared store, where anyone with enough rights may have written it. */
export interface FleetRow {
  readonly conversation: string;
  readonly request: string;
  /** The role that asked, as the database knew it. */
  readonly askedBy: string;
  /** The body of the wish that the conversation begins with. */
  readonly said: string;
}

/** Facts that a worker knows by itself when it is asked. */
interface FleetFacts {
  readonly file: Pick<WorkerFile, 'askers' | 'teams'>;
  readonly storeId: string;
  readonly role: string;
  /** Epoch milliseconds, of the worker's own clock. */
  readonly now: number;
  /** It was begun already: then it has a day more. */
  readonly isBegun: boolean;
}

type CheckedFleetAsk =
  | { readonly kind: 'accepted'; readonly ask: FleetAsk; readonly asker: string }
  | { readonly kind: 'refused'; readonly refusal: FleetRefusal };

const askSchema = z.strictObject({
  v: z.literal(FLEET_VERSION),
  store: z.string(),
  conversation: z.string(),
  workerRole: z.string(),
  team: z.string(),
  subject: z.string().optional(),
  message: z.string(),
  expires: z.number(),
  key: z.string().refine(isPublicKeyText),
  signature: z.string(),
});

export function isSubject(text: string): boolean {
  return SUBJECT.test(text);
}

/** A request as it is put into the store. */
export function signFleetAsk(ask: FleetAsk, key: SigningKey): string {
  const signature = key.sign(bytesToSign(ask));
  return JSON.stringify({ v: FLEET_VERSION, ...ask, key: key.publicKey, signature });
}

/** Decides by the worker's own file whether it holds such a conversation. Nothing in the database can change the answer to yes. */
export function checkFleetAsk(row: FleetRow, facts: FleetFacts): CheckedFleetAsk {
  const parsed = askSchema.safeParse(parse(row.request));
  if (!parsed.success) return refuse({ because: 'unreadable' });
  const { v: _, key, signature, ...ask } = parsed.data;
  const { file, role } = facts;
  if (!isSignedBy(key as PublicKeyText, bytesToSign(ask), signature))
    return refuse({ because: 'bad-signature' });
  const isMeant =
    ask.store === facts.storeId && ask.workerRole === role && ask.conversation === row.conversation;
  if (!isMeant || row.said !== formatSaid(ask.message)) return refuse({ because: 'other-request' });
  const [asker] = [...file.askers].find(([, known]) => known === key) ?? [];
  if (asker === undefined) return refuse({ because: 'unknown-key', asker: row.askedBy, key });
  if (!file.teams.has(ask.team)) return refuse({ because: 'no-team', team: ask.team });
  if (ask.subject !== undefined && !isSubject(ask.subject)) return refuse({ because: 'bad-subject' });
  // One that was begun may continue for a while, elsewhere too; machines remember it for that long.
  if (!(facts.now < ask.expires + (facts.isBegun ? DAY : 0))) return refuse({ because: 'expired' });
  return { kind: 'accepted', ask, asker };
}

/** Everything of a request, in one order and spelling. The first word keeps a signature from meaning anything elsewhere. */
function bytesToSign(ask: FleetAsk): Uint8Array {
  const { store, conversation, workerRole, team, subject = null, message, expires } = ask;
  const hash = createHash('sha256').update(JSON.stringify(message)).digest('hex');
  const parts = [FLEET_VERSION, store, conversation, workerRole, team, subject, hash, expires];
  return Buffer.from(`huddle fleet request\n${JSON.stringify(parts)}`);
}

function refuse(refusal: FleetRefusal): CheckedFleetAsk {
  return { kind: 'refused', refusal };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Not even JSON: it comes from no Huddle.
    return undefined;
  }
}
