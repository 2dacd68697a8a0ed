import { formatMoney, formatRecent, formatSum } from '../../../../catalogue/formats.js';
import { subjectOf } from '../../../../catalogue/permissionRequests.js';
import { describePause } from '../../../../catalogue/tellings.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { needOf } from '../../folds.js';
import type { ListedConversation } from '../../wire.js';
import { pageWords as words } from '../state/language.js';

/** The last part of an id, which is enough to tell sessions apart: `9f3c` of `20261115-0336-9f3c`. */
export function shortId(id: string): string {
  return id.split('-').at(-1) ?? id;
}

/** The title of a session; of a new one, that it is new. */
export function titleOf({ title }: Pick<ListedConversation, 'title'>): string {
  return title === '' ? words.web.untitled : title;
}

/** The state of a session: `approve? olga: npm publish`, `working`, `paused: 5 US dollars spent`. */
export function describeState(session: ListedConversation): string {
  const { states } = words.web;
  const { requests, awaited, pause } = session;
  const [request] = requests;
  const need = needOf(session);
  if (need === 'asks')
    return request === undefined
      ? states.waits(awaited)
      : states.asks(request.memberName, sanitizeToOneLine(subjectOf(request)));
  if (need === 'paused' && pause !== null) return describePause(pause, words).replace(/[.。]$/u, '');
  return states[need];
}

/** Figures of a session: last change, turns, money. */
export function describeFigures(
  { changedAt, turns, usage, isDemo, openIn }: ListedConversation,
  now: number,
): readonly string[] {
  const { web } = words;
  const money = usage === undefined ? '' : formatSum(usage, words);
  return [
    ...(isDemo ? [web.demo.mark] : []),
    ...(openIn === undefined ? [] : [web.openIn(openIn)]),
    // The clock goes by the minute, so something may have happened since.
    formatRecent(changedAt, Math.max(now, changedAt), words),
    web.turns(turns),
    ...(money === '' || usage?.usd === 0 ? [] : [formatMoney(usage?.usd ?? 0, words)]),
  ];
}

/** A limit of money as people write it: `$5`. */
export function formatLimit(usd: number): string {
  return formatMoney(usd, words).replace(/\.00$/u, '');
}

const HUES = 8;

/** The class that colours what is of a member: each agent has its own, people have none. */
export function hueOf({ place }: Pick<ShownMember, 'place'>): string {
  return place < 0 ? 'hue-none' : `hue-${place % HUES}`;
}
