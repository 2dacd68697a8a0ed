import type { ConversationFact } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { ChangedBy } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { type FileHistory, keyOf, nextUnitName, readFileHistory } from '../changes/fileHistory.js';
import { applySteps, undoSteps } from '../changes/fileSteps.js';
import { selectUnits } from '../changes/selectUnits.js';
import type { CarryIntent, CarryOutcome, NotRecordedResult, PlannedFile, Workspace } from '../Workspace.js';
import {
  describeFileAction,
  type FileAction,
  type FileActionRequest,
  type FileActionStep,
  requireFeasible,
} from './describeFileAction.js';

/** The log and the files of a conversation, running or not. */
export interface FileKeeper {
  /** All facts so far. */
  readonly history: () => AnyIterable<ConversationFact>;
  /** The last of them that was restored, not appended. */
  readonly restoredSeq: number;
  /** The files, after the first look at them. */
  readonly workspace: () => Promise<Workspace | undefined>;
  /** Records what was changed since the last record. False: it could not be. */
  readonly catchUp: (place: FilePlace) => Promise<boolean>;
  /** Records what a person just did, and what others changed meanwhile; it is durable then. False: it could not be. */
  readonly recordBy: (by: ChangedBy, place: FilePlace, carried: readonly PlannedFile[]) => Promise<boolean>;
  /** Does what must not be stopped half way. */
  readonly whole: <Value>(work: () => Promise<Value>) => Promise<Value>;
  /** Finishes what was begun and cut off, see `finishFileAction`. */
  readonly finish: () => Promise<FinishedAction | undefined>;
  /** Reason why nothing is recorded, once that is known. */
  readonly reasonOff: () => NotRecordedResult | undefined;
}

/** The working folder, or the copy of a member. */
export interface FilePlace {
  readonly copyOf?: MemberId | undefined;
}

/**
 * Undoes or applies changes of files: all of them, but for those that somebody changes at the same moment, or nothing. The
 * caller sees to it that no turn of the conversation runs meanwhile. What was begun before and cut off is finished first.
 *
 * @throws {@link HuddleError} (as a rejection) `UNKNOWN_CHANGE`, `UNKNOWN_FILE`, `SEVERAL_COPIES`, `FILES_NOT_RECORDED`,
 * `FILES_CHANGED_SINCE`, `FILES_CHANGING`, `FILES_NOT_WRITTEN`, `CONTENT_NOT_KEPT`, `FILES_BUSY`, `NOTHING_TO_UNDO`,
 * `NOTHING_TO_APPLY`, `NOT_A_COPY`.
 */
export async function performFileAction(keeper: FileKeeper, request: FileActionRequest): Promise<FileAction> {
  const stepsOf = request.action === 'undo' ? undoSteps : applySteps;
  const readHistory = () => readFileHistory(keeper.history(), keeper.restoredSeq);
  const finished = await keeper.finish();
  if (finished !== undefined && isWhatWasAsked(finished, request, await readHistory()))
    return finished.action;
  // Before the files are looked at, which may take long.
  const wanted = stepsOf(await readHistory(), request);
  const workspace = await keeper.workspace();
  if (workspace === undefined || keeper.reasonOff() !== undefined) throw notRecorded(keeper);
  const mark = await workspace.mark(request.action, { givesWay: true });
  try {
    if (mark.others.length > 0)
      throw new HuddleError('FILES_BUSY', { turns: mark.others.map(({ turn }) => turn) });
    const place = { copyOf: wanted.copyOf };
    if (request.dryRun !== true && !(await keeper.catchUp(place))) throw notRecorded(keeper);
    const history = await readHistory();
    const steps = stepsOf(history, request);
    const plan = await workspace.plan({ ...place, steps: steps.steps });
    requireFeasible(plan, steps, history, request);
    const planned = describeFileAction(plan, steps, history, request);
    if (request.dryRun) return planned;
    const { action, memberId, paths } = request;
    const intent: CarryIntent = {
      by: { kind: action, id: nextUnitName(history, action), of: [...planned.of], memberId },
      what: planned.what,
      paths,
      recordsBefore: history.units.length,
      ...place,
      files: plan.files.filter((file) => file.action !== 'none'),
    };
    return await keeper.whole(async () => {
      const outcome = await workspace.carry(plan, { intent });
      // The next command finishes it, so that it becomes one record.
      if (outcome.failure !== undefined) throw outcome.failure;
      const by = await settle(keeper, workspace, intent, outcome);
      if (by === undefined) throw notSettled(keeper, intent.by.id);
      return describeDone(planned, by);
    });
  } finally {
    await mark.end();
  }
}

/** An undo or apply that was cut off, and is done now. */
export interface FinishedAction {
  readonly action: FileAction;
  /** The paths that the person had chosen. */
  readonly paths?: readonly string[] | undefined;
}

/**
 * Finishes an undo or apply whose process was killed: what it had moved and what is still to be moved become one record. Files
 * that somebody changed since are left alone. Only what was begun on this machine, in this folder, is known here: a log does
 * not tell it.
 *
 * @throws {@link HuddleError} (as a rejection) `FILES_NOT_RECORDED`, `FILES_NOT_WRITTEN`.
 */
export async function finishFileAction(
  keeper: Pick<FileKeeper, 'history' | 'restoredSeq' | 'recordBy' | 'reasonOff' | 'whole'>,
  workspace: Workspace,
): Promise<FinishedAction | undefined> {
  const intent = workspace.readIntent();
  if (intent === undefined) return undefined;
  const history = await readFileHistory(keeper.history(), keeper.restoredSeq);
  if (isRecorded(intent, history)) {
    workspace.endIntent();
    return undefined;
  }
  const opening = await workspace.open();
  if (opening.kind === 'not-recorded') return undefined;
  return keeper.whole(async () => {
    const { copyOf, what, paths, files } = intent;
    const by = { ...intent.by, id: nextUnitName(history, intent.by.kind) };
    const outcome = await carryRest(workspace, intent);
    const settled = await settle(keeper, workspace, { ...intent, by }, outcome);
    if (settled === undefined) throw notSettled(keeper, by.id);
    if (outcome.failure !== undefined) throw outcome.failure;
    if (outcome.moved.length === 0) return undefined;
    const planned: FileAction = {
      action: by.kind,
      what,
      of: by.of,
      members: [],
      ...(copyOf && { copyOf }),
      files: files.map(({ path, action }) => ({ path, action: action as FileActionStep['action'] })),
      git: [],
    };
    return { action: describeDone(planned, settled), paths };
  });
}

/** Moves what is as it was; what is as planned was moved before. All else was changed since. */
async function carryRest(workspace: Workspace, { copyOf, files }: CarryIntent): Promise<CarryOutcome> {
  const steps = files.map(({ path, bytes, now, after }) => ({ path, bytes, from: now, to: after }));
  const plan = await workspace.plan({ copyOf, steps });
  const inState = (...actions: readonly PlannedFile['action'][]) => {
    const keys = new Set(plan.files.filter(({ action }) => actions.includes(action)).map(keyOf));
    return files.filter((file) => keys.has(keyOf(file)));
  };
  const [before, rest] = [inState('none'), inState('write', 'remove')];
  const changed = inState('merge', 'conflict', 'not-kept');
  try {
    const outcome = await workspace.carry({ copyOf, files: rest }, { leavesChanged: true });
    return { ...outcome, moved: [...before, ...outcome.moved], left: [...changed, ...outcome.left] };
  } catch (error) {
    if (!(error instanceof HuddleError) || before.length === 0) throw error;
    return { moved: before, left: [...changed, ...rest], failure: error };
  }
}

/** Records what was moved, so that it is over. Undefined: that could not be recorded; it is tried again the next time. */
async function settle(
  keeper: Pick<FileKeeper, 'recordBy'>,
  workspace: Workspace,
  { by, copyOf }: CarryIntent,
  { moved, left }: CarryOutcome,
): Promise<CarryIntent['by'] | undefined> {
  const done = left.length === 0 ? by : { ...by, left: left.map(({ path }) => path) };
  if (moved.length > 0 && !(await keeper.recordBy(done, { copyOf }, moved))) return undefined;
  workspace.endIntent();
  return done;
}

/** Whether the record was written down before the process was killed. */
function isRecorded({ by, recordsBefore }: CarryIntent, { units }: FileHistory): boolean {
  return units
    .slice(recordsBefore)
    .some((unit) => unit.by.kind === by.kind && unit.by.of.join() === by.of.join());
}

function describeDone(planned: FileAction, { id, left = [] }: CarryIntent['by']): FileAction {
  return {
    ...planned,
    id,
    files: planned.files.filter(({ path }) => !left.includes(path)),
    ...(left.length > 0 && { left }),
  };
}

/** Whether a person who asks for something means what was cut off. */
function isWhatWasAsked(
  { action: done, paths }: FinishedAction,
  { action, what, paths: asked }: FileActionRequest,
  history: FileHistory,
): boolean {
  if (action !== done.action || JSON.stringify(asked ?? []) !== JSON.stringify(paths ?? [])) return false;
  const names = what === undefined ? [] : selectUnits(history, what).units.flatMap((unit) => unit.names);
  return names.every((name) => done.of.includes(name));
}

function notSettled(keeper: Pick<FileKeeper, 'reasonOff'>, what: string): HuddleError {
  const { reason, detail } = keeper.reasonOff() ?? {};
  return new HuddleError('FILES_NOT_RECORDED', { what, isMoved: true, reason, detail });
}

function notRecorded(keeper: FileKeeper): HuddleError {
  const off = keeper.reasonOff();
  return new HuddleError(
    'FILES_NOT_RECORDED',
    off === undefined ? {} : { reason: off.reason, detail: off.detail },
  );
}
