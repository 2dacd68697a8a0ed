import type { FilesRecorded } from '../../models/ConversationEvent.js';
import type { ChangedBy } from '../../models/FileChange.js';
import type { RecordedFolder } from '../../workspace/Workspace.js';
import { makeRecord, makeRecordOfOthers } from './filesFacts.js';
import type { TurnPlace } from './turnPlaces.js';

/** The records of what a person did, and of what others changed meanwhile. */
export function makeRecordsOfAction(
  { others, ...own }: RecordedFolder,
  by: ChangedBy,
  place: TurnPlace,
): FilesRecorded[] {
  return [makeRecord(own, by, place), ...(others === undefined ? [] : makeRecordOfOthers(others, place))];
}
