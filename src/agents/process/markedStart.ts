import { spawnSync } from 'node:child_process';
import { accessSync, constants, openSync, readFileSync, writeSync } from 'node:fs';
import { createLimit } from './turnMarker.js';

const PRLIMIT = '/usr/bin/prlimit';
/**
 * The bits of the filter that tell agents apart: private huge pages, private and shared files that are memory. They make no
 * difference to an agent, and programs leave them alone (Java sets others). By the first two an agent differs from us.
 */
const AGENT_BITS = 0xa0;
const SHARED_BIT = 0x100;
const ALL_BITS = AGENT_BITS | SHARED_BIT;

/** What can be done here about marks. */
type Means =
  /** Another system, no `prlimit`, or a hard limit. */
  | { readonly kind: 'none' }
  /** `prlimit` becomes every agent. */
  | { readonly kind: 'wrap' }
  /** Agents inherit the limit that we have set on ourselves, and a filter that we have while we start them. */
  | { readonly kind: 'inherit'; readonly descriptor: number; readonly ownFilter: number };

export interface MarkedStart<Started> {
  readonly started: Started;
  /** As `readMarks` has it. Absent: there is none. */
  readonly mark: string | undefined;
}

let means: Means | undefined;
let limit = '';
/** What has not yet gone with this limit. */
let filters: number[] = [];

/**
 * Starts a program with a mark that it has from its first moment and passes on to all that it starts, whatever else they
 * clear: the soft limit on resident memory, which Linux shows and does not enforce (setrlimit(2)), together with the filter
 * of core dumps (core(5)). We set the limit on ourselves, once for six starts, and the filter around each, which takes
 * microseconds; so what we start otherwise has the limit, but not the filter. Where we have a limit before that, it is the
 * mark of a turn that we run in: it stays, and `wrapper` sets that of the agent. `start` must be synchronous. Throws what
 * the system is short of.
 */
export function startMarked<Started>(start: (wrapper: readonly string[]) => Started): MarkedStart<Started> {
  means ??= findMeans();
  if (means.kind === 'none') return { started: start([]), mark: undefined };
  if (means.kind === 'wrap') {
    const own = createLimit();
    const mark = formatMark(own, readOwn('coredump_filter'));
    return { started: start([PRLIMIT, `--rss=${own}:`]), mark };
  }
  const { descriptor, ownFilter } = means;
  if (filters.length === 0) setOwnLimit(ownFilter);
  const filter = ((ownFilter & ~ALL_BITS) | (filters.pop() ?? 0)).toString(16);
  writeSync(descriptor, `0x${filter}`, 0);
  try {
    return { started: start([]), mark: formatMark(limit, filter) };
  } finally {
    writeSync(descriptor, `0x${ownFilter.toString(16)}`, 0);
  }
}

/** Both halves of a mark as the system shows them, without the bits of the filter that programs may change. */
export function formatMark(limit: string, filter: string): string {
  return `${limit} ${Number.parseInt(filter, 16) & ALL_BITS}`;
}

/** How the watchdog knows those who have our limit and are no agents: a mask, and what is left of their filters. */
export function filterOfOthers(): readonly [mask: string, left: string] {
  means ??= findMeans();
  return [String(AGENT_BITS), means.kind === 'inherit' ? String(means.ownFilter & AGENT_BITS) : 'none'];
}

function findMeans(): Means {
  const [, soft, hard] = /^Max resident set +(\S+) +(\S+)/mu.exec(readOwn('limits')) ?? [];
  if (hard !== 'unlimited' || !canRun(PRLIMIT)) return { kind: 'none' };
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
  limit = next;
  filters = [0, 0x20, 0x80, AGENT_BITS]
    .filter((bits) => bits !== (ownFilter & AGENT_BITS))
    .flatMap((bits) => [bits, bits | SHARED_BIT]);
}

function readOwn(file: string): string {
  try {
    return readFileSync(`/proc/self/${file}`, 'latin1');
  } catch {
    return ''; // Another system, or one that is built without it.
  }
}

function canRun(program: string): boolean {
  try {
    accessSync(program, constants.X_OK);
    return true;
  } catch {
    return false; // `access` says no only by throwing.
  }
}
