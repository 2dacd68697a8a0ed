import { describeDecision } from '../../catalogue/decisions.js';
import {
  describeDiff,
  describeRequest,
  describeWish,
  summarizeRequest,
} from '../../catalogue/permissionRequests.js';
import { terminalEnglish as words } from '../../catalogue/terminal.js';
import type { PermissionRequestEvent } from '../../models/AgentEvent.js';
import type { PermissionDecided } from '../../models/ConversationEvent.js';
import type { Block } from './Block.js';
import { type LiveTurn, startedTurn } from './LiveTurn.js';
import { addToTurn, findTurn, type Screen, type Step, settleQuestion, speakerOf } from './Screen.js';

/** An agent asks. What a person is to decide is shown whole, the changes first; what is decided anyway is a line. */
export function askPermission(screen: Screen, turn: LiveTurn, request: PermissionRequestEvent): Step {
  const { requestId, name, isOpen = false, diffs = [] } = request;
  const summary = summarizeRequest(request);
  if (!isOpen) return addToTurn(screen, turn, [line('?', 'quiet', summary)]);
  const { turnId, memberId } = turn;
  const number = screen.questionCount + 1;
  const question = { number, turnId, memberId, requestId, name, summary };
  const after = { ...screen, questionCount: number, permissions: [...screen.permissions, question] };
  const headline = words.permissionRequest(number, speakerOf(screen, memberId).name, describeWish(request));
  return addToTurn(after, turn, [
    ...diffs.map((diff): Block => ({ kind: 'diff', ...describeDiff(diff) })),
    { kind: 'request', headline, facts: describeRequest(request) },
  ]);
}

/** A question takes no answer any more. One that was answered here is gone from the screen already. */
export function applyDecision(screen: Screen, event: PermissionDecided & { readonly at: number }): Step {
  const question = screen.permissions.find(({ requestId }) => requestId === event.requestId);
  const turn = findTurn(screen, event.turnId) ?? startedTurn(event);
  const decision = describeDecision(
    event,
    (memberId) => speakerOf(screen, memberId as typeof event.memberId).name,
  );
  if (question !== undefined) {
    const text = words.questionDecided(question.number, decision);
    return addToTurn(settleQuestion(screen, event.requestId), turn, [
      { kind: 'note', tone: 'warning', text },
    ]);
  }
  if (event.by.kind === 'person' || event.decision === 'cancelled') return { screen, blocks: [] };
  const isAllowed = event.decision === 'allowed';
  return addToTurn(screen, turn, [line(isAllowed ? '✓' : '✗', isAllowed ? 'good' : 'bad', decision)]);
}

function line(icon: string, tone: 'quiet' | 'good' | 'bad', text: string): Block {
  return { kind: 'line', icon, tone, text };
}
