import type { RecordedUsage, TurnEnd } from '../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../models/ids.js';

/** A turn that is still changing on the screen. */
export interface LiveTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The end of the block that is being written. */
  readonly preview: string;
  /** The blocks that are in the transcript already, as one text. */
  readonly shown: string;
  readonly tools: readonly RunningTool[];
  readonly todo: readonly TodoItem[];
  /** Why it waits for its model, if it does. */
  readonly retry: string | null;
  readonly isEnded: boolean;
  readonly milliseconds: number;
  readonly usage?: RecordedUsage;
}

export interface RunningTool {
  readonly toolId: string;
  readonly number: number;
  readonly name: string;
  readonly input: string;
}

export interface TodoItem {
  readonly text: string;
  readonly done: boolean;
}

/** More than a screen shows. The whole block comes again when it is settled, so no more needs to be kept. */
const KEPT_CHARACTERS = 4 * 1024;

export function startedTurn({
  turnId,
  memberId,
  at,
}: {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly at: number;
}): LiveTurn {
  return {
    turnId,
    memberId,
    startedAt: at,
    preview: '',
    shown: '',
    tools: [],
    todo: [],
    retry: null,
    isEnded: false,
    milliseconds: 0,
  };
}

export function endedTurn(turn: LiveTurn, { milliseconds, usage }: TurnEnd): LiveTurn {
  return { ...turn, preview: '', isEnded: true, milliseconds, ...(usage && { usage }) };
}

export function addPreview(turn: LiveTurn, text: string): LiveTurn {
  return { ...turn, retry: null, preview: appendTail(turn.preview, text) };
}

/** Cuts only when twice too long, so that many small pieces cost little, and at a line where there is one. */
function appendTail(text: string, added: string): string {
  const joined = text + added;
  if (joined.length <= 2 * KEPT_CHARACTERS) return joined;
  const tail = joined.slice(-KEPT_CHARACTERS);
  const lineStart = tail.indexOf('\n') + 1;
  return lineStart < tail.length ? tail.slice(lineStart) : tail;
}
