import { dirname, join } from 'node:path';
import { findNamedAgentType } from '../models/agentTypeNames.js';
import type { MemberId } from '../models/ids.js';
import type { TeamProblem } from '../models/TeamProblem.js';
import type { WorkerFile, WorkerMember } from '../models/WorkerFile.js';
import { foldName } from '../utils/foldName.js';
import { inOrder } from './loadTeamFile.js';
import { parseTeamFile } from './parseTeamFile.js';
import { formatPointer } from './pointers.js';
import { readOwnFile } from './readOwnFile.js';
import { describeIssue } from './schemaProblems.js';
import { TeamFileError } from './TeamFileError.js';
import { resolveUserPath, type SettingsPlace } from './userSettings.js';
import { checkWorkerFile, unknownWorkerField, type WorkerFileValue, workerSchema } from './workerSchema.js';

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
    ...(store !== undefined && { store }),
    atOnce,
    askers: new Map(Object.entries(askers)),
    accounts: new Map(Object.entries(accounts)),
    members: members.map((entry) => createMember(entry, path)),
    teams: new Map(
      Object.entries(teams).map(([name, { file, folder, prepare }]) => [
        name,
        { file: path(file), folder: path(folder), ...(prepare !== undefined && { prepare }) },
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
      ...(program !== undefined && { command: program }),
      memory: 'window',
      window: 0,
      visibility: 'all',
    },
    folder: path(folder),
    ...(account !== undefined && { account }),
    ...(askers !== undefined && { askers }),
  };
}
