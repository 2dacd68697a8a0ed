import { spawnSync } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import { openSync, writeSync } from 'node:fs';
import { isExecutable } from '../../utils/findCommand.js';
import {
  AGENT_BITS,
  ALL_BITS,
  formatMark,
  MARKER_VARIABLE,
  type Marks,
  readProcessFile,
  SHARED_BIT,
} from './processTable.js';

/** The beginning of the marks in the environments of all our agents, and of no others. */
export const MARKER_BEGINNING = `${randomUUID()}.`;
/** The beginning of their limits: numbers of bytes that no machine has, the first digits ours alone. */
export const LIMIT_BEGINNING = String(randomInt(10 ** 8, 9 * 10 ** 8));
/** All marks are of one length, so that none is the beginning of another. */
const COUNTER_LENGTH = 10;

const PRLIMIT = '/usr/bin/prlimit';

/** The ways to mark agents on this system. */
type Means =
  /** Another system, no `prlimit`, or a hard limit. */
  | { readonly kind: 'none' }
  /** `prlimit` becomes every agent. */
  | { readonly kind: 'wrap' }
  /** Agents inherit the limit that we have set on ourselves, and a filter that we have while we start them. */
  | { readonly kind: 'inherit'; readonly descriptor: number; readonly ownFilter: number };

/** The additions to a start that leave the marks. */
export interface Marking {
  /** Words before the command, which it becomes. */
  readonly wrapper: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

let means: Means | undefined;
let agents = 0;
let limits = 0;
let ownLimit = '';
/** Filters that no agent with this limit has had. */
let filters: number[] = [];

/**
 * Starts a program with marks that it passes on to all that it starts: one in its environment, and one that stays whatever
 * is cleared. That is the soft limit on resident memory, which Linux shows and does not enforce (setrlimit(2)), together
 * with the filter of core dumps (core(5)). We set the limit on ourselves, once for six starts, and the filter around each,
 * which takes microseconds; so what we start otherwise has the limit, but not the filter. Where we have a limit before
 * that, it is the mark of a turn that we run in: it stays, and the wrapper sets that of the agent. `start` must be
 * synchronous. Throws what the system is short of.
 */
export function startMarked<Started>(start: (marking: Marking) => Started): readonly [Started, Marks] {
  means ??= findMeans();
  agents += 1;
  const marker = MARKER_BEGINNING + String(agents).padStart(COUNTER_LENGTH, '0');
  const environment = { [MARKER_VARIABLE]: marker };
  if (means.kind === 'none') return [start({ wrapper: [], environment }), { marker, inherited: undefined }];
  if (means.kind === 'wrap') {
    const limit = createLimit();
    const inherited = formatMark(limit, readOwn('coredump_filter'));
    return [start({ wrapper: [PRLIMIT, `--rss=${limit}:`], environment }), { marker, inherited }];
  }
  const { descriptor, ownFilter } = means;
  if (filters.length === 0) setOwnLimit(ownFilter);
  const filter = ((ownFilter & ~ALL_BITS) | (filters.pop() ?? 0)).toString(16);
  writeSync(descriptor, `0x${filter}`, 0);
  try {
    return [start({ wrapper: [], environment }), { marker, inherited: formatMark(ownLimit, filter) }];
  } finally {
    writeSync(descriptor, `0x${ownFilter.toString(16)}`, 0);
  }
}

/** Shows the watchdog who has our limit and is no agent: a mask, and what is left of their filters. */
export function filterOfOthers(): readonly [mask: string, left: string] {
  means ??= findMeans();
  return [String(AGENT_BITS), means.kind === 'inherit' ? String(means.ownFilter & AGENT_BITS) : 'none'];
}

function findMeans(): Means {
  const [, soft, hard] = /^Max resident set +(\S+) +(\S+)/mu.exec(readOwn('limits')) ?? [];
  if (hard !== 'unlimited' || !isExecutable(PRLIMIT)) return { kind: 'none' };
  const ownFilter = Number.parseInt(readOwn('coredump_filter'), 16);
  if (soft !== 'unlimited' || Number.isNaN(ownFilter)) return { kind: 'wrap' };
  try {
    // Stays open: when there are no descriptors left, the filter must still be taken off.
    const descriptor = openSync('/proc/self/coredump_filter', 'r+');
    setOwnLimit(ownFilter);
    return { kind: 'inherit', descriptor, ownFilter };
  } catch {
    return { kind: 'wrap' }; // Not ours to write, in some containers, or the system is short of something.
  }
}

/** Gives us a limit that none of our agents has had, to go with every filter once. */
function setOwnLimit(ownFilter: number): void {
  const next = createLimit();
  const args = ['--pid', String(process.pid), `--rss=${next}:`];
  const { error, status } = spawnSync(PRLIMIT, args, { stdio: 'ignore', env: {} });
  if (status !== 0) throw error ?? new Error(`prlimit ended with ${status}`);
  ownLimit = next;
  filters = [0, 0x20, 0x80, AGENT_BITS]
    .filter((bits) => bits !== (ownFilter & AGENT_BITS))
    .flatMap((bits) => [bits, bits | SHARED_BIT]);
}

function createLimit(): string {
  limits += 1;
  return LIMIT_BEGINNING + String(limits).padStart(COUNTER_LENGTH, '0');
}

/** Empty on another system, or one that is built without it. */
function readOwn(file: string): string {
  return readProcessFile('self', file);
}
