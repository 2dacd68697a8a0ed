import { words } from '../../catalogue/words.js';
import { formatTable } from '../../frontends/lines/formatTable.js';
import { checkSharedStore, type PresentProcess, type StoreFacts } from '../../store/postgres/administer.js';
import type { Offers } from '../../store/postgres/SharedStore.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { UsageError } from '../start/reportError.js';
import { chooseStore } from '../team/chooseStore.js';
import { addressOfStore } from './store.js';

export interface CheckStoreOptions {
  /** Default: the one that would be used here. */
  readonly store?: string;
  readonly json?: boolean;
}

/** `huddle store check`: connects, and prints who we are there, versions, who is there, and what is offered. */
export async function checkStore({ store, json }: CheckStoreOptions, context: CliContext): Promise<number> {
  const chosen =
    store === undefined
      ? await chooseStore(context)
      : { name: store, url: await addressOfStore(store, context) };
  if (chosen === undefined) throw new UsageError(words.stores.checkWhich);
  const { name, url } = chosen;
  const facts = await checkSharedStore(url);
  const processes = facts.processes.map(({ offers, ...process }) => ({
    ...process,
    offers: readOffers(offers),
  }));
  if (json) printJson(context, { name, url, ...facts, processes });
  else {
    const rows = describe(url, facts, processes).map((cells) => cells.map(sanitizeToOneLine));
    // A table without heads.
    print(context, formatTable([{ head: '' }, { head: '' }], rows).replace(/^\n/u, ''));
    print(context, words.stores.check.ok(name));
  }
  return EXIT_CODES.done;
}

type OfferingProcess = Omit<PresentProcess, 'offers'> & { readonly offers: Offers };

function describe(
  url: string,
  { way, store, role, isOwner, owner, members, server, version }: StoreFacts,
  processes: readonly OfferingProcess[],
): readonly (readonly [string, string])[] {
  const { labels, connection, asOwner, asMember, tables, invited, nobody, nothing } = words.stores.check;
  return [
    [labels.address, url],
    [labels.connection, connection[way](store)],
    [labels.role, isOwner ? asOwner(role) : asMember(role, owner)],
    [labels.server, `PostgreSQL ${server}`],
    [labels.tables, tables(version)],
    [labels.members, members.length === 0 ? invited : members.join(', ')],
    [labels.here, countByHost(processes) || nobody],
    [labels.offered, describeOffers(processes) || nothing],
  ];
}

function countByHost(processes: readonly OfferingProcess[]): string {
  const counts = new Map<string, number>();
  for (const { role, host } of processes)
    counts.set(`${role}@${host}`, (counts.get(`${role}@${host}`) ?? 0) + 1);
  return [...counts].map(([place, count]) => words.stores.check.processes(place, count)).join(', ');
}

function describeOffers(processes: readonly OfferingProcess[]): string {
  const { offers } = words.stores.check;
  const offering = processes.filter((each) => each.offers.members.length + each.offers.teams.length > 0);
  const told = offering.map(({ role, offers: { members, teams } }) => offers(role, members, teams));
  return [...new Set(told)].join('; ');
}

/** The offers that a process wrote down. They are another's word: anything but a list of names is none. */
function readOffers(text: string | null): Offers {
  let said: Partial<Record<keyof Offers, unknown>> = {};
  try {
    said = JSON.parse(text ?? '{}') ?? {};
  } catch {
    // Written by another role, which may write what it likes.
  }
  const names = (value: unknown) =>
    Array.isArray(value) ? value.filter((name): name is string => typeof name === 'string') : [];
  return { members: names(said.members), teams: names(said.teams) };
}
