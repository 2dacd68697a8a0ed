import { askedFor, outcomeOf } from '../../conversation/questions.js';
import { formatJson } from '../../utils/formatJson.js';
import { type ConversationView, nameOf, type ShownTurn, totalsOf } from '../view.js';
import type { Printer, PrintStreams } from './Printer.js';

/** Every event on a line of its own, as the published schema describes it. */
export function createStreamJsonPrinter({ stdout }: PrintStreams): Printer {
  return {
    take: (event) => stdout.write(`${formatJson(event)}\n`),
    end: () => undefined,
  };
}

/** One object when everything is over. */
export function createJsonPrinter({ stdout }: PrintStreams): Printer {
  return {
    take: () => undefined,
    end: (view) => stdout.write(`${formatJson(summarize(view), 2)}\n`),
  };
}

function summarize(view: ConversationView): object {
  const { conversationId, teamName, isRehearsal, messages, turns, permissions, agenda } = view;
  return {
    conversationId,
    team: teamName,
    isRehearsal,
    outcome: outcomeOf(agenda),
    pause: agenda.pause,
    waitingFor: askedFor(agenda).map((id) => nameOf(view, id)),
    notRun: agenda.queue.map(({ memberId }) => nameOf(view, memberId)),
    messages,
    turns: turns.map((turn) => describeTurn(view, turn)),
    permissions: permissions.map(({ memberId, ...record }) => ({
      ...record,
      member: nameOf(view, memberId),
    })),
    totals: totalsOf(view),
  };
}

function describeTurn(view: ConversationView, { memberId, ...turn }: ShownTurn): object {
  return { ...turn, member: nameOf(view, memberId) };
}
