import type { PermissionRequestEvent, ToolEndEvent, ToolStartEvent } from '../models/AgentEvent.js';
import type { PermissionDecided, TurnActivity, TurnStart } from '../models/ConversationEvent.js';
import { assertNever } from '../utils/assertNever.js';
import type { DecidedPermission, PermissionRecord, ToolCall, Work } from './Block.js';
import { type LiveTurn, startTurn } from './LiveTurn.js';
import { findTurn, memberOf, replaceTurn, type Step, type Telling } from './Telling.js';

type EventOfTurn = Pick<TurnStart, 'turnId' | 'memberId'>;

/** Tells what an agent does besides talking. */
export function tellActivity(telling: Telling, activity: TurnActivity): Step {
  const turn = turnOf(telling, activity);
  const { event } = activity;
  switch (event.type) {
    case 'session':
      return { telling, blocks: [] };
    case 'tool-start':
      return startTool(telling, turn, event);
    case 'tool-end':
      return endTool(telling, turn, event);
    case 'file-change':
      return tellWork(telling, { ...turn, files: [...turn.files, event] }, { kind: 'file', file: event });
    case 'todo-list': {
      const { items } = event;
      const before = new Set(turn.todo.filter(({ done }) => done).map(({ text }) => text));
      const finished = items.filter(({ text, done }) => done && !before.has(text)).map(({ text }) => text);
      return tellWork(telling, { ...turn, todo: items }, { kind: 'todo', items, finished });
    }
    case 'permission-request':
      return askPermission(telling, turn, event);
    case 'retry':
      return tellWork(telling, { ...turn, isRetrying: true }, { kind: 'retry', retry: event });
    case 'error':
      return tellWork(telling, turn, { kind: 'error', error: event });
    case 'warning':
      return tellWork(telling, turn, { kind: 'warning', warning: event.about });
    default:
      return assertNever(event);
  }
}

/** Tells what came of a permission request. */
export function tellDecision(telling: Telling, event: PermissionDecided): Step {
  const turn = turnOf(telling, event);
  const { requestId, decision, by, allowEntry } = event;
  const asked = turn.permissions.find((request) => request.requestId === requestId);
  const request: DecidedPermission = {
    ...(asked ?? { requestId, name: '', input: '' }),
    decision,
    by,
    allowEntry,
    person: by.kind === 'person' ? memberOf(telling, by.memberId).name : undefined,
  };
  const permissions = turn.permissions.map((other) => (other === asked ? request : other));
  return tellWork(telling, { ...turn, permissions }, { kind: 'decision', request });
}

/** A block about a turn, which is from now on as given. */
export function tellWork(telling: Telling, turn: LiveTurn, work: Work): Step {
  const { turnId, member } = turn;
  return { telling: replaceTurn(telling, turn), blocks: [{ turnId, member, ...work }] };
}

/** The turn that an event is about; begun here if its start was not told. */
export function turnOf(telling: Telling, { turnId, memberId }: EventOfTurn, at = 0): LiveTurn {
  return findTurn(telling, turnId) ?? startTurn(turnId, memberOf(telling, memberId), at);
}

function startTool(telling: Telling, turn: LiveTurn, { toolId, name, input }: ToolStartEvent): Step {
  const toolCount = telling.toolCount + 1;
  const call: ToolCall = { number: toolCount, toolId, name, input };
  const after = { ...turn, isRetrying: false, tools: [...turn.tools, call] };
  return tellWork({ ...telling, toolCount }, after, { kind: 'tool', call });
}

function endTool(telling: Telling, turn: LiveTurn, { toolId, name, ok, result }: ToolEndEvent): Step {
  const started = turn.tools.find((tool) => tool.toolId === toolId && tool.ok === undefined);
  // Some agents only tell that a tool was used.
  const number = started?.number ?? telling.toolCount + 1;
  const call: ToolCall = { ...(started ?? { number, toolId, name, input: '' }), ok, result };
  const tools = started ? turn.tools.map((tool) => (tool === started ? call : tool)) : [...turn.tools, call];
  const toolCount = Math.max(telling.toolCount, number);
  return tellWork({ ...telling, toolCount }, { ...turn, tools }, { kind: 'tool', call });
}

function askPermission(telling: Telling, turn: LiveTurn, event: PermissionRequestEvent): Step {
  const { type, isOpen, ...details } = event;
  const questionCount = telling.questionCount + (isOpen ? 1 : 0);
  const request: PermissionRecord = { ...details, number: isOpen ? questionCount : undefined };
  const permissions = [...turn.permissions, request];
  return tellWork({ ...telling, questionCount }, { ...turn, permissions }, { kind: 'request', request });
}
