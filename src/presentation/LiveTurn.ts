import { textFrom } from '../markdown/fences.js';
import type { TodoListEvent, WaitingEvent } from '../models/AgentEvent.js';
import type { TurnEnd } from '../models/ConversationEvent.js';
import type { TurnId } from '../models/ids.js';
import type { PermissionRecord, ShownMember, ToldTurn, ToolCall, TurnWork } from './Block.js';

/** A turn that runs, or one that has ended and whose message has yet to come. */
export interface LiveTurn extends TurnWork {
  /** Epoch milliseconds. */
  readonly startedAt: number;
  /** The end of the block that is being written. */
  readonly preview: string;
  /** The text that was told already. */
  readonly told: string;
  readonly todo: TodoListEvent['items'];
  /** It could not reach its model, and nothing has come since. */
  readonly isRetrying: boolean;
  /** No worker has taken it yet. */
  readonly waiting?: WaitingEvent;
  readonly ended?: ToldTurn;
}

/** More than a screen shows. The whole block comes again when it is settled, so no more needs to be kept. */
const KEPT_CHARACTERS = 4 * 1024;

export function startTurn(turnId: TurnId, member: ShownMember, startedAt: number): LiveTurn {
  return {
    turnId,
    member,
    startedAt,
    preview: '',
    told: '',
    tools: [],
    files: [],
    permissions: [],
    todo: [],
    isRetrying: false,
  };
}

export function endTurn(turn: LiveTurn, { result, milliseconds, usage }: TurnEnd): ToldTurn {
  const { turnId, member, tools, files, permissions } = turn;
  return { turnId, member, result, milliseconds, usage, tools, files, permissions };
}

/** The present work of a running turn, and the tool it is about; or that it waits for a worker. */
export type Doing =
  | readonly [kind: 'thinking' | 'replying' | 'running' | 'retrying' | 'waiting', tool: string]
  | readonly [kind: 'elsewhere', waiting: WaitingEvent];

export function doingOf({ waiting, permissions, tools, isRetrying, preview }: LiveTurn): Doing {
  if (waiting !== undefined) return ['elsewhere', waiting];
  const request = permissions.find(isOpen);
  if (request !== undefined) return ['waiting', request.name];
  if (isRetrying) return ['retrying', ''];
  const tool = tools.findLast(isRunning);
  if (tool !== undefined) return ['running', tool.name];
  return [preview === '' ? 'thinking' : 'replying', ''];
}

export function isRunning({ ok }: ToolCall): boolean {
  return ok === undefined;
}

/** Whether a permission request waits for a person. */
export function isOpen({ number, decision }: PermissionRecord): boolean {
  return number !== undefined && decision === undefined;
}

export function addPreview(turn: LiveTurn, text: string): LiveTurn {
  return { ...turn, isRetrying: false, preview: appendTail(turn.preview, text) };
}

/** Cuts only when twice too long, so that many small pieces cost little, and at a line where there is one. */
function appendTail(text: string, added: string): string {
  const joined = text + added;
  if (joined.length <= 2 * KEPT_CHARACTERS) return joined;
  const start = joined.length - KEPT_CHARACTERS;
  const lineStart = joined.indexOf('\n', start) + 1;
  return textFrom(joined, lineStart > 0 && lineStart < joined.length ? lineStart : start);
}
