import { type Agenda, applyToAgenda, EMPTY_AGENDA } from '../conversation/Agenda.js';
import { askedFor, outcomeOf } from '../conversation/questions.js';
import { stripOuterMarkers } from '../markers/markers.js';
import type {
  ConversationFact,
  MemberSummary,
  RecordedEvent,
  TurnEnd,
  TurnStart,
} from '../models/ConversationEvent.js';
import { asksTeam, type ConversationMessage } from '../models/ConversationMessage.js';
import type { MemberId, MessageId, TurnId } from '../models/ids.js';
import { amountIn, tokensIn } from '../models/usageFigures.js';
import type { AnyIterable } from '../utils/AnyIterable.js';
import { splitIntoWords } from '../utils/splitIntoWords.js';
import type { Attempt, AttemptResult, MeasuredTurn, PlannedRow } from './Attempt.js';

/** A conversation that is to be asked again. */
export interface RecordedConversation {
  readonly events: readonly RecordedEvent[];
  /** Names of all agents that ever were in it. */
  readonly agents: ReadonlyMap<MemberId, string>;
  /** Secrets and folders in it are masked. */
  readonly isRedacted: boolean;
  readonly questions: readonly MeasuredQuestion[];
  readonly turns: readonly ReplayableTurn[];
}

/** A turn that started. */
export interface ReplayableTurn extends PlannedRow {
  readonly memberId: MemberId;
  /** It checked what another turn changed in the files, as they were then. */
  readonly isCheck: boolean;
}

/** A message that asked the team, and all that came of it before the next one. */
export interface MeasuredQuestion {
  readonly messageId: MessageId;
  readonly content: string;
  /** Name of the person, or of the program. */
  readonly from: string;
  readonly via: ConversationMessage['via'];
  readonly attempt: Attempt;
}

/** Reads a recording to its end. */
export async function readRecording(source: AnyIterable<RecordedEvent>): Promise<RecordedConversation> {
  const events: RecordedEvent[] = [];
  const texts = new Map<MessageId, string>();
  const measure = new ConversationMeasure();
  for await (const event of source) {
    events.push(event);
    measure.take(event);
    if (event.type === 'message-added') texts.set(event.message.id, event.message.content);
  }
  const [start] = events;
  return {
    events,
    agents: measure.agents,
    isRedacted: start?.type === 'conversation-start' && start.redacted === true,
    questions: measure.questions,
    turns: measure.starts.flatMap(({ turnId, memberId, triggeredBy, about = triggeredBy, checks }) => {
      const before = measure.attemptOf(turnId);
      if (before === undefined) return [];
      return {
        id: turnId,
        question: texts.get(about) ?? '',
        before,
        memberId,
        isCheck: checks !== undefined,
      };
    }),
  };
}

/** The facts of a turn so far. */
interface OpenTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly start?: TurnStart | undefined;
  end?: TurnEnd;
  message?: ConversationMessage;
}

interface OpenQuestion {
  readonly message: ConversationMessage;
  readonly turns: OpenTurn[];
  /** As it was when the next person spoke. */
  agenda?: Agenda;
}

const WORD = /[\p{L}\p{N}]/u;

/** Measures a conversation fact by fact: what each question led to, and what that took. The same for a recording and now. */
export class ConversationMeasure {
  #agenda = EMPTY_AGENDA;
  /** As it was before the last fact, if that ended a pause: who speaks to a paused conversation continues it first. */
  #paused: Agenda | undefined;
  readonly #agents = new Map<MemberId, string>();
  readonly #people = new Map<MemberId, string>();
  readonly #questions: OpenQuestion[] = [];
  readonly #turns = new Map<TurnId, OpenTurn>();

  take(fact: ConversationFact): void {
    if (fact.type === 'conversation-start') this.#takeMembers(fact.team.members);
    // Who came later is not in the beginning.
    else if (fact.type === 'profile-changed') this.#agents.set(fact.memberId, fact.profile.agentName);
    else if (fact.type === 'message-added') this.#takeMessage(fact.message, fact.turnId);
    else if (fact.type === 'turn-start') this.#open(fact, fact);
    else if (fact.type === 'turn-end') (this.#turns.get(fact.turnId) ?? this.#open(fact)).end = fact;
    this.#paused = fact.type === 'conversation-resume' ? this.#agenda : undefined;
    this.#agenda = applyToAgenda(this.#agenda, fact);
  }

  /** Names of all agents that ever were in it. */
  get agents(): ReadonlyMap<MemberId, string> {
    return this.#agents;
  }

  get questions(): readonly MeasuredQuestion[] {
    return this.#questions.map((question) => ({
      messageId: question.message.id,
      content: question.message.content,
      from: question.message.speaker.roleName,
      via: question.message.via,
      attempt: this.#measureQuestion(question),
    }));
  }

  /** Measures what has come of the last question so far. */
  get latest(): Attempt | undefined {
    const last = this.#questions.at(-1);
    return last && this.#measureQuestion(last);
  }

  /** All turns that started, in their order. */
  get starts(): readonly TurnStart[] {
    return [...this.#turns.values()].flatMap(({ start }) => start ?? []);
  }

  /** Measures a turn by itself. */
  attemptOf(turnId: TurnId): Attempt | undefined {
    const found = this.#turns.get(turnId);
    if (found === undefined) return undefined;
    const turn = this.#measure(found);
    return { turns: [turn], result: resultOf(turn), pause: null, waitingFor: [], notRun: [] };
  }

  #takeMembers(members: readonly MemberSummary[]): void {
    for (const { id, name, type } of members) (type === 'ai' ? this.#agents : this.#people).set(id, name);
  }

  #takeMessage(message: ConversationMessage, turnId: TurnId | undefined): void {
    const turn = turnId === undefined ? undefined : this.#turns.get(turnId);
    if (turn !== undefined) turn.message = message;
    if (!asksTeam(message)) return;
    const last = this.#questions.at(-1);
    if (last !== undefined) last.agenda = this.#paused ?? this.#agenda;
    this.#questions.push({ message, turns: [] });
  }

  #open({ turnId, memberId }: Pick<TurnEnd, 'turnId' | 'memberId'>, start?: TurnStart): OpenTurn {
    const turn: OpenTurn = { turnId, memberId, start };
    this.#turns.set(turnId, turn);
    this.#questions.at(-1)?.turns.push(turn);
    return turn;
  }

  #measureQuestion({ turns, agenda = this.#agenda }: OpenQuestion): Attempt {
    return {
      turns: turns.map((turn) => this.#measure(turn)),
      result: outcomeOf(agenda),
      pause: agenda.pause,
      waitingFor: askedFor(agenda).map((id) => this.#nameOf(id)),
      notRun: agenda.queue.map(({ memberId }) => this.#nameOf(memberId)),
    };
  }

  #measure({ turnId, memberId, start, end, message }: OpenTurn): MeasuredTurn {
    const { result, usage, milliseconds = 0 } = end ?? {};
    const answer = message?.content;
    return {
      turnId,
      member: this.#nameOf(memberId),
      // A turn without an end was cut off together with Huddle.
      result: result?.kind ?? 'interrupted',
      failure: result?.kind === 'failed' ? result.failure : undefined,
      answer,
      handoff: message?.routing?.resolvedAddressees ?? [],
      words: answer === undefined ? 0 : countWords(stripOuterMarkers(answer, ['next'])),
      promptBytes: start?.prompt.bytes ?? 0,
      inputTokens: tokensIn(usage?.inputTokens),
      outputTokens: tokensIn(usage?.outputTokens),
      usd: usage?.usd === undefined ? undefined : amountIn(usage.usd),
      price: usage?.price,
      milliseconds,
    };
  }

  #nameOf(memberId: MemberId): string {
    return this.#agents.get(memberId) ?? this.#people.get(memberId) ?? memberId;
  }
}

/** Counts the words of a text; of scripts without blanks, the characters. */
function countWords(text: string): number {
  return splitIntoWords(text).filter((part) => WORD.test(part)).length;
}

function resultOf({ result, failure }: MeasuredTurn): AttemptResult {
  if (result === 'completed') return 'done';
  if (failure?.code === 'AUTH') return 'not-logged-in';
  return failure?.code === 'AGENT_MISSING' ? 'agent-missing' : result;
}
