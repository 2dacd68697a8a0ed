import type { Conversation } from '../coordinator/Conversation.js';
import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import { Budget } from './Budget.js';
import { forkTurn, type TurnFork } from './forkTurn.js';
import { openMeasured } from './openMeasured.js';
import type { ReplayParts, ReplayResult } from './Replay.js';
import { endsHere, judge } from './replayQuestions.js';

export interface TurnReplay extends ReplayParts {
  readonly events: readonly RecordedEvent[];
  /** Opens a conversation with this past, which ends after one turn. */
  readonly open: (fork: TurnFork) => Promise<Conversation>;
}

/** Asks for every turn once more, each by itself: whatever the others answer now, its past is the recorded one. */
export async function replayTurns(result: ReplayResult, replay: TurnReplay): Promise<void> {
  const budget = new Budget(replay.limits);
  for (let run = 1; run <= replay.repeat; run += 1) {
    for (const [index, row] of result.rows.entries()) {
      if (endsHere(result, replay, budget)) return;
      const turnId = row.id as TurnId;
      const fork = forkTurn(replay.events, turnId);
      if (fork === undefined) continue;
      const place = { row: index + 1, run };
      const conversation = await replay.open(fork);
      await openMeasured(conversation, replay.signal, async (measure) => {
        replay.onStep?.({ kind: 'asking', row, place, conversation });
        await conversation.resume();
        await conversation.settled();
        const after = measure.attemptOf(turnId);
        if (after === undefined) return;
        row.after.push(after);
        budget.take(after);
        await judge(row, after, place, replay);
        replay.onStep?.({ kind: 'done', row, place });
      });
    }
  }
  if (replay.signal.aborted) result.stop = 'stopped';
}
