import type { ConversationStart, Notice, RecordedEvent } from '../../models/ConversationEvent.js';
import type { MemberId } from '../../models/ids.js';
import { checkRecord } from '../eventSchema.js';
import {
  type Ground,
  isProven,
  machineOf,
  mayHold,
  type People,
  type ReportedAnswer,
  type StartedTurn,
  type TakenCommand,
} from './proofs.js';
import type { Query, SharedRow } from './SharedStore.js';

/** A row of the log: an event, and the role whose process wrote it; null: what it wrote is no event of this version. */
export interface WrittenEvent {
  readonly seq: number;
  readonly event: RecordedEvent | null;
  readonly writtenBy: string;
}

/** Reads events of one conversation as far as their writers can say them. */
export class EventProver {
  readonly #query: Query;
  readonly #conversation: number;
  readonly #turns: StartedTurns;
  #beginning: Promise<Beginning> | null = null;

  constructor(query: Query, conversation: number) {
    this.#query = query;
    this.#conversation = conversation;
    this.#turns = new StartedTurns(query, conversation);
  }

  /** Whether what this role writes counts at all. */
  async mayHold(role: string): Promise<boolean> {
    return mayHold((await this.#begin()).people, role);
  }

  /**
   * The same events, in which each that its writer cannot say is replaced by a notice. They are neighbours, in their order.
   *
   * @param restoredSeq Events up to this number came from elsewhere and claim no role.
   */
  async prove(written: readonly WrittenEvent[], restoredSeq: number): Promise<RecordedEvent[]> {
    const claims = written.filter(({ seq }) => seq > restoredSeq);
    if (claims.length === 0) return this.#tellAll(written, restoredSeq, null);
    const { people, answersFrom } = await this.#begin();
    this.#turns.note(written, people);
    const events = claims.flatMap(({ event }) => event ?? []);
    const [before, commands] = await Promise.all([
      this.#findBefore(claims[0], restoredSeq),
      this.#findCommands(claims, people),
      this.#turns.load(events.flatMap(turnIdsOf), claims[0]?.seq ?? 1, people),
    ]);
    const answers = await this.#findAnswers(events);
    const evidence = { people, answersFrom, before, commands, answers };
    return this.#tellAll(written, restoredSeq, evidence);
  }

  #tellAll(
    written: readonly WrittenEvent[],
    restoredSeq: number,
    evidence: Evidence | null,
  ): RecordedEvent[] {
    const told: RecordedEvent[] = [];
    for (const row of written) {
      const isTold = evidence === null || row.seq <= restoredSeq;
      const before = told.at(-1) ?? evidence?.before;
      told.push(isTold && row.event !== null ? row.event : this.#judge(row, before, evidence));
    }
    return told;
  }

  #judge(row: WrittenEvent, before: RecordedEvent | undefined, evidence: Evidence | null): RecordedEvent {
    const { seq, event, writtenBy } = row;
    if (event === null || evidence === null) return leaveOut(row, 'unreadable', 0);
    const { people, commands, answers, answersFrom } = evidence;
    const ground: Ground = {
      writtenBy,
      people,
      before,
      command: commands.get(seq),
      turnOf: (turnId) => this.#turns.find(turnId, seq),
      // Answers that were taken before they were noted are those of their turns.
      answerOf: (turnId) => (seq <= answersFrom ? 'any' : answers.get(turnId)),
    };
    if (isProven(event, ground)) return nameMachine(event, ground);
    return describeUnproven(row, event, people);
  }

  #begin(): Promise<Beginning> {
    this.#beginning ??= this.#findBeginning();
    return this.#beginning;
  }

  /** From the first event: whoever continues the conversation cannot change who its people are. */
  async #findBeginning(): Promise<Beginning> {
    const [row] = await this.#query<BeginningRow>(FIND_BEGINNING, [this.#conversation]);
    const start = readStart(row?.body ?? null);
    // Of a conversation that has no event yet all is to come.
    if (start === undefined) this.#beginning = null;
    const members = (start?.team.members ?? []).filter(({ type }) => type === 'human');
    const roles = new Map(members.map(({ id, role }) => [id as string, role ?? id]));
    const people = {
      creator: row?.created_by ?? '',
      roles: new Set(roles.values()),
      roleOf: (memberId: string) => roles.get(memberId) ?? memberId,
    };
    return { people, answersFrom: row?.answers_from ?? 0 };
  }

  /** The event before these, if the first of them needs it. */
  async #findBefore(
    first: WrittenEvent | undefined,
    restoredSeq: number,
  ): Promise<RecordedEvent | undefined> {
    if (first?.event?.type !== 'task-changed' || first.seq === 1) return undefined;
    const [row] = await this.#query<{ body: string; written_by: string }>(FIND_EVENT, [
      this.#conversation,
      first.seq - 1,
    ]);
    if (row === undefined) return undefined;
    const event = readRecord(row.body);
    if (event?.type === 'task-changed') return undefined;
    const [before] = await this.prove(
      [{ seq: first.seq - 1, event, writtenBy: row.written_by }],
      restoredSeq,
    );
    return before;
  }

  async #findCommands(claims: readonly WrittenEvent[], people: People): Promise<Evidence['commands']> {
    const asked = claims.flatMap(({ event, seq, writtenBy }) => {
      const role = event === null ? undefined : speakerOf(event, people);
      return role === undefined || role === writtenBy ? [] : [seq];
    });
    if (asked.length === 0) return new Map();
    const rows = await this.#query<CommandRow>(FIND_COMMANDS, [this.#conversation, asked]);
    return new Map(rows.map((row) => [row.seq, row]));
  }

  async #findAnswers(events: readonly RecordedEvent[]): Promise<Evidence['answers']> {
    const turnIds = events.flatMap((event) => {
      if (event.type !== 'message-added' || event.turnId === undefined) return [];
      return this.#turns.find(event.turnId, event.seq)?.runsOn === undefined ? [] : [event.turnId];
    });
    if (turnIds.length === 0) return new Map();
    const rows = await this.#query<AnswerRow>(FIND_ANSWERS, [this.#conversation, turnIds]);
    return new Map(rows.map((row) => [row.turn, row]));
  }
}

interface Beginning {
  readonly people: People;
  /** Answers of workers are noted after this event. */
  readonly answersFrom: number;
}

interface Evidence extends Beginning {
  readonly before: RecordedEvent | undefined;
  readonly commands: ReadonlyMap<number, CommandRow>;
  readonly answers: ReadonlyMap<string, AnswerRow>;
}

interface BeginningRow extends SharedRow {
  readonly created_by: string;
  readonly answers_from: number;
  readonly body: string | null;
}

type CommandRow = SharedRow & TakenCommand & { readonly seq: number };
type AnswerRow = SharedRow & ReportedAnswer & { readonly turn: string };

const FIND_BEGINNING = `
SELECT c.created_by, c.answers_from, e.body
FROM huddle.conversation c LEFT JOIN huddle.event e ON e.conversation = c.number AND e.seq = 1 WHERE c.number = $1`;

const FIND_EVENT = 'SELECT body, written_by FROM huddle.event WHERE conversation = $1 AND seq = $2';

const FIND_COMMANDS = `
SELECT seq, role, kind, pg_catalog.encode(pg_catalog.sha256(pg_catalog.convert_to(body, 'UTF8')), 'hex') AS sha256
FROM huddle.wish WHERE conversation = $1 AND seq = ANY ($2)`;

const FIND_ANSWERS =
  'SELECT turn, role, sha256 FROM huddle.answer WHERE conversation = $1 AND turn = ANY ($2)';

/** Starts as Huddle writes them; one that is spelled otherwise is found by who reads it. */
const FIND_TURNS = `
SELECT seq, written_by AS "startedBy", substring(body from '"turnId":"([^"]*)"') AS turn,
  substring(body from '"memberId":"([^"]*)"') AS "memberId", substring(body from '"runsOn":"([^"]*)"') AS "runsOn"
FROM huddle.event
WHERE conversation = $1 AND seq >= $2 AND seq < $3 AND pg_catalog.starts_with(body, '{"type":"turn-start"') ORDER BY seq`;

interface TurnRow extends SharedRow {
  readonly seq: number;
  readonly startedBy: string;
  readonly turn: string | null;
  readonly memberId: string | null;
  readonly runsOn: string | null;
}

/** Most turns began at most so many events before what is told of them. */
const NEAR_EVENTS = 2000;

/** The turns that started in a conversation, as far as they were needed. */
class StartedTurns {
  readonly #query: Query;
  readonly #conversation: number;
  readonly #turns = new Map<string, StartedTurn>();
  /** All that started before this event are known. */
  #known = 1;

  constructor(query: Query, conversation: number) {
    this.#query = query;
    this.#conversation = conversation;
  }

  /** The turn with this id that started up to an event. */
  find(turnId: string, upTo: number): StartedTurn | undefined {
    const turn = this.#turns.get(turnId);
    return turn !== undefined && turn.seq <= upTo ? turn : undefined;
  }

  /** Notes what starts in events that are read. */
  note(written: readonly WrittenEvent[], people: People): void {
    const [first, last] = [written[0], written.at(-1)];
    if (first === undefined || last === undefined) return;
    if (first.seq <= this.#known) this.#known = Math.max(this.#known, last.seq + 1);
    for (const { seq, event, writtenBy: startedBy } of written)
      if (event?.type === 'turn-start')
        this.#add(event.turnId, { seq, startedBy, memberId: event.memberId, runsOn: event.runsOn }, people);
  }

  /**
   * Looks for turns that started before an event: nearby always, since one that starts again there is none; before that only for those
   * that are missing. Each event is looked at once by whoever reads on.
   */
  async load(turnIds: readonly string[], before: number, people: People): Promise<void> {
    if (before <= this.#known || turnIds.length === 0) return;
    const near = Math.max(this.#known, before - NEAR_EVENTS);
    await this.#read(near, before, people);
    if (near > this.#known) {
      if (turnIds.every((turnId) => this.#turns.has(turnId))) return;
      await this.#read(this.#known, near, people);
    }
    this.#known = before;
  }

  async #read(from: number, to: number, people: People): Promise<void> {
    const rows = await this.#query<TurnRow>(FIND_TURNS, [this.#conversation, from, to]);
    for (const { turn, seq, startedBy, memberId, runsOn } of rows)
      if (turn !== null)
        this.#add(
          turn,
          { seq, startedBy, memberId: memberId ?? undefined, runsOn: runsOn ?? undefined },
          people,
        );
  }

  #add(turnId: string, turn: StartedTurn, people: People): void {
    const known = this.#turns.get(turnId);
    if (mayHold(people, turn.startedBy) && (known === undefined || turn.seq < known.seq))
      this.#turns.set(turnId, turn);
  }
}

/** Undefined when it is none: then nobody but who began the conversation has a say in it. */
function readStart(body: string | null): ConversationStart | undefined {
  const event = readRecord(body ?? '');
  return event?.type === 'conversation-start' ? event : undefined;
}

function readRecord(body: string): RecordedEvent | null {
  try {
    const checked = checkRecord(JSON.parse(body));
    return checked.fault === undefined ? checked.event : null;
  } catch {
    return null; // No JSON.
  }
}

function turnIdsOf(event: RecordedEvent): readonly string[] {
  switch (event.type) {
    case 'message-added':
      return event.turnId === undefined ? [] : [event.turnId];
    case 'turn-start':
    case 'turn-activity':
    case 'permission-decided':
    case 'turn-end':
      return [event.turnId];
    default:
      return [];
  }
}

/** The role that is said to have said or decided it; undefined: nobody is. */
function speakerOf(event: RecordedEvent, people: People): string | undefined {
  if (event.type === 'message-added' && event.message.speaker.type !== 'ai') return event.by;
  if (event.type === 'permission-decided' && event.by.kind === 'person')
    return people.roleOf(event.by.memberId);
  return undefined;
}

/** Names the machine that an answer is from, if it is another one than that of who began; what its writer says of that goes. */
function nameMachine(event: RecordedEvent, ground: Ground): RecordedEvent {
  if (event.type !== 'message-added') return event;
  const machine = event.message.speaker.type === 'ai' ? machineOf(event, ground) : undefined;
  const { machine: said, ...message } = event.message;
  if (said === machine) return event;
  return { ...event, message: machine === undefined ? message : { ...message, machine } };
}

function describeUnproven(row: WrittenEvent, event: RecordedEvent, people: People): RecordedEvent {
  const { writtenBy: recordedBy, seq } = row;
  if (!mayHold(people, recordedBy)) return leaveOut(row, 'stranger', event.at);
  if (event.type !== 'message-added' || event.message.speaker.type !== 'human')
    return leaveOut(row, 'unproven', event.at);
  const { message, by, v, at } = event;
  const notice: Notice = {
    type: 'notice',
    code: 'unproven-speaker',
    messageId: message.id,
    // The id of a person's message is that of a member.
    memberId: message.speaker.roleId as MemberId,
    by,
    recordedBy,
  };
  return { ...notice, v, seq, at };
}

function leaveOut(
  { seq, event, writtenBy: recordedBy }: WrittenEvent,
  because: 'stranger' | 'unproven' | 'unreadable',
  at: number,
): RecordedEvent {
  return { type: 'notice', code: 'left-out', recordedBy, because, what: event?.type, v: 1, seq, at };
}
