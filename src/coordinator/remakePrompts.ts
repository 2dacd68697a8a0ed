import type { ExplainedPrompt } from '../context/types.js';
import type {
  MemberProfile,
  MessageRun,
  Notice,
  RecordedEvent,
  SentPrompt,
  TurnStart,
} from '../models/ConversationEvent.js';
import { PromptBudgetError } from '../models/errors.js';
import { utf8Length } from '../utils/bytes.js';
import { explainStart, PastMoment } from './explainTurn.js';
import { hashPrompt } from './preparePrompt.js';

/**
 * Makes what a log says about its prompts true again after its texts were changed: hashes, sizes, what there was no room
 * for. Events may come and go by that, so all are numbered again.
 */
export function remakePrompts(events: readonly RecordedEvent[]): RecordedEvent[] {
  const moment = new PastMoment();
  const remade: RecordedEvent[] = [];
  let cutIn: TurnStart | undefined;
  for (const event of events) {
    const isOldNote = cutIn !== undefined && isTrimOf(event, cutIn);
    cutIn = event.type === 'turn-start' ? event : undefined;
    if (isOldNote) continue;
    const made = event.type === 'turn-start' ? remakeStart(moment, event) : [event];
    for (const one of made) moment.apply(one);
    remade.push(...made);
  }
  return remade.map((event, index) => (event.seq === index + 1 ? event : { ...event, seq: index + 1 }));
}

function isTrimOf(event: RecordedEvent, { memberId }: TurnStart): boolean {
  return event.type === 'notice' && event.code === 'prompt-trimmed' && event.memberId === memberId;
}

/** A start and, as the coordinator records it, the notice that its message had to be cut. */
function remakeStart(moment: PastMoment, event: TurnStart & RecordedEvent): RecordedEvent[] {
  try {
    const explained = explainStart(moment, event);
    const { memberId, v, seq, at } = event;
    const cutBytes = explained.output.trim?.cutBytes ?? 0;
    const note: Notice = { type: 'notice', code: 'prompt-trimmed', memberId, cutBytes };
    const start = { ...event, prompt: describePrompt(event.prompt, explained, explained.profile) };
    return [start, ...(cutBytes > 0 ? [{ ...note, v, seq, at }] : [])];
  } catch (error) {
    // It was sent, and now has no room: the answer stays, and playing tells.
    if (error instanceof PromptBudgetError) return [event];
    throw error;
  }
}

function describePrompt(
  sent: SentPrompt,
  { output, plan }: ExplainedPrompt,
  { memory }: MemberProfile,
): SentPrompt {
  const { missed: _, ...rest } = sent;
  const missed: readonly MessageRun[] =
    output.trim === undefined || memory !== 'session'
      ? []
      : plan.messages.flatMap(({ first, last, inclusion }) =>
          inclusion === 'budget' ? [{ first, last }] : [],
        );
  return {
    ...rest,
    bytes: utf8Length(output.prompt) + utf8Length(output.systemFlag ?? ''),
    sha256: hashPrompt(output),
    ...(missed.length > 0 && { missed }),
  };
}
