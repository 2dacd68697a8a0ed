import { describeDecision } from '../catalogue/tellings.js';
import { words } from '../catalogue/words.js';
import { shortenText } from '../utils/quoteText.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../utils/sanitize.js';
import { differingFields } from './compareFacts.js';
import type {
  Difference,
  OtherDecision,
  OtherFact,
  OtherPrompt,
  OtherSetting,
  PromptDiff,
} from './Difference.js';
import { factKey } from './pairFacts.js';

type NameOf = (id: string) => string;

/** Puts differences into words, as lines; what several prompts have in common stands there once. `names` by ids of members. */
export function formatDifferences(
  differences: readonly Difference[],
  names: ReadonlyMap<string, string>,
): string[] {
  const prompts = differences.filter((one) => one.kind === 'prompt');
  const nameOf = (id: string): string => sanitizeToOneLine(names.get(id) ?? id);
  return differences.flatMap((difference) => {
    if (difference.kind !== 'prompt') return formatDifference(difference, nameOf);
    return difference === prompts[0] ? formatPrompts(prompts, nameOf) : [];
  });
}

function formatDifference(difference: Exclude<Difference, OtherPrompt>, nameOf: NameOf): string | string[] {
  switch (difference.kind) {
    case 'other-member': {
      const { turnId, memberId, now } = difference;
      return words.cassette.otherMember(turnId, nameOf(memberId), nameOf(now));
    }
    case 'not-recorded':
      return words.cassette.notRecorded(difference.turnId, nameOf(difference.memberId));
    case 'never-asked':
      return words.cassette.neverAsked(difference.turnId, nameOf(difference.memberId));
    case 'settings':
      return formatSetting(difference, nameOf);
    case 'permission':
      return formatPermission(difference, nameOf);
    case 'fact':
      return formatFact(difference);
  }
}

function formatSetting({ memberId, turnId, field, before, now }: OtherSetting, nameOf: NameOf): string {
  const { setting, ofTeam, ofTurn, memberGone, memberNew } = words.cassette;
  if (field === 'member') return now === undefined ? memberGone(String(before)) : memberNew(String(now));
  const member = memberId === undefined ? ofTeam : nameOf(memberId);
  const place = turnId === undefined ? member : ofTurn(member, turnId);
  return setting(place, field, formatValue(before), formatValue(now));
}

function formatPermission(
  { turnId, memberId, name, input, before, now }: OtherDecision,
  nameOf: NameOf,
): string {
  const [then, current] = [before, now].map((decision) => {
    if (decision === undefined) return words.cassette.noDecision;
    const { by } = decision;
    return describeDecision({ ...decision, person: by.kind === 'person' ? nameOf(by.memberId) : undefined });
  });
  const what = sanitizeToOneLine(`${name} ${input}`);
  return words.cassette.permission(turnId, nameOf(memberId), what, then ?? '', current ?? '');
}

/** A fact that only one has, whole; else the fields that differ. */
function formatFact({ before, now }: OtherFact): string | string[] {
  const { onlyRecorded, onlyNow, fact } = words.cassette;
  if (before === undefined) return now === undefined ? [] : onlyNow(formatValue(now));
  if (now === undefined) return onlyRecorded(formatValue(before));
  return differingFields(before, now).map((one) =>
    fact(factKey(before), one.field, formatValue(one.before), formatValue(one.now)),
  );
}

const MOST_OF_VALUE = 160;

function formatValue(value: unknown): string {
  if (value === undefined) return words.cassette.notSet;
  return sanitizeForTerminal(shortenText(JSON.stringify(value), MOST_OF_VALUE));
}

/** Neighbouring lines that changed, or why none are shown. */
interface PromptChange {
  /** Its line numbers: the same change stands in other lines when the text before it has grown. */
  readonly place?: string;
  readonly lines: readonly string[];
}

/** Puts changed prompts into words: each change once, and those of the same turns under one heading. */
function formatPrompts(prompts: readonly OtherPrompt[], nameOf: NameOf): string[] {
  const changes = new Map<string, PromptChange & { memberId: string; turnIds: string[] }>();
  for (const { memberId, turnId, diff } of prompts)
    for (const change of describeChanges(diff)) {
      const key = JSON.stringify([memberId, change.lines]);
      const known = changes.get(key);
      if (known === undefined) changes.set(key, { ...change, memberId, turnIds: [turnId] });
      else known.turnIds.push(turnId);
    }
  const blocks = new Map<string, string[]>();
  for (const { memberId, turnIds, place = [], lines } of changes.values()) {
    const heading = words.cassette.prompt(nameOf(memberId), turnIds);
    blocks.set(heading, (blocks.get(heading) ?? [heading]).concat(place, lines));
  }
  return [...blocks.values()].flat();
}

function describeChanges(diff: PromptDiff): readonly PromptChange[] {
  const { hunk, promptTooLong, promptUnknown } = words.cassette;
  if (diff.kind === 'unknown') return [{ lines: [promptUnknown] }];
  if (diff.kind === 'too-long') return [{ lines: [promptTooLong(diff.before, diff.now, diff.firstLine)] }];
  return diff.hunks.map(({ before, now, lines }) => ({
    place: hunk(before, now),
    lines: formatLines(lines),
  }));
}

/** Long lines only around what changed. */
function formatLines(lines: readonly string[]): string[] {
  const [removed, added] = ['-', '+'].map((mark) => lines.filter((line) => line.startsWith(mark))) as [
    string[],
    string[],
  ];
  return lines
    .filter((line) => line.trim() !== '')
    .map((line) => {
      const other = line.startsWith('-') ? added[removed.indexOf(line)] : removed[added.indexOf(line)];
      return `  ${line[0]}${sanitizeForTerminal(cutAround(line.slice(1), other?.slice(1)))}`;
    });
}

/** Characters that are shown of a long line, and of them before what changed. */
const MOST_CHARACTERS = 120;
const BEFORE_CHANGE = 40;

/** The part of a long line in which it differs from the other one. */
function cutAround(line: string, other: string | undefined): string {
  const characters = [...line];
  if (characters.length <= MOST_CHARACTERS) return line;
  const others = [...(other ?? '')];
  const change = other === undefined ? 0 : characters.findIndex((character, at) => character !== others[at]);
  const start = Math.max(0, (change === -1 ? others.length : change) - BEFORE_CHANGE);
  const end = start + MOST_CHARACTERS;
  const part = characters.slice(start, end).join('');
  return `${start > 0 ? '…' : ''}${part}${end < characters.length ? '…' : ''}`;
}
