import { dirname, join } from 'node:path';
import * as z from 'zod/mini';
import type { MemberId } from '../models/ids.js';
import { findNamedAgentType } from '../models/knownPrograms.js';
import type { TeamProblem } from '../models/TeamProblem.js';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import { isPublicKeyText } from '../utils/ed25519.js';
import { foldName } from '../utils/foldName.js';
import { nearest } from '../utils/nearest.js';
import { inOrder } from './loadTeamFile.js';
import { findNameFault } from './memberName.js';
import { formatPointer, parseTeamFile } from './parseTeamFile.js';
import { readOwnFile, TeamFileError } from './readRegularFile.js';
import { describeIssue } from './schemaProblems.js';
import {
  count,
  extensible,
  filledText,
  startedWords,
  turnLimitsShape,
  word,
  workerMemberShape,
} from './teamSchema.js';
import { resolveUserPath, type SettingsPlace } from './userSettings.js';

/** The worker file beside the configuration file. */
export function resolveWorkerFile(configFile: string): string {
  return join(dirname(configFile), 'worker.jsonc');
}

/**
 * Reads and checks a worker file.
 *
 * @throws {@link TeamFileError} (as a rejection) with everything that is wrong with it; HuddleError FILE_OPEN_TO_OTHERS if
 * someone else could have written it.
 */
export async function loadWorkerFile(place: SettingsPlace): Promise<WorkerFile> {
  const { file } = place;
  const parsed = parseTeamFile(await readOwnFile(file, 'write'));
  if (!parsed.ok) throw new TeamFileError(parsed.problems, file);
  const { value, locate } = parsed;
  const checked = workerSchema.safeParse(value);
  const problems = checked.success
    ? [...checkWorkerFile(checked.data), ...checkPrograms(checked.data)]
    : checked.error.issues.flatMap((issue) => describeIssue(value, issue, unknownWorkerField));
  if (!checked.success || problems.length > 0) throw new TeamFileError(inOrder(problems, locate), file);
  return createWorkerFile(checked.data, place);
}

/** The same rules as in a team file: a program that is not known has to be named, and lists only where they are kept to. */
function checkPrograms({ members }: WorkerFileValue): TeamProblem[] {
  return members.flatMap(({ agentType, command, output, allow, deny }, index): TeamProblem[] => {
    const named = findNamedAgentType(agentType);
    if (named === undefined) return [];
    const { info, label } = named;
    const at = (field: string) => ({ pointer: formatPointer(['members', index, field]), value: undefined });
    const lists = { allow, deny };
    const filled = (['allow', 'deny'] as const).filter((list) => lists[list].length > 0);
    return [
      ...(command === undefined && named.command === undefined
        ? [{ code: 'COMMAND_MISSING', ...at('command'), agentType: info.type } as const]
        : []),
      ...(output !== undefined && !info.hasOutputChoice
        ? [{ code: 'OUTPUT_UNSUPPORTED', ...at('output'), label } as const]
        : []),
      ...(info.hasToolLists ? [] : filled).map(
        (list) => ({ code: 'TOOL_LIST_UNSUPPORTED', ...at(list), label }) as const,
      ),
    ];
  });
}

function createWorkerFile(value: WorkerFileValue, place: SettingsPlace): WorkerFile {
  const { store, atOnce, askers, accounts, members, teams, limits } = value;
  const path = (written: string): string => resolveUserPath(written, place);
  return {
    store,
    atOnce,
    askers: new Map(Object.entries(askers)),
    accounts: new Map(Object.entries(accounts)),
    members: members.map((entry) => createMember(entry, path)),
    teams: new Map(
      Object.entries(teams).map(([name, { file, folder, prepare }]) => [
        name,
        { file: path(file), folder: path(folder), prepare },
      ]),
    ),
    limits,
  };
}

function createMember(
  { folder, account, askers, agentType, command, ...entry }: WorkerFileValue['members'][number],
  path: (written: string) => string,
): WorkerMember {
  const named = findNamedAgentType(agentType);
  const program = command ?? (named?.info.isAcp ? named.command : undefined);
  return {
    member: {
      ...entry,
      id: foldName(entry.name) as MemberId,
      type: 'ai',
      agentType: named?.info.type ?? agentType,
      command: program,
      memory: 'window',
      window: 0,
      visibility: 'all',
    },
    folder: path(folder),
    account,
    askers,
  };
}

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
const workerSchema = extensible(z.strictObject(workerShape));

type WorkerFileValue = z.output<typeof workerSchema>;

const FIELDS: Readonly<Record<string, readonly string[]>> = {
  members: Object.keys(workerMemberShape),
  teams: Object.keys(teamShape),
  limits: Object.keys(turnLimitsShape),
};

/** Describes a field that no worker file has. */
function unknownWorkerField(_file: unknown, path: readonly PropertyKey[], key: string): TeamProblem {
  const suggestion = nearest(key, FIELDS[String(path[0])] ?? Object.keys(workerShape));
  const pointer = formatPointer([...path, key]);
  return { code: 'UNKNOWN_FIELD', pointer, value: key, suggestion };
}

/** Problems of a worker file across several fields. */
function checkWorkerFile(file: WorkerFileValue): readonly TeamProblem[] {
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
