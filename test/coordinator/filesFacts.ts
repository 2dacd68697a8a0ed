import type { ConversationFact, FilesRecorded, TurnStart } from '../../src/models/ConversationEvent.js';
import type { ChangedBy, FileChange } from '../../src/models/FileChange.js';
import type { MemberId, MessageId, TurnId } from '../../src/models/ids.js';

/** A turn that started and completed. */
export function turnOf(number: number, memberId: string, parts: Partial<TurnStart> = {}): ConversationFact[] {
  const turnId = `turn-${number}` as TurnId;
  const messageId = 'msg-1' as MessageId;
  const prompt = { bytes: 1, sha256: '00', latestMessageId: messageId, session: 'new' } as const;
  const turn = { turnId, memberId: memberId as MemberId };
  return [
    { type: 'turn-start', ...turn, triggeredBy: messageId, prompt, ...parts },
    { type: 'turn-end', ...turn, result: { kind: 'completed', messageId }, milliseconds: 1 },
  ];
}

/** A record of the turns with these numbers. */
export function recordOf(
  numbers: readonly number[],
  files: readonly FileChange[],
  parts: Partial<FilesRecorded> = {},
): FilesRecorded {
  const turnIds = numbers.map((number) => `turn-${number}` as TurnId);
  return recordBy({ kind: 'turns', turnIds }, files, parts);
}

export function recordBy(
  by: ChangedBy,
  files: readonly FileChange[],
  parts: Partial<FilesRecorded> = {},
): FilesRecorded {
  return { type: 'files-recorded', by, files: [...files], ...parts };
}

export function changed(path: string, added?: number, removed?: number): FileChange {
  return {
    path,
    change: 'update',
    ...(added !== undefined && { added }),
    ...(removed !== undefined && { removed }),
  };
}
