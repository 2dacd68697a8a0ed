import { findAgentType } from '../../models/AgentConfig.js';
import type { MemberSummary } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { GitChange } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import {
  describeAuthor,
  type FileHistory,
  type FileUnit,
  findLaterChange,
  isSameState,
  keyOf,
  memberNames,
  shortName,
} from '../changes/fileHistory.js';
import type { FileChoice, FileSteps } from '../changes/fileSteps.js';
import type { CarryPlan, PlannedFile } from '../Workspace.js';

/** Something a person wants to have done with files. */
export interface FileActionRequest extends FileChoice {
  readonly action: 'undo' | 'apply';
  /** The person. */
  readonly memberId: MemberId;
  /** Only says what would be done; touches and records nothing. */
  readonly dryRun?: boolean | undefined;
  /** Finishes first what was cut off. Default: unless it is a dry run. */
  readonly finishes?: boolean | undefined;
  /** Written before commands in advice: `huddle `, or `/` in the terminal. */
  readonly prefix?: string | undefined;
}

/** An undo or apply, planned or done. */
export interface FileAction {
  readonly action: 'undo' | 'apply';
  /** The name of it, by which it can be undone in turn; absent in a dry run. */
  readonly id?: string;
  /** The words for the changes: `turn-4`, `4..7`. */
  readonly what: string;
  /** Names of the units whose changes these are. */
  readonly of: readonly string[];
  /** Names of the members or people who made them. */
  readonly members: readonly string[];
  /** In the copy of this member; absent: in the working folder. */
  readonly copyOf?: MemberId;
  readonly files: readonly FileActionStep[];
  /** Files that somebody changed at the same moment: they were left alone. */
  readonly left?: readonly string[];
  /** Commits and branches of undone turns, which stay as they are. */
  readonly git: readonly GitChange[];
}

/** The fate of one file. */
export interface FileActionStep {
  readonly path: string;
  readonly action: Exclude<PlannedFile['action'], 'conflict' | 'not-kept'>;
  /** The member who changed it later in other lines, which is kept; null: changed between turns. */
  readonly keeps?: string | null;
  /** The member whose turn it was, but who did not name the file. */
  readonly notNamedBy?: string;
}

/** Requires that everything can be done, and something is left to do. */
export function requireFeasible(
  { files }: CarryPlan,
  steps: FileSteps,
  history: FileHistory,
  { action, prefix = 'huddle ', what }: FileActionRequest,
): void {
  const inState = (state: PlannedFile['action']) => files.filter((file) => file.action === state);
  const [conflicts, notKept] = [inState('conflict'), inState('not-kept')];
  const word = what ?? shortName(steps.what);
  const rest = files.filter((file) => !conflicts.includes(file) && !notKept.includes(file));
  const others = adviseOthers(`${prefix}${action} ${word}`, rest);
  if (notKept.length > 0) {
    const paths = notKept.map(({ path }) => path);
    throw new HuddleError('CONTENT_NOT_KEPT', { command: action, what: steps.what, paths, others });
  }
  if (conflicts.length > 0)
    throw new HuddleError('FILES_CHANGED_SINCE', {
      command: action,
      what: steps.what,
      total: files.length,
      files: conflicts.map((file) => ({ path: file.path, ...nameLater(file, steps, history, action) })),
      look: `${prefix}diff ${firstTurn(steps)}`,
      others,
    });
  if (files.every((file) => file.action === 'none'))
    throw new HuddleError(action === 'undo' ? 'NOTHING_TO_UNDO' : 'NOTHING_TO_APPLY', { what: steps.what });
}

/** Describes an undo or apply that can be done. */
export function describeFileAction(
  plan: CarryPlan,
  steps: FileSteps,
  history: FileHistory,
  { action }: FileActionRequest,
): FileAction {
  return {
    action,
    what: steps.what,
    of: [...new Set(steps.units.flatMap(({ names }) => names))],
    members: memberNames(history, [...new Set(steps.units.flatMap(({ memberIds }) => memberIds))]),
    ...(steps.copyOf && { copyOf: steps.copyOf }),
    files: plan.files.map((file) => {
      const notNamedBy = action === 'undo' ? findUnnamed(file, steps, history) : undefined;
      return {
        path: file.path,
        action: file.action as FileActionStep['action'],
        ...(file.action === 'merge' && { keeps: nameLater(file, steps, history, action).by ?? null }),
        ...(notNamedBy !== undefined && { notNamedBy }),
      };
    }),
    git: steps.git,
  };
}

/** The member whose turn changed a file without naming it, if such members name the files they change. */
function findUnnamed(file: PlannedFile, { units }: FileSteps, history: FileHistory): string | undefined {
  const key = keyOf(file);
  const unit = units.find(
    ({ by, files }) =>
      by.kind === 'turns' && files.some((changed) => keyOf(changed) === key && changed.isReported !== true),
  );
  const members = history.members.filter(({ id }) => unit?.memberIds.includes(id));
  const named = members.filter(namesFiles).map(({ name }) => name);
  return named.length > 0 && named.length === members.length ? named.join(', ') : undefined;
}

/** Whether agents of this type report the files that they change. */
function namesFiles({ agentType = '' }: MemberSummary): boolean {
  const { keepsToPermission = false, isAcp = false } = findAgentType(agentType) ?? {};
  return keepsToPermission || isAcp;
}

/** Tells who changed a file later. Nothing: it was changed between turns. */
function nameLater(
  file: PlannedFile,
  { units }: FileSteps,
  history: FileHistory,
  action: FileAction['action'],
): { readonly by?: string; readonly unit?: string } {
  const key = keyOf(file);
  const hasChanged = (unit: FileUnit): boolean => unit.files.some((changed) => keyOf(changed) === key);
  const own = units.findLast(hasChanged);
  const later =
    action === 'apply'
      ? history.units.findLast((unit) => unit.copyOf === undefined && hasChanged(unit))
      : own && findLaterChange(history, own, key);
  const left = later?.files.find((changed) => keyOf(changed) === key)?.after;
  return isSameState(left, file.now) ? describeAuthor(history, later) : {};
}

/** The range that shows what came later: `4..`. */
function firstTurn({ units }: FileSteps): string {
  const [name = 'all'] = units.flatMap(({ names }) => names).filter((each) => each.startsWith('turn-'));
  return name === 'all' ? name : `${shortName(name)}..`;
}

/** Advice for more files than these would be no help. */
const MOST_ADVISED = 20;

/** The command for the files that nothing stands in the way of; absent without any, or with too many to type. */
export function adviseOthers(
  command: string,
  files: readonly { readonly path: string }[],
): string | undefined {
  if (files.length === 0 || files.length > MOST_ADVISED) return undefined;
  return `${command} -- ${files.map(({ path }) => quoteForShell(path)).join(' ')}`;
}
