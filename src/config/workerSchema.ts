import * as z from 'zod/mini';
import type { TeamProblem } from '../models/TeamProblem.js';
import { isPublicKeyText } from '../utils/ed25519.js';
import { foldName } from '../utils/foldName.js';
import { nearest } from '../utils/nearest.js';
import { findNameFault } from './memberName.js';
import { formatPointer } from './pointers.js';
import {
  count,
  extensible,
  filledText,
  startedWords,
  turnLimitsShape,
  word,
  workerMemberShape,
} from './teamSchema.js';

const teamShape = { file: word, folder: word, prepare: z.optional(startedWords) };

const workerShape = {
  $schema: z.optional(z.string()),
  version: z.literal(1),
  store: z.optional(filledText),
  atOnce: z._default(count, 4),
  askers: z._default(z.record(filledText, z.string()), {}),
  accounts: z._default(z.record(filledText, count), {}),
  members: z._default(z.array(extensible(z.strictObject(workerMemberShape))), []),
  teams: z._default(z.record(filledText, extensible(z.strictObject(teamShape))), {}),
  limits: z.prefault(extensible(z.strictObject(turnLimitsShape)), {}),
};

/** `worker.jsonc`, before its names are looked up. */
export const workerSchema = extensible(z.strictObject(workerShape));

export type WorkerFileValue = z.output<typeof workerSchema>;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  members: Object.keys(workerMemberShape),
  teams: Object.keys(teamShape),
  limits: Object.keys(turnLimitsShape),
};

/** Describes a field that no worker file has. */
export function unknownWorkerField(_file: unknown, path: readonly PropertyKey[], key: string): TeamProblem {
  const suggestion = nearest(key, FIELDS[String(path[0])] ?? Object.keys(workerShape));
  const pointer = formatPointer([...path, key]);
  return { code: 'UNKNOWN_FIELD', pointer, value: key, ...(suggestion !== undefined && { suggestion }) };
}

/** Problems of a worker file across several fields. */
export function checkWorkerFile(file: WorkerFileValue): readonly TeamProblem[] {
  return [checkKeys, checkNames, checkAskers, checkAccounts].flatMap((check) => check(file));
}

function checkKeys({ askers }: WorkerFileValue): TeamProblem[] {
  return Object.entries(askers).flatMap(([name, key]) =>
    isPublicKeyText(key)
      ? []
      : [{ code: 'KEY_INVALID', pointer: formatPointer(['askers', name]), value: undefined }],
  );
}

/** A name means one entry, compared as routing compares it. */
function checkNames({ members }: WorkerFileValue): TeamProblem[] {
  const firstByFold = new Map<string, { readonly name: string; readonly index: number }>();
  return members.flatMap(({ name }, index): TeamProblem[] => {
    const place = { pointer: formatPointer(['members', index, 'name']), value: name };
    const fault = findNameFault(name);
    if (fault !== undefined) return [{ ...fault, ...place }];
    const first = firstByFold.get(foldName(name));
    if (first !== undefined) return [{ code: 'NAME_TAKEN', ...place, first }];
    firstByFold.set(foldName(name), { name, index });
    return [];
  });
}

/** Names in `askers` of members. Full access needs its own list: a new asker of the file must not get it unnoticed. */
function checkAskers({ members, askers }: WorkerFileValue): TeamProblem[] {
  const known = Object.keys(askers);
  return members.flatMap(({ permission, askers: own }, index): TeamProblem[] => {
    const pointer = formatPointer(['members', index, 'askers']);
    if (own === undefined)
      return permission === 'full' ? [{ code: 'ASKERS_MISSING', pointer, value: undefined }] : [];
    return own.flatMap((name, place): TeamProblem[] =>
      Object.hasOwn(askers, name)
        ? []
        : [
            {
              code: 'NAME_UNDEFINED',
              pointer: `${pointer}${formatPointer([place])}`,
              value: name,
              list: 'askers',
              known,
            },
          ],
    );
  });
}

function checkAccounts({ members, accounts }: WorkerFileValue): TeamProblem[] {
  const known = Object.keys(accounts);
  return members.flatMap(({ account }, index): TeamProblem[] => {
    if (account === undefined || Object.hasOwn(accounts, account)) return [];
    const pointer = formatPointer(['members', index, 'account']);
    return [{ code: 'NAME_UNDEFINED', pointer, value: account, list: 'accounts', known }];
  });
}
