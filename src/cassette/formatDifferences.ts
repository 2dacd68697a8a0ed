import { isDeepStrictEqual } from 'node:util';
import { describeDecision } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import type { PermissionDecided } from '../models/ConversationEvent.js';
import { assertNever } from '../utils/assertNever.js';
import { shortenText } from '../utils/quoteText.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../utils/sanitize.js';
import type { Difference, OtherFact, OtherPrompt, OtherSetting } from './Difference.js';
import { factKey } from './factKey.js';
import { formatPrompts } from './formatPrompts.js';

/** Names of members by their ids. */
export type MemberNames = ReadonlyMap<string, string>;

/** Puts differences into words, as lines; what several prompts have in common stands there once. */
export function formatDifferences(differences: readonly Difference[], names: MemberNames): string[] {
  const prompts = differences.filter((one): one is OtherPrompt => one.kind === 'prompt');
  const nameOf = (id: string): string => sanitizeToOneLine(names.get(id) ?? id);
  const lines: string[] = [];
  for (const difference of differences) {
    if (difference.kind !== 'prompt') lines.push(...formatDifference(difference, nameOf));
    else if (difference === prompts[0]) lines.push(...formatPrompts(prompts, nameOf));
  }
  return lines;
}

type NameOf = (id: string) => string;

function formatDifference(difference: Exclude<Difference, OtherPrompt>, nameOf: NameOf): string[] {
  switch (difference.kind) {
    case 'other-member': {
      const { turnId, memberId, now } = difference;
      return [words.cassette.otherMember(turnId, nameOf(memberId), nameOf(now))];
    }
    case 'not-recorded':
      return [words.cassette.notRecorded(difference.turnId, nameOf(difference.memberId))];
    case 'never-asked':
      return [words.cassette.neverAsked(difference.turnId, nameOf(difference.memberId))];
    case 'settings':
      return [formatSetting(difference, nameOf)];
    case 'permission': {
      const { turnId, memberId, name, input, before, now } = difference;
      const what = sanitizeToOneLine(`${name} ${input}`);
      const [then, current] = [formatDecision(before, nameOf), formatDecision(now, nameOf)];
      return [words.cassette.permission(turnId, nameOf(memberId), what, then, current)];
    }
    case 'fact':
      return formatFact(difference);
    default:
      return assertNever(difference);
  }
}

function formatSetting({ memberId, turnId, field, before, now }: OtherSetting, nameOf: NameOf): string {
  const { setting, ofTeam, ofTurn, memberGone, memberNew } = words.cassette;
  if (field === 'member') return now === undefined ? memberGone(String(before)) : memberNew(String(now));
  const member = memberId === undefined ? ofTeam : nameOf(memberId);
  const place = turnId === undefined ? member : ofTurn(member, turnId);
  return setting(place, field, formatValue(before), formatValue(now));
}

function formatDecision(
  decision: Pick<PermissionDecided, 'decision' | 'by'> | undefined,
  nameOf: NameOf,
): string {
  if (decision === undefined) return words.cassette.noDecision;
  const { by } = decision;
  return describeDecision({ ...decision, ...(by.kind === 'person' && { person: nameOf(by.memberId) }) });
}

/** A fact that only one has, whole; else the fields that differ. */
function formatFact({ before, now }: OtherFact): string[] {
  const { onlyRecorded, onlyNow, fact } = words.cassette;
  if (before === undefined) return now === undefined ? [] : [onlyNow(formatValue(now))];
  if (now === undefined) return [onlyRecorded(formatValue(before))];
  const [old, current]: Readonly<Record<string, unknown>>[] = [{ ...before }, { ...now }];
  return [...new Set([...Object.keys(before), ...Object.keys(now)])]
    .filter((field) => !isDeepStrictEqual(old?.[field], current?.[field]))
    .map((field) =>
      fact(factKey(before).trim(), field, formatValue(old?.[field]), formatValue(current?.[field])),
    );
}

const MOST_CHARACTERS = 160;

function formatValue(value: unknown): string {
  if (value === undefined) return words.cassette.notSet;
  return sanitizeForTerminal(shortenText(JSON.stringify(value), MOST_CHARACTERS));
}
