import { type LoadedConversation, loadConversation } from '../coordinator/loadConversation.js';
import type { Team } from '../models/Team.js';
import type { ConversationReader } from '../store/Store.js';
import { toArray } from '../utils/AnyIterable.js';

/** Events read at first on the way back from the end; each further step takes twice as many. */
const FIRST_STEP = 64;

export interface LoadedBeforeTurns {
  /** The last event before those turns. */
  readonly beginning: number;
  readonly loaded: LoadedConversation;
}

/** Reads a conversation as it was before the turns that run now began, so that whoever joins sees them from their start. */
export async function loadBeforeTurns(reader: ConversationReader, team: Team): Promise<LoadedBeforeTurns> {
  const loaded = await loadConversation(reader, team);
  const open = new Set<string>(loaded.state.running.map(({ turnId }) => turnId));
  if (open.size === 0) return { beginning: reader.lastSeq, loaded };
  const beginning = (await findStart(reader, open)) - 1;
  return { beginning, loaded: await loadConversation(readUpTo(reader, beginning), team) };
}

/** The first of the events with which these turns started. */
async function findStart(reader: ConversationReader, open: Set<string>): Promise<number> {
  let step = FIRST_STEP;
  let first = reader.lastSeq + 1;
  for (let end = reader.lastSeq; end > 0 && open.size > 0; end -= step, step *= 2) {
    for (const event of (await toArray(reader.read(end - step + 1, end))).reverse()) {
      if (event.type !== 'turn-start' || !open.delete(event.turnId)) continue;
      first = event.seq;
    }
  }
  return first;
}

/** The same log, as if it ended there. */
function readUpTo(reader: ConversationReader, lastSeq: number): ConversationReader {
  return {
    id: reader.id,
    lastSeq,
    ...(reader.restoredSeq !== undefined && { restoredSeq: reader.restoredSeq }),
    read: (from = 1, to = lastSeq) => reader.read(from, Math.min(to, lastSeq)),
    readCheckpoint: async () => {
      const checkpoint = await reader.readCheckpoint();
      return checkpoint !== null && checkpoint.seq <= lastSeq ? checkpoint : null;
    },
    close: () => reader.close(),
  };
}
