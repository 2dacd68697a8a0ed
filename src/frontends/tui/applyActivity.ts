import { describeWarning } from '../../catalogue/notices.js';
import { terminalEnglish as words } from '../../catalogue/terminal.js';
import type { ToolEndEvent, ToolStartEvent } from '../../models/AgentEvent.js';
import type { TurnActivity } from '../../models/ConversationEvent.js';
import { assertNever } from '../../utils/assertNever.js';
import { askPermission } from './applyPermission.js';
import type { Block, LineBlock } from './Block.js';
import { type LiveTurn, startedTurn, type TodoItem } from './LiveTurn.js';
import { addToTurn, findTurn, replaceTurn, type Screen, type Step } from './Screen.js';
import { addToolCall, finishTool, summarizeToolCall } from './toolCalls.js';

/** What an agent does besides talking. */
export function applyActivity(screen: Screen, activity: TurnActivity & { readonly at: number }): Step {
  const turn = findTurn(screen, activity.turnId) ?? startedTurn(activity);
  const { event } = activity;
  switch (event.type) {
    case 'session':
      return { screen, blocks: [] };
    case 'tool-start':
      return startTool(screen, turn, event);
    case 'tool-end':
      return endTool(screen, turn, event);
    case 'file-change':
      return addToTurn(screen, turn, [
        { kind: 'line', icon: '±', tone: 'plain', text: event.path, detail: words.fileChange[event.change] },
      ]);
    case 'todo-list':
      return changeTodo(screen, turn, event.items);
    case 'permission-request':
      return askPermission(screen, turn, event);
    case 'retry': {
      const retry = words.retry(event.message, event.attempt, event.maxAttempts);
      const step = replaceTurn(screen, { ...turn, retry });
      return addToTurn(step.screen, turn, [line('↻', 'warning', retry)]);
    }
    case 'error':
      return addToTurn(screen, turn, [line('!', 'bad', event.message)]);
    case 'warning':
      return addToTurn(screen, turn, [line('!', 'bad', describeWarning(event.about))]);
    default:
      return assertNever(event);
  }
}

function startTool(screen: Screen, turn: LiveTurn, { toolId, name, input }: ToolStartEvent): Step {
  const number = screen.toolCount + 1;
  const tools = [...turn.tools, { toolId, number, name, input }];
  return replaceTurn({ ...screen, toolCount: number }, { ...turn, retry: null, tools });
}

function endTool(screen: Screen, turn: LiveTurn, event: ToolEndEvent): Step {
  const { toolId, name } = event;
  const started = turn.tools.find((tool) => tool.toolId === toolId);
  // Some agents only tell that a tool was used.
  const call = finishTool(started ?? { toolId, name, input: '', number: screen.toolCount + 1 }, event);
  const toolCount = Math.max(screen.toolCount, call.number);
  const tools = turn.tools.filter((tool) => tool !== started);
  const { screen: after } = replaceTurn({ ...screen, toolCount }, { ...turn, tools });
  const toolCalls = addToolCall(after.toolCalls, call);
  return addToTurn({ ...after, toolCalls }, turn, [summarizeToolCall(call)]);
}

/** The list stays in view while the turn runs; what gets done is noted as it happens. */
function changeTodo(screen: Screen, turn: LiveTurn, todo: readonly TodoItem[]): Step {
  const before = new Set(turn.todo.filter(({ done }) => done).map(({ text }) => text));
  const finished = todo.filter(({ text, done }) => done && !before.has(text));
  const { screen: after } = replaceTurn(screen, { ...turn, todo });
  if (finished.length === 0) return { screen: after, blocks: [] };
  return addToTurn(
    after,
    turn,
    finished.map(({ text }): Block => line('☑', 'quiet', text)),
  );
}

function line(icon: string, tone: LineBlock['tone'], text: string): LineBlock {
  return { kind: 'line', icon, tone, text };
}
