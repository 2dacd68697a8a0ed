import type { RecordedEvent } from '../models/ConversationEvent.js';
import type { MemberId } from '../models/ids.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { ConversationMeasure, type MeasuredQuestion } from './ConversationMeasure.js';
import type { ReplayRow } from './Replay.js';

type PlannedRow = Pick<ReplayRow, 'id' | 'question' | 'before'>;

/** A conversation that is to be asked again. */
export interface RecordedConversation {
  readonly events: readonly RecordedEvent[];
  /** Names of all agents that ever were in it. */
  readonly agents: ReadonlyMap<MemberId, string>;
  /** Secrets and folders in it are masked. */
  readonly isRedacted: boolean;
  readonly questions: readonly MeasuredQuestion[];
  readonly turns: readonly ReplayableTurn[];
}

/** A turn that started. */
export interface ReplayableTurn extends PlannedRow {
  readonly memberId: MemberId;
  /** It checked what another turn changed in the files, as they were then. */
  readonly isCheck: boolean;
}

/** Reads a recording to its end. */
export async function readRecording(source: AnyIterable<RecordedEvent>): Promise<RecordedConversation> {
  const events: RecordedEvent[] = [];
  const measure = new ConversationMeasure();
  for await (const event of source) {
    events.push(event);
    measure.take(event);
  }
  const [start] = events;
  return {
    events,
    agents: measure.agents,
    isRedacted: start?.type === 'conversation-start' && start.redacted === true,
    questions: measure.questions,
    turns: listTurns(events, measure),
  };
}

function listTurns(
  events: readonly RecordedEvent[],
  measure: ConversationMeasure,
): readonly ReplayableTurn[] {
  const texts = new Map(
    events.flatMap((event) =>
      event.type === 'message-added' ? [[event.message.id, event.message.content] as const] : [],
    ),
  );
  return measure.starts.flatMap(({ turnId, memberId, triggeredBy, about = triggeredBy, checks }) => {
    const before = measure.attemptOf(turnId);
    if (before === undefined) return [];
    return { id: turnId, question: texts.get(about) ?? '', before, memberId, isCheck: checks !== undefined };
  });
}
