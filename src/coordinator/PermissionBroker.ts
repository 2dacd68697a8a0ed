import type { PermissionAnswer, PermissionQuestion } from '../agents/AgentAdapter.js';
import type { ConversationFact, PermissionDecided, QueuedTurn } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import type { AgentMember } from '../models/Team.js';
import { type Decision, decidePermission, suggestEntry, TOO_LONG } from './decidePermission.js';

export interface PermissionBrokerOptions {
  /** A person is there to be asked. */
  readonly asksPeople: boolean;
  readonly record: (facts: readonly ConversationFact[]) => void;
  /** Resolves when what was recorded is durable; undefined: it is. */
  readonly kept: () => Promise<void> | undefined;
  /** A question could not be written down. It is not answered, and its turn must go no further. */
  readonly onFailure: (error: unknown) => void;
}

const ANSWERS: Readonly<Record<PermissionDecided['decision'], PermissionAnswer>> = {
  allowed: 'allow',
  denied: 'deny',
  cancelled: 'cancelled',
};

/** Answers permission requests of agents. Every request is recorded, and so is who decided it. */
export class PermissionBroker {
  readonly #options: PermissionBrokerOptions;
  /** Settles each question that waits for a person. */
  readonly #open = new Map<string, (decision: Decision) => void>();

  constructor(options: PermissionBrokerOptions) {
    this.#options = options;
  }

  /** Decides by the team file, or waits for a person where there is one. Never rejects. */
  async ask(member: AgentMember, turn: QueuedTurn, question: PermissionQuestion): Promise<PermissionAnswer> {
    try {
      const decision = await this.#settle(member, turn, question);
      await this.#options.kept();
      return ANSWERS[decision];
    } catch (error) {
      this.#options.onFailure(error);
      return 'cancelled';
    }
  }

  /** Throws UNKNOWN_PERMISSION_REQUEST, also when another answer came first. */
  answer(requestId: string, verdict: 'allow' | 'deny', memberId: MemberId): void {
    const settle = this.#open.get(requestId);
    if (settle === undefined) throw new HuddleError('UNKNOWN_PERMISSION_REQUEST', { requestId });
    const decision = verdict === 'allow' ? 'allowed' : 'denied';
    settle({ decision, by: { kind: 'person', memberId } });
  }

  async #settle(
    member: AgentMember,
    { turnId, memberId }: QueuedTurn,
    question: PermissionQuestion,
  ): Promise<PermissionDecided['decision']> {
    const { record } = this.#options;
    const { signal, guards, extent, isUnderstood, isAsked, ...details } = question;
    const { requestId } = details;
    const tell = (isOpen: boolean): ConversationFact => ({
      type: 'turn-activity',
      turnId,
      memberId,
      event: { type: 'permission-request', ...details, isOpen },
    });
    const describe = (decision: Decision): ConversationFact => ({
      type: 'permission-decided',
      turnId,
      memberId,
      requestId,
      ...decision,
    });
    const decision = decidePermission(question, member) ?? this.#decideUnasked(question, member);
    if (decision !== undefined) {
      // Files that the permission covers come by the hundred, and what becomes of them is told anyway.
      if (isAsked || decision.by.kind !== 'permission') record([tell(false), describe(decision)]);
      return decision.decision;
    }
    return (await this.#waitForPerson(question, () => record([tell(true)]), describe)).decision;
  }

  /** Denies what a person would have to decide if there is none, or if they could not see all of it. */
  #decideUnasked(question: PermissionQuestion, member: AgentMember): Decision | undefined {
    const { extent } = question;
    if (!this.#options.asksPeople) return { ...NOBODY_THERE, ...suggestEntry(question, member) };
    return extent === 'whole' ? undefined : TOO_LONG;
  }

  /**
   * Resolves with the answer of a person, who may give it as soon as the request is told. A decision is recorded at once, so
   * that it stands before all that follows from it.
   */
  #waitForPerson(
    { requestId, signal }: PermissionQuestion,
    tell: () => void,
    describe: (decision: Decision) => ConversationFact,
  ): Promise<Decision> {
    return new Promise((resolve, reject) => {
      const settle = (decision: Decision): void => {
        this.#options.record([describe(decision)]);
        forget();
        resolve(decision);
      };
      const withdraw = (): void => {
        try {
          settle(WITHDRAWN);
        } catch (error) {
          forget();
          reject(error);
        }
      };
      const forget = (): void => {
        this.#open.delete(requestId);
        signal.removeEventListener('abort', withdraw);
      };
      this.#open.set(requestId, settle);
      try {
        tell();
      } catch (error) {
        forget();
        throw error;
      }
      if (!this.#open.has(requestId)) return;
      signal.addEventListener('abort', withdraw);
      if (signal.aborted) withdraw();
    });
  }
}

const NOBODY_THERE: Decision = { decision: 'denied', by: { kind: 'nobody' } };
const WITHDRAWN: Decision = { decision: 'cancelled', by: { kind: 'nobody' } };
