import type { FilesRecorded, RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { FilesBlock, TurnOf, TurnWithFiles } from './Block.js';
import { memberOf, type Telling } from './Telling.js';

/** More than run at the same time: records come before the next turn starts. */
const KEPT_TURNS = 64;

/** Tells what changed in files; nothing if nothing did. */
export function tellRecord(
  telling: Telling,
  record: FilesRecorded & Pick<RecordedEvent, 'at'>,
): FilesBlock[] {
  const { at, by, copyOf } = record;
  if (!hasChanges(record)) return [];
  return [
    {
      kind: 'files',
      at,
      record,
      turns: by.kind === 'turns' ? by.turnIds.map((turnId) => findMemberOf(telling, turnId)) : [],
      ...((by.kind === 'undo' || by.kind === 'apply') && { person: memberOf(telling, by.memberId) }),
      ...(copyOf !== undefined && { copyOf: memberOf(telling, copyOf) }),
    },
  ];
}

/** Remembers whose turn it was: its files are recorded after it. */
export function noteEndedTurn(telling: Telling, { turnId, member }: TurnOf): Telling {
  return { ...telling, endedTurns: [...telling.endedTurns, { turnId, member }].slice(-KEPT_TURNS) };
}

/** Whether there is something to tell. What can run programs in a repository has a notice of its own. */
function hasChanges({ files, unlisted = 0, git }: FilesRecorded): boolean {
  return files.length + unlisted > 0 || git?.head !== undefined || git?.branch !== undefined;
}

/** A turn of an earlier session is known if it was cut off. */
function findMemberOf(telling: Telling, turnId: TurnId): TurnWithFiles {
  const told = telling.endedTurns.find((turn) => turn.turnId === turnId);
  if (told !== undefined) return told;
  const { running, unfinished } = telling.conversation;
  const open = [...running, ...unfinished.map(({ turn }) => turn)].find((turn) => turn.turnId === turnId);
  return open === undefined ? { turnId } : { turnId, member: memberOf(telling, open.memberId) };
}
