import { askedFor, outcomeOf } from '../../conversation/questions.js';
import type { ConversationEvent, FilesRecorded } from '../../models/ConversationEvent.js';
import type { ConversationMessage } from '../../models/ConversationMessage.js';
import type { TurnId } from '../../models/ids.js';
import type { ToldTurn } from '../../presentation/Block.js';
import { TurnTotals } from '../../presentation/cost.js';
import { namesIn, type Step, type Telling } from '../../presentation/Telling.js';
import { formatJson } from '../../utils/formatJson.js';
import type { PrintStreams } from '../lines/LineWriter.js';
import type { Printer } from './printConversation.js';

/** Every event on a line of its own, as the published schema describes it; `last` on one more. */
export function createStreamJsonPrinter({ stdout }: PrintStreams, last?: object): Printer {
  return {
    take: (event) => stdout.write(`${formatJson(event)}\n`),
    end: () => {
      if (last !== undefined) stdout.write(`${formatJson(last)}\n`);
    },
  };
}

/** Prints one object when everything is over. */
export class JsonPrinter implements Printer {
  readonly #stdout: PrintStreams['stdout'];
  readonly #messages: ConversationMessage[] = [];
  readonly #turns: ToldTurn[] = [];
  readonly #records = new Map<TurnId, FilesRecorded>();
  readonly #totals = new TurnTotals();
  /** Did not complete and were asked for again: what counts is how that ended. */
  readonly #retried = new Set<string | undefined>();
  readonly #more: object;

  /** `more`: fields besides those of the conversation. */
  constructor({ stdout }: PrintStreams, more: object = {}) {
    this.#stdout = stdout;
    this.#more = more;
  }

  take(event: ConversationEvent, { blocks }: Step): void {
    this.#totals.take(event);
    if (event.type === 'turns-queued') for (const { retryOf } of event.turns) this.#retried.add(retryOf);
    if (event.type === 'files-recorded' && event.by.kind === 'turns')
      for (const turnId of event.by.turnIds) this.#records.set(turnId, event);
    for (const block of blocks) {
      if (block.kind === 'message') this.#messages.push(block.message);
      if ('turn' in block && block.turn !== undefined) this.#turns.push(block.turn);
    }
  }

  end(telling: Telling): void {
    this.#stdout.write(`${formatJson(this.#summarize(telling), 2)}\n`);
  }

  /** The files that changed; nothing if that was not recorded. */
  #filesOf(turnId: TurnId): object {
    const record = this.#records.get(turnId);
    if (record?.by.kind !== 'turns') return {};
    const { files, unlisted, copyOf, isLate, by } = record;
    const others = by.turnIds.filter((other) => other !== turnId);
    return {
      files,
      unlistedFiles: unlisted,
      filesAreInCopy: copyOf === undefined ? undefined : true,
      filesAreLate: isLate || undefined,
      filesSharedWith: others.length > 0 ? others : undefined,
    };
  }

  #summarize(telling: Telling): object {
    const { start, conversation } = telling;
    const nameOf = namesIn(telling);
    return {
      conversationId: start?.conversationId ?? '',
      team: start?.team.name ?? '',
      isRehearsal: start?.isRehearsal ?? false,
      outcome: outcomeOf(conversation),
      pause: conversation.pause,
      waitingFor: askedFor(conversation).map(nameOf),
      notRun: conversation.queue.map(({ memberId }) => nameOf(memberId)),
      messages: this.#messages,
      turns: this.#turns.map(({ turnId, member, result, milliseconds, usage }) => ({
        turnId,
        result,
        milliseconds,
        usage,
        isRetried: this.#retried.has(turnId) || undefined,
        member: member.name,
        ...this.#filesOf(turnId),
      })),
      permissions: this.#turns.flatMap(({ turnId, member, permissions }) =>
        permissions.map(({ number, person, ...record }) => ({ ...record, turnId, member: member.name })),
      ),
      totals: this.#totals.sum,
      ...this.#more,
    };
  }
}
