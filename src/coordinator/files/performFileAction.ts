import { nextUnitName, readFileHistory } from '../../conversation/files/fileHistory.js';
import { applySteps, undoSteps } from '../../conversation/files/fileSteps.js';
import type { ConversationFact } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { ChangedBy } from '../../models/FileChange.js';
import type { MemberId } from '../../models/ids.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import type { NotRecordedResult, Workspace } from '../../workspace/Workspace.js';
import {
  describeFileAction,
  type FileAction,
  type FileActionRequest,
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
  /** Records what a person just did. False: it could not be. */
  readonly recordBy: (by: ChangedBy, place: FilePlace) => Promise<boolean>;
  /** Reason why nothing is recorded, once that is known. */
  readonly reasonOff: () => NotRecordedResult | undefined;
}

/** The working folder, or the copy of a member. */
export interface FilePlace {
  readonly copyOf?: MemberId | undefined;
}

/**
 * Undoes or applies changes of files: all of them, or nothing. The caller sees to it that no turn of the conversation runs
 * meanwhile.
 *
 * @throws {@link HuddleError} (as a rejection) `UNKNOWN_CHANGE`, `UNKNOWN_FILE`, `SEVERAL_COPIES`, `FILES_NOT_RECORDED`,
 * `FILES_CHANGED_SINCE`, `CONTENT_NOT_KEPT`, `FILES_BUSY`, `NOTHING_TO_UNDO`, `NOTHING_TO_APPLY`, `NOT_A_COPY`.
 */
export async function performFileAction(keeper: FileKeeper, request: FileActionRequest): Promise<FileAction> {
  const stepsOf = request.action === 'undo' ? undoSteps : applySteps;
  // Before the files are looked at, which may take long.
  const readHistory = () => readFileHistory(keeper.history(), keeper.restoredSeq);
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
    const done = describeFileAction(plan, steps, history, request);
    if (request.dryRun) return done;
    await workspace.carry(plan);
    const id = nextUnitName(history, request.action);
    const { memberId } = request;
    const by: ChangedBy = { kind: request.action, id, of: [...done.of], memberId };
    if (!(await keeper.recordBy(by, place))) throw new HuddleError('FILES_NOT_RECORDED', { what: id });
    return { ...done, id };
  } finally {
    await mark.end();
  }
}

function notRecorded(keeper: FileKeeper): HuddleError {
  const off = keeper.reasonOff();
  return new HuddleError(
    'FILES_NOT_RECORDED',
    off === undefined ? {} : { reason: off.reason, detail: off.detail },
  );
}
