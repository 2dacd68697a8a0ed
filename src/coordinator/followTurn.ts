import type { ActivityEvent, AgentEvent, ProgressEvent } from '../models/AgentEvent.js';
import type { ConversationFact, Notice, QueuedTurn, SentPrompt } from '../models/ConversationEvent.js';
import type { AgentMember } from '../models/Team.js';
import type { Taking } from '../store/Store.js';
import { type KnownResult, runTurn } from './runTurn.js';
import { shortenAnswer } from './shortenAnswer.js';
import type { EndedTurn } from './turnFacts.js';

/** A turn that runs, here or on another machine. */
export interface RunningTurn {
  readonly turn: QueuedTurn;
  readonly member: AgentMember;
  readonly session: SentPrompt['session'];
  readonly start: () => AsyncIterable<AgentEvent>;
  /** Milliseconds since it began, when it is followed from now on only. */
  readonly milliseconds?: number;
  readonly known?: KnownResult;
}

/** Takes what comes of a turn. */
export interface TurnRecorder {
  record(facts: readonly ConversationFact[], taking?: Taking): void;
  show(turn: QueuedTurn, event: ProgressEvent): void;
  end(ended: EndedTurn): void;
  /** Takes what an agent did to files. Returns what people should know of it. */
  noteFiles(turn: QueuedTurn, event: ActivityEvent): readonly Notice[];
  saveAnswer(turn: QueuedTurn, text: string): Promise<string> | undefined;
  /** The number of the report that an event came in, if it came from another machine. */
  reportOf(event: AgentEvent): number | undefined;
  /** Settles when more can be taken; undefined: now. */
  whenRoom(): Promise<void> | undefined;
}

/** Records everything that comes of a turn, until nothing of its agent is left. */
export async function followTurn(running: RunningTurn, recorder: TurnRecorder): Promise<void> {
  const { turn, member, session, start, milliseconds = 0, known } = running;
  const { turnId, memberId } = turn;
  let began = performance.now() - milliseconds;
  for await (const step of runTurn(start, known)) {
    const taking = takingOf(turn, step.event && recorder.reportOf(step.event));
    switch (step.kind) {
      case 'activity': {
        const { event } = step;
        const notices = recorder.noteFiles(turn, event);
        recorder.record([{ type: 'turn-activity', turnId, memberId, event }, ...notices], taking);
        break;
      }
      case 'decision':
        recorder.record([{ ...step.event, turnId, memberId }], taking);
        break;
      case 'end': {
        const took = Math.round(performance.now() - began);
        const { finished } = step;
        const outcome = await shortenAnswer(finished.outcome, (text) => recorder.saveAnswer(turn, text));
        recorder.end({ ...finished, outcome, turn, member, session, milliseconds: took, taking });
        break;
      }
      case 'progress':
        // The wait for a worker is no time of the turn.
        if (step.event.type === 'waiting' && step.event.isOver) began = performance.now() - milliseconds;
        if (turn.blindRound === undefined) recorder.show(turn, step.event);
    }
    const room = recorder.whenRoom();
    if (room !== undefined) await room;
  }
}

function takingOf({ turnId }: QueuedTurn, upTo: number | undefined): Taking | undefined {
  return upTo === undefined ? undefined : { reports: { turnId, upTo } };
}
