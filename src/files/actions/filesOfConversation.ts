import type { ConversationFact } from '../../models/ConversationEvent.js';
import { HuddleError } from '../../models/errors.js';
import type { Team } from '../../models/Team.js';
import { requireHuman } from '../../routing/teamMembers.js';
import type { AnyIterable } from '../../utils/AnyIterable.js';
import { type FileHistory, readFileHistory } from '../changes/fileHistory.js';
import type { FileChoice } from '../changes/fileSteps.js';
import type { WorkingFiles } from '../recorder/WorkingFiles.js';
import type { FileAction, FileActionRequest } from './describeFileAction.js';
import { diffFiles, type FilesDiff } from './diffFiles.js';
import { performFileAction } from './performFileAction.js';

/** A running conversation, as far as its files need to know it. */
interface RunningConversation {
  readonly team: Team;
  history(): AnyIterable<ConversationFact>;
  /** Resolves when everything recorded is durable and told; undefined: now. */
  kept(): Promise<void> | undefined;
}

/** Reads everything that was changed in the files, by turns that have ended and by people. */
export async function readFiles(
  conversation: Pick<RunningConversation, 'history'>,
  working: WorkingFiles | undefined,
): Promise<FileHistory> {
  await working?.untilRecorded();
  return readFileHistory(conversation.history());
}

/** The lines that turns changed. */
export async function readDiff(
  conversation: Pick<RunningConversation, 'history'>,
  working: WorkingFiles | undefined,
  choice: FileChoice,
): Promise<FilesDiff> {
  const history = await readFiles(conversation, working);
  return diffFiles(history, choice, async () => working?.recorder.workspace());
}

/** Undoes or applies changes for a person, while no turn works on the files. */
export async function changeFiles(
  conversation: RunningConversation,
  working: WorkingFiles | undefined,
  { as, ...request }: { readonly as?: string | undefined } & Omit<FileActionRequest, 'memberId'>,
): Promise<FileAction> {
  const { id: memberId } = requireHuman(conversation.team, as);
  if (working === undefined) throw new HuddleError('FILES_NOT_RECORDED', {});
  const done = await working.whileFree((recorder) => performFileAction(recorder, { ...request, memberId }));
  await conversation.kept();
  return done;
}
