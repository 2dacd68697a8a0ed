import type { AgentManager } from '../agents/AgentManager.js';
import type { WorkingFilesParts } from '../files/recorder/FileRound.js';
import { WorkingFiles } from '../files/recorder/WorkingFiles.js';
import type { ConversationFact } from '../models/ConversationEvent.js';
import type { ConversationLog } from '../store/Store.js';
import type { Ledger } from './Ledger.js';
import { nameOutside } from './prepareTurn.js';

type CreatedParts =
  | 'record'
  | 'kept'
  | 'history'
  | 'restoredSeq'
  | 'status'
  | 'nameOf'
  | 'prepareFolder'
  | 'show';

interface CreatedFor extends Omit<WorkingFilesParts, CreatedParts> {
  readonly agents: Pick<AgentManager, 'prepareFolder'>;
  readonly log: Pick<ConversationLog, 'id' | 'read' | 'restoredSeq'>;
}

/** The files of a conversation; `record` takes what came of turns. */
export function createWorkingFiles(
  parts: CreatedFor,
  ledger: Ledger,
  record: (facts: readonly ConversationFact[]) => void,
): WorkingFiles {
  const { agents, log } = parts;
  return new WorkingFiles({
    ...parts,
    record,
    kept: () => ledger.kept(),
    history: () => log.read(),
    restoredSeq: log.restoredSeq ?? 0,
    status: () => ledger.status,
    nameOf: (turnId) => nameOutside(turnId, log.id),
    prepareFolder: (preparation, turnId, signal) =>
      agents.prepareFolder({ ...preparation, turnName: nameOutside(turnId, log.id) }, signal),
    show: (event) => ledger.show(event),
  });
}
