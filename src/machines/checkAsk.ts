import type { Refusal } from '../models/TurnOutcome.js';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import { type ReadAsk, readAsk } from './readAsk.js';
import { isIntact, REQUEST_VERSION, type SignedAsk } from './signing.js';

/** A turn as it stands in the shared store, where anyone with enough rights may have written it. */
export interface AskedRow {
  readonly conversation: string;
  readonly turn: string;
  readonly member: string;
  /** The role that asked, as the database knew it. Only for people: keys decide. */
  readonly askedBy: string;
  readonly request: string;
}

/** Facts that a worker knows by itself when it is asked. */
export interface WorkerFacts {
  readonly file: Pick<WorkerFile, 'members' | 'askers'>;
  readonly storeId: string;
  readonly role: string;
  /** Epoch milliseconds, of the worker's own clock. */
  readonly now: number;
}

export type CheckedAsk =
  | {
      readonly kind: 'accepted';
      readonly request: SignedAsk;
      readonly entry: WorkerMember;
      /** Name that the worker file has for the key. */
      readonly asker: string;
    }
  | { readonly kind: 'refused'; readonly refusal: Refusal };

/** Decides by the worker's own file whether it runs a request. Nothing in the database can change the answer to yes. */
export function checkAsk(row: AskedRow, facts: WorkerFacts): CheckedAsk {
  const read = readAsk(row.request);
  if (read.kind !== 'request') return refuse(unreadable(read));
  const { request } = read;
  const { file, now } = facts;
  const { key, agentType } = request;
  if (!isIntact(request)) return refuse({ because: 'bad-signature' });
  if (request.store !== facts.storeId) return refuse({ because: 'other-store' });
  if (!isOfRow(request, row) || request.workerRole !== facts.role) return refuse({ because: 'other-turn' });
  const names = [...file.askers].filter(([, known]) => known === key).map(([name]) => name);
  const [asker] = names;
  if (asker === undefined) return refuse({ because: 'unknown-key', asker: row.askedBy, key });
  const entry = file.members.find(({ member }) => member.id === request.member);
  if (entry === undefined) return refuse({ because: 'not-offered', agentType });
  if (entry.askers !== undefined && !names.some((name) => entry.askers?.includes(name)))
    return refuse({ because: 'asker-not-allowed', asker });
  if (entry.member.agentType !== agentType)
    return refuse({ because: 'other-agent', agentType: entry.member.agentType });
  if (!(now < request.expires)) return refuse({ because: 'expired' });
  return { kind: 'accepted', request, entry, asker };
}

function isOfRow({ conversation, turn, member }: SignedAsk, row: AskedRow): boolean {
  return conversation === row.conversation && turn === row.turn && member === row.member;
}

function unreadable(read: Exclude<ReadAsk, { kind: 'request' }>): Refusal {
  if (read.kind === 'unreadable') return { because: 'unreadable' };
  return { because: 'newer-version', found: read.found, known: REQUEST_VERSION };
}

function refuse(refusal: Refusal): CheckedAsk {
  return { kind: 'refused', refusal };
}
