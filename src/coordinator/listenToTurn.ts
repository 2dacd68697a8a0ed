import { type ConversationFact, EVENT_VERSION, type TurnProgress } from '../models/ConversationEvent.js';
import type { ConversationLog } from '../store/Store.js';
import type { TurnListener } from './runTurn.js';
import { shortenAnswer } from './shortenAnswer.js';
import type { EndedTurn } from './turnFacts.js';

/** A turn that has begun, as it is known until its end. */
export type StartedTurn = Pick<EndedTurn, 'turn' | 'member' | 'session'>;

/** What becomes of what is heard of a turn. */
export interface TurnAudience {
  readonly clock: () => number;
  readonly log: ConversationLog;
  readonly record: (facts: readonly ConversationFact[]) => void;
  readonly show: (progress: TurnProgress) => void;
  /** Resolves when there is room for more; undefined: there is. */
  readonly room: () => Promise<void> | undefined;
  readonly onEnd: (ended: EndedTurn) => void;
}

/** Puts what is heard of one turn into the words of the conversation. Nobody watches a blind round. */
export function listenToTurn(started: StartedTurn, audience: TurnAudience): TurnListener {
  const { turnId, memberId, blindRound } = started.turn;
  const { clock, log, record, show, room, onEnd } = audience;
  const began = performance.now();
  return {
    room,
    onActivity: (event) => record([{ type: 'turn-activity', turnId, memberId, event }]),
    onProgress: (event) => {
      if (blindRound !== undefined) return;
      show({ type: 'turn-progress', v: EVENT_VERSION, at: clock(), turnId, memberId, event });
    },
    onEnd: async (finished) => {
      const milliseconds = Math.round(performance.now() - began);
      const outcome = await shortenAnswer(finished.outcome, (text) => log.saveAnswer?.(turnId, text));
      onEnd({ ...finished, ...started, outcome, milliseconds });
    },
  };
}
