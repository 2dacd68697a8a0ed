import { createHash } from 'node:crypto';
import { quoteValue } from '../catalogue/teamProblems.js';
import type { Team } from '../models/Team.js';
import { quoteText, showInvisible } from '../utils/quoteText.js';

/**
 * A team as a flat record: the path of each field, and what it holds. Numbers stand as they are, everything else as a
 * digest, because a text of a team file may be a secret and this is written down.
 */
export type TeamFields = Readonly<Record<string, string>>;

/** Fields derived from others. A change of any field not listed here needs new trust. */
const HARMLESS: ReadonlySet<string> = new Set(['id']);

const DIGEST_BEGINNING = '#';
const DIGEST_LENGTH = 16;

export function digestTeam(team: Team): TeamFields {
  return Object.fromEntries(flatten(team).map(([path, value]) => [path, digest(value)]));
}

/** Equal exactly when the fields are. */
export function fingerprintTeam(team: Team): string {
  return sha256(JSON.stringify(flatten(team)));
}

/** A difference from an earlier team; `path` and values are safe to print on a terminal. */
export type TeamChange =
  | { readonly kind: 'new-member' | 'removed'; readonly path: string }
  | { readonly kind: 'added'; readonly path: string; readonly value: string }
  /** `old`: what it was, of a number. */
  | { readonly kind: 'changed'; readonly path: string; readonly value: string; readonly old?: string };

/** Finds the differences from an earlier team. */
export function findChanges(before: TeamFields, team: Team): readonly TeamChange[] {
  const fields = flatten(team);
  const now = new Map(fields);
  const gone = Object.keys(before).filter((path) => !now.has(path));
  const changes = [
    ...fields.map(([path, value]) => findChange(path, before[path], value, before)),
    ...gone.map((path) => findLoss(path, [...now.keys()])),
  ].filter((change) => change !== undefined);
  // A member that is new or gone is so once, whatever fields it has.
  return [...new Map(changes.map((change) => [`${change.kind} ${change.path}`, change])).values()];
}

function findChange(
  path: string,
  old: string | undefined,
  value: unknown,
  before: TeamFields,
): TeamChange | undefined {
  if (old === digest(value)) return undefined;
  const name = showInvisible(path);
  const member = memberOf(path);
  if (member !== undefined && !hasMember(Object.keys(before), member))
    return { kind: 'new-member', path: showInvisible(member) };
  if (old === undefined) return { kind: 'added', path: name, value: show(value) };
  return { kind: 'changed', path: name, value: show(value), ...(isNumber(old) && { old }) };
}

function findLoss(path: string, paths: readonly string[]): TeamChange {
  const member = memberOf(path);
  const name = member !== undefined && !hasMember(paths, member) ? member : path;
  return { kind: 'removed', path: showInvisible(name) };
}

/** `members.max.permission` → `members.max`: names of members have no dots. */
function memberOf(path: string): string | undefined {
  return /^members\.[^.]+/u.exec(path)?.[0];
}

function hasMember(paths: readonly string[], member: string): boolean {
  return paths.some((path) => path.startsWith(`${member}.`));
}

/** In the order of their paths, so that only what is in a field counts, and not where it stands. */
function flatten(team: Team): ReadonlyArray<readonly [path: string, value: unknown]> {
  return [...fieldsIn(team, [])].sort(([a], [b]) => (a < b ? -1 : 1));
}

function* fieldsIn(value: unknown, path: readonly string[]): Generator<readonly [string, unknown]> {
  if (value === undefined || HARMLESS.has(path.at(-1) ?? '')) return;
  if (isListOfObjects(value)) {
    // Who is first is asked first.
    yield [path.join('.'), value.map(nameOf)];
    for (const entry of value) yield* fieldsIn(entry, [...path, nameOf(entry)]);
  } else if (isObject(value)) {
    for (const [name, field] of Object.entries(value)) yield* fieldsIn(field, [...path, name]);
  } else yield [path.join('.'), value];
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function isListOfObjects(value: unknown): value is ReadonlyArray<Readonly<Record<string, unknown>>> {
  return Array.isArray(value) && value.length > 0 && value.every(isObject);
}

/** Members have names, prices have models. */
function nameOf(entry: Readonly<Record<string, unknown>>): string {
  return String(entry.name ?? entry.model ?? '');
}

function digest(value: unknown): string {
  if (typeof value === 'number') return String(value);
  return DIGEST_BEGINNING + sha256(JSON.stringify(value)).slice(0, DIGEST_LENGTH);
}

function isNumber(digested: string): boolean {
  return !digested.startsWith(DIGEST_BEGINNING);
}

function show(value: unknown): string {
  return Array.isArray(value)
    ? `[${value.map((entry) => quoteText(String(entry))).join(', ')}]`
    : quoteValue(value);
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
