import { english } from '../../catalogue/english.js';
import { describeFailure } from '../../catalogue/failures.js';
import { describeWarning } from '../../catalogue/notices.js';
import {
  describeDiff,
  describeRequest,
  labelLines,
  summarizeRequest,
} from '../../catalogue/permissionRequests.js';
import { askedFor, outcomeOf } from '../../conversation/questions.js';
import { findAgentType } from '../../models/AgentConfig.js';
import type { ActivityEvent } from '../../models/AgentEvent.js';
import type { MemberSummary } from '../../models/ConversationEvent.js';
import type { UnfinishedOutcome } from '../../models/TurnOutcome.js';
import { formatFixed, formatNumber } from '../../utils/formatNumber.js';
import { type ConversationView, nameOf, type PermissionRecord, totalsOf } from '../view.js';

const sentences = english.print;
const SECOND = 1000;

/** `max (Claude Code, Architect)`, and whether it runs without a fence. */
export function introduceMember(member: MemberSummary): string {
  const { name, title, agentType, permission } = member;
  const label = agentType === undefined ? sentences.human : (findAgentType(agentType)?.label ?? agentType);
  const details = [label, ...(title === undefined || title === label ? [] : [title])];
  if (permission === 'full') details.push(sentences.unsandboxed);
  return `${name} (${details.join(', ')})`;
}

/** What stands over the words of a member. */
export function headMember({ name, permission }: MemberSummary, isDraft = false): string {
  const marks = [
    ...(permission === 'full' ? [sentences.unsandboxed] : []),
    ...(isDraft ? [sentences.draft] : []),
  ];
  return marks.length > 0 ? `${name} (${marks.join(', ')}):` : `${name}:`;
}

/** One line about what an agent does, or nothing where it is not worth one. */
export function describeActivity(name: string, event: ActivityEvent): string | undefined {
  switch (event.type) {
    case 'tool-start':
      return sentences.tool(name, event.name, event.input);
    case 'tool-end':
      return event.ok ? undefined : sentences.toolFailed(name, event.name, event.result);
    case 'file-change':
      return `${name} ${sentences.fileChange[event.change]} ${event.path}`;
    case 'todo-list':
      return sentences.plan(name, event.items.filter(({ done }) => done).length, event.items.length);
    case 'permission-request':
      return sentences.permissionRequest(name, summarizeRequest(event));
    case 'retry':
      return sentences.retry(name, event.message, [
        ...(event.attempt === undefined ? [] : [sentences.attempt(event.attempt, event.maxAttempts)]),
        ...(event.waitMilliseconds === undefined
          ? []
          : [sentences.inSeconds(Math.ceil(event.waitMilliseconds / SECOND))]),
      ]);
    case 'error':
      return `${name}: ${event.message}`;
    case 'warning':
      return `${name}: ${describeWarning(event.about)}`;
    case 'session':
      return undefined;
  }
}

/** All that a request says, with the changes it would make. */
export function tellRequest(request: PermissionRecord): string[] {
  const facts = describeRequest(request).flatMap(labelLines);
  const changes = (request.diffs ?? [])
    .map(describeDiff)
    .flatMap(({ title, lines }) => [
      `  │ ± ${title}`,
      ...lines.map(({ mark, text }) => `  │ ${mark} ${text}`),
    ]);
  return [...facts.map(([label, line]) => `  │ ${label}${line}`), ...changes];
}

/** `error[CODE]: what happened; what was kept. What to do.` Of a program that is not there nothing could be kept. */
export function describeTrouble(name: string, result: UnfinishedOutcome): string {
  const { code, what, hint } = explainTrouble(name, result);
  if (code === 'AGENT_MISSING') return english.cli.error(code, `${what}. ${hint}`);
  const length = Array.from(result.draft).length;
  const kept = length === 0 ? sentences.keptNothing : sentences.keptDraft(length);
  return english.cli.error(code, `${what}; ${kept}. ${hint}`.trimEnd());
}

interface Trouble {
  readonly code: string;
  readonly what: string;
  readonly hint: string;
}

function explainTrouble(name: string, result: UnfinishedOutcome): Trouble {
  switch (result.kind) {
    case 'failed': {
      const { failure } = result;
      return { code: failure.code, ...describeFailure(name, failure) };
    }
    case 'timed-out': {
      const seconds = Math.round(result.milliseconds / SECOND);
      const what = sentences.timeLimits[result.limit](name, seconds);
      return { code: 'TURN_TIMEOUT', what, hint: sentences.timeLimitHints[result.limit] };
    }
    case 'cancelled':
      return { code: 'TURN_CANCELLED', what: sentences.stopped(name), hint: sentences.sendAgain };
    case 'interrupted':
      // Found when the conversation is opened again, for whatever is done about it then.
      return { code: 'TURN_INTERRUPTED', what: sentences.interrupted(name), hint: '' };
  }
}

/** Why it is over, when it is not simply done, and how to go on. */
export function describeEnd(view: ConversationView): string[] {
  const { pause, queue } = view.agenda;
  const names = (ids: readonly string[]) => ids.map((id) => nameOf(view, id));
  const notRun = queue.length > 0 ? [sentences.notRun(names(queue.map(({ memberId }) => memberId)))] : [];
  if (pause?.kind === 'limit') {
    const { limit, count, max } = pause;
    return [sentences.paused(english.limits[limit](max), count), ...notRun, sentences.toContinue[limit]];
  }
  const outcome = outcomeOf(view.agenda);
  if (outcome === 'no-recipient') return [english.cli.error('NO_RECIPIENT', sentences.noRecipient)];
  return outcome === 'waiting' ? [sentences.waiting(names(askedFor(view.agenda)))] : notRun;
}

/** What it took, on one line. */
export function describeCost(view: ConversationView): string {
  const totals = totalsOf(view);
  const seconds = formatFixed(totals.milliseconds / SECOND, 1);
  const parts = [sentences.turns(totals.turns, seconds)];
  if (view.isRehearsal) return [...parts, sentences.nothingSpent].join(' · ');
  if (totals.inputTokens + totals.outputTokens > 0)
    parts.push(sentences.tokens(formatNumber(totals.inputTokens), formatNumber(totals.outputTokens)));
  if (totals.usd > 0) parts.push(sentences.money(formatFixed(totals.usd, 4), totals.isEstimated));
  if (totals.unpriced.length > 0)
    parts.push(sentences.unpriced(totals.unpriced.map((id) => nameOf(view, id))));
  return parts.join(' · ');
}
