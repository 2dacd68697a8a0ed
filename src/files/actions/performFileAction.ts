import { HuddleError } from '../../models/errors.js';
import type { ChangedBy } from '../../models/FileChange.js';
import { type FileHistory, keyOf, nextUnitName } from '../changes/fileHistory.js';
import { applySteps, undoSteps } from '../changes/fileSteps.js';
import { selectUnits } from '../changes/selectUnits.js';
import type {
  CarryIntent,
  CarryOutcome,
  FilePlace,
  NotRecordedResult,
  PlannedFile,
  Workspace,
} from '../Workspace.js';
import {
  describeFileAction,
  type FileAction,
  type FileActionRequest,
  type FileActionStep,
  requireFeasible,
} from './describeFileAction.js';

/** The log and the files of a conversation, running or not, as far as an action needs them. */
export interface FileKeeper {
  /** Everything that was recorded of files; what the keeper records later is added to it. */
  readHistory(): Promise<FileHistory>;
  /** The history that was read last, up to now. */
  readonly history: FileHistory | undefined;
  /** The files, after the first look at them. */
  workspace(): Promise<Workspace | undefined>;
  /** Records what was changed since the last record. False: it could not be. */
  catchUp(place: FilePlace): Promise<boolean>;
  /** Records what a person just did, and what others changed meanwhile; it is durable then. False: it could not be. */
  recordBy(by: ChangedBy, place: FilePlace, carried: readonly PlannedFile[]): Promise<boolean>;
  /** Does what must not be stopped half way. */
  whole<Value>(work: () => Promise<Value>): Promise<Value>;
  /** Finishes what was begun and cut off, see `finishFileAction`. */
  finish(): Promise<FinishedAction | undefined>;
  /** The reason why nothing was recorded the last time. */
  readonly failure: NotRecordedResult | undefined;
  /** The reason why nothing is recorded any more. */
  readonly off: NotRecordedResult | undefined;
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
  const { dryRun = false, finishes = !dryRun } = request;
  const finished = finishes ? await keeper.finish() : undefined;
  let history = await keeper.readHistory();
  if (finished !== undefined && isWhatWasAsked(finished, request, history)) return finished.action;
  // Before the files are looked at, which may take long.
  let steps = stepsOf(history, request);
  const workspace = await keeper.workspace();
  if (workspace === undefined || (dryRun ? keeper.failure : keeper.off) !== undefined)
    throw notRecorded(keeper);
  const mark = await workspace.mark(request.action, { givesWay: true });
  try {
    if (mark.others.length > 0)
      throw new HuddleError('FILES_BUSY', { turns: mark.others.map(({ turn }) => turn) });
    const place = { copyOf: steps.copyOf };
    if (!dryRun) {
      const { units } = history;
      if (!(await keeper.catchUp(place))) throw notRecorded(keeper);
      history = keeper.history ?? history;
      if (history.units.length > units.length) steps = stepsOf(history, request);
    }
    const plan = await workspace.plan({ ...place, steps: steps.steps });
    requireFeasible(plan, steps, history, request);
    const planned = describeFileAction(plan, steps, history, request);
    if (dryRun) return planned;
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
  keeper: Pick<FileKeeper, 'readHistory' | 'recordBy' | 'failure' | 'whole'>,
  workspace: Workspace,
): Promise<FinishedAction | undefined> {
  const intent = workspace.readIntent();
  if (intent === undefined) return undefined;
  const history = await keeper.readHistory();
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

function notSettled(keeper: Pick<FileKeeper, 'failure'>, what: string): HuddleError {
  const { reason, detail } = keeper.failure ?? {};
  return new HuddleError('FILES_NOT_RECORDED', { what, isMoved: true, reason, detail });
}

function notRecorded({ failure }: FileKeeper): HuddleError {
  return new HuddleError('FILES_NOT_RECORDED', { reason: failure?.reason, detail: failure?.detail });
}
