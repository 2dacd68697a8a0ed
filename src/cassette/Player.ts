import { AgentManager } from '../agents/AgentManager.js';
import { CassetteAdapter } from '../agents/cassette/CassetteAdapter.js';
import { eventsOfEnd, PlayedTurn, questionOfRequest } from '../agents/cassette/PlayedTurn.js';
import { isContinuing } from '../conversation/questions.js';
import { nextTurns, type TurnQueue } from '../conversation/TurnQueue.js';
import type { ConversationCoordinator } from '../coordinator/ConversationCoordinator.js';
import { ConversationStarter } from '../coordinator/ConversationStarter.js';
import type { Pace, TurnFolders } from '../coordinator/Round.js';
import { queueUnrecordedChecks } from '../files/recorder/queueChecks.js';
import { choosePlace } from '../files/recorder/turnPlaces.js';
import type { ConversationFact } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';
import type { TurnId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import { defer } from '../utils/defer.js';
import { type Cassette, isInteractive, isSameTurn, startsTogether } from './Cassette.js';
import type { Parting } from './comparePlay.js';
import { Gates } from './Gates.js';
import { holderOf, PlayedLog } from './PlayedLog.js';
import { isOwn, type Opening, type PersonAct, type PlayStep } from './PlayStep.js';
import { performAct } from './performAct.js';
import { recordTurns } from './recordTurns.js';

/** Stands in fences that the recording has none for. */
const NO_NONCE = '0'.repeat(16);

/**
 * Plays a recording through a running conversation: does what people and agents did, each in its place, and lets the
 * conversation continue by itself in between. Steps are taken as soon as their place is reached, in the same tick.
 */
export class Player {
  readonly #recording: Cassette;
  readonly #team: Team;
  readonly #log: PlayedLog;
  readonly #turns = new Map<TurnId, PlayedTurn>();
  readonly #over = defer<Parting | undefined>();
  /** Everything that waits for its place: looked at whenever something has happened. */
  readonly #gates = new Gates();
  /** Turns that have ended, and whose agents have not left. */
  readonly #leaving = new Set<TurnId>();
  /** Turns that are chosen, and wait for their place to start. */
  #chosen: TurnQueue | undefined;
  #conversation: ConversationCoordinator | undefined;
  /** Counts how often the conversation was left. */
  #run = 0;
  #position = 0;
  /** The current step is under way. */
  #isBegun = false;
  #isStepping = false;
  /** The recording is over, or the conversation has parted from it. */
  #isOver = false;
  /** The turns that start now. */
  #starting: TurnQueue = [];

  constructor(recording: Cassette, team: Team) {
    this.#recording = recording;
    // How many work at the same time is in no log, and none of them works here.
    this.#team = { ...team, limits: { ...team.limits, parallel: Number.MAX_SAFE_INTEGER } };
    this.#log = new PlayedLog(recording.events);
    this.#log.restore(recording.events.slice(0, recording.from));
  }

  get log(): PlayedLog {
    return this.#log;
  }

  /** The prompt of a turn that was played. */
  promptOf(turnId: TurnId): { readonly prompt: string; readonly systemFlag?: string } | undefined {
    return this.#turns.get(turnId)?.request;
  }

  /** Plays to the end. Resolves with where it went another way, if it did. */
  async play(signal?: AbortSignal): Promise<Parting | undefined> {
    const stop = (): void => this.#fail(signal?.reason);
    signal?.addEventListener('abort', stop, { once: true });
    if (signal?.aborted) stop();
    this.#advance();
    try {
      return await this.#over.promise;
    } finally {
      signal?.removeEventListener('abort', stop);
      await this.#leave();
    }
  }

  /** Takes one step after the other, until something has to happen first. */
  #advance(): void {
    if (this.#isStepping || this.#isOver) return;
    this.#isStepping = true;
    try {
      for (let step = this.#step; step !== undefined && this.#take(step); step = this.#step) {
        this.#position += 1;
        this.#isBegun = false;
      }
      if (this.#step === undefined) this.#finish();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isStepping = false;
    }
    this.#check();
  }

  get #step(): PlayStep | undefined {
    return this.#recording.steps[this.#position]?.step;
  }

  /** The next turn was chosen before this step, and is not chosen yet. */
  get #awaitsChoice(): boolean {
    const { state } = this.#log.status;
    const isChosen = this.#chosen !== undefined && this.#areWaiting(this.#chosen);
    return !isChosen && this.#mayGoOn && isContinuing(state) && state.running.length === 0;
  }

  /** Whether no person has replaced one of these turns. */
  #areWaiting(turns: TurnQueue): boolean {
    const { queue } = this.#log.status.state;
    return turns.every(({ turnId }) => queue.some((turn) => turn.turnId === turnId));
  }

  /** Something waits to run where nothing did when it was recorded. */
  get #isUnrest(): boolean {
    const { state } = this.#log.status;
    const isAtRest = this.#recording.steps[this.#position]?.isAtRest;
    return isAtRest === true && isContinuing(state) && state.running.length === 0;
  }

  /** Does what a step asks for, once. Returns whether it has happened. */
  #take(step: PlayStep): boolean {
    const isNew = !this.#isBegun;
    this.#isBegun = true;
    switch (step.kind) {
      case 'open':
        if (isNew) this.#open(step.opening).catch((error) => this.#fail(error));
        return false;
      case 'act':
        if (this.#awaitsChoice) return false;
        if (this.#isUnrest) return this.#part(nextTurns(this.#log.status.state.queue));
        this.#act(step.act);
        return true;
      case 'given':
        if (this.#awaitsChoice) return false;
        this.#record([step.event]);
        return true;
      case 'files':
        this.#record(recordTurns(step.event, this.#team, this.#log.status.state, this.#recording.events));
        return true;
      case 'activity':
        if (isNew) this.#turn(step.event.turnId).say(step.event.event);
        return (this.#log.activities.get(step.event.turnId) ?? 0) >= step.nth;
      case 'ask':
        return this.#ask(step);
      case 'withdraw':
        this.#turn(step.event.turnId).withdraw(step.event.requestId);
        return true;
      case 'end':
        if (isNew) this.#end(step.together);
        return this.#log.ended.has(step.event.turnId);
      case 'start':
        return this.#log.started.has(step.event.turnId) || this.#watch(isNew, step);
      case 'refuse':
        return this.#log.ended.has(step.event.turnId) || this.#watch(isNew, step);
      case 'limit':
        return this.#log.limits >= step.nth || this.#watch(isNew, step);
    }
  }

  /** The conversation has to take this step itself. If it comes to rest instead, it has parted from the recording. */
  #watch(isNew: boolean, step: PlayStep): false {
    if (!isNew) return false;
    const conversation = this.#conversation;
    conversation?.settled().then(
      () => {
        if (this.#conversation === conversation && this.#step === step) this.#part([]);
      },
      (error) => {
        if (this.#conversation === conversation) this.#fail(error);
      },
    );
    return false;
  }

  async #open(opening: Opening): Promise<void> {
    await this.#leave();
    this.#log.restore(opening.given);
    const { id, isRehearsal } = this.#recording;
    const shared = {
      team: this.#team,
      agents: this.#createAgents(),
      interactive: isInteractive(this.#recording, this.#position),
      pace: this.#createPace(),
      nonce: () => this.#nonce(),
    };
    const starter = new ConversationStarter();
    const log = this.#log.open(id, opening.isStart ? {} : this.#circumstances(opening));
    const store = { create: async () => log, open: async () => log, read: async () => log };
    const conversation = opening.isStart
      ? await starter.start({ ...shared, store, isRehearsal, createId: () => id })
      : await starter.resume({ ...shared, store, id });
    if (this.#isOver) return conversation.close();
    this.#conversation = conversation;
    conversation.subscribe(() => this.#advance());
    this.#position += 1;
    this.#isBegun = false;
    this.#advance();
  }

  /** Circumstances that only the store knew when the conversation was opened. */
  #circumstances({ facts }: Opening): { takenOverFrom?: ReturnType<typeof holderOf>; restoredSeq?: number } {
    const notices = facts.flatMap((fact) => (fact.type === 'notice' ? fact : []));
    const takenOver = notices.find(({ code }) => code === 'lease-taken-over');
    const isRestored = notices.some(({ code }) => code === 'session-not-forked');
    return {
      ...(takenOver?.code === 'lease-taken-over' && { takenOverFrom: holderOf(takenOver) }),
      ...(isRestored && { restoredSeq: this.#log.events.length }),
    };
  }

  #act(act: PersonAct): void {
    const conversation = this.#conversation;
    if (conversation === undefined) return;
    performAct(conversation, act).catch((error: unknown) => {
      // Decided by the team of now, which the comparison tells.
      const isDecided = error instanceof HuddleError && error.code === 'UNKNOWN_PERMISSION_REQUEST';
      if (!isDecided && !this.#isOver) this.#fail(error);
    });
  }

  #ask({ event, decided }: Extract<PlayStep, { kind: 'ask' }>): boolean {
    const turn = this.#turn(event.turnId);
    if (turn.request === undefined) return false;
    if (event.event.type !== 'permission-request') return true;
    const question = questionOfRequest(event.event, decided);
    if (question !== undefined) turn.ask(question);
    const last = this.#log.events.at(-1);
    const isOpenNow = last?.type === 'turn-activity' && last.event.type === 'permission-request';
    // Asked of a person now, and decided without one then.
    if (
      isOpenNow &&
      decided !== undefined &&
      decided.by.kind !== 'person' &&
      decided.decision !== 'cancelled'
    )
      this.#act({ kind: 'decide', event: decided });
    return true;
  }

  #end(turnIds: readonly TurnId[]): void {
    for (const turnId of turnIds) {
      const end = this.#recording.ends.get(turnId);
      if (end === undefined || this.#leaving.has(turnId)) continue;
      this.#leaving.add(turnId);
      this.#turn(turnId).say(...eventsOfEnd(end));
    }
  }

  #record(facts: readonly ConversationFact[]): void {
    this.#conversation?.record(facts);
  }

  #turn(turnId: TurnId): PlayedTurn {
    const turn = this.#turns.get(turnId) ?? new PlayedTurn();
    this.#turns.set(turnId, turn);
    return turn;
  }

  /** Agents of one run of the conversation. When that is over, those that were about to begin leave at once. */
  #createAgents(): AgentManager {
    const run = this.#run;
    const findTurn = ({ turnName = '' }: { readonly turnName?: string }): PlayedTurn => {
      const turn = this.#turn(turnName.split(' ', 1)[0] as TurnId);
      if (run !== this.#run) turn.leave();
      return turn;
    };
    const adapter = new CassetteAdapter(findTurn, () => queueMicrotask(() => this.#advance()));
    return new AgentManager({ workingFolder: '.', createAdapter: () => adapter });
  }

  /** The pace of one run of the conversation. When that is over, nothing of it is held back any more. */
  #createPace(): Pace {
    const run = this.#run;
    const untilReached = (isReached: () => boolean): Promise<void> =>
      this.#gates.wait(() => run !== this.#run || isReached());
    return {
      untilNext: () => untilReached(() => this.#mayGoOn),
      begin: async (turns, signal) => {
        const check = (): void => this.#check();
        signal.addEventListener('abort', check, { once: true });
        this.#chosen = turns;
        queueMicrotask(() => this.#advance());
        await untilReached(() => signal.aborted || !this.#areWaiting(turns) || this.#isStart(turns));
        signal.removeEventListener('abort', check);
        if (this.#chosen === turns) this.#chosen = undefined;
        this.#starting = turns;
        return this.#recording.hasFiles ? this.#foldersOf(turns, untilReached) : undefined;
      },
    };
  }

  #foldersOf(turns: TurnQueue, untilReached: (isReached: () => boolean) => Promise<void>): TurnFolders {
    const { turns: known } = this.#log.status.state;
    return {
      copyOf: (turn) => choosePlace(turn, turns, this.#team, known).copyOf,
      enter: async () => ({ kind: 'ready', folder: '.' }),
      report: () => [],
      leave: async () => undefined,
      end: async () => {
        await untilReached(() => this.#mayGoOn);
        const { status } = this.#log;
        const turnIds = turns.map(({ turnId }) => turnId);
        // Nothing was recorded of them, and nothing ever was later.
        if (
          status.recording.reasons.length > 0 &&
          !turnIds.some((turnId) => this.#recording.recordedTurns.has(turnId))
        )
          this.#record(queueUnrecordedChecks(turnIds, this.#team, status.state));
      },
    };
  }

  /** Whether the conversation may take its next step: it is its turn in the recording, or nothing else is left. */
  get #mayGoOn(): boolean {
    if (this.#isOver) return true;
    const { steps } = this.#recording;
    let next = this.#position;
    while (steps[next]?.step.kind === 'act' || steps[next]?.step.kind === 'given') next += 1;
    const step = steps[next]?.step;
    return isOwn(step) && (next === this.#position || step.isEarly);
  }

  /** Whether these turns are the ones that start now. Parts from the recording if others do. */
  #isStart(turns: TurnQueue): boolean {
    if (this.#isOver) return this.#part(turns);
    const step = this.#step;
    if (!isOwn(step)) return false;
    const { starts } = this.#recording;
    const together = startsTogether(this.#recording, this.#position);
    // Of those that start now, refused ones have no start in the recording.
    const starting = turns.map(({ turnId }) => turnId).filter((id) => starts.has(id));
    const isSame =
      step.kind !== 'limit' &&
      turns.some(({ turnId }) => turnId === step.event.turnId) &&
      turns.every((turn) => isSameTurn(this.#recording, turn)) &&
      together.every((id) => turns.some(({ turnId }) => turnId === id)) &&
      starting.every((id) => together.includes(id));
    return isSame || this.#part(turns);
  }

  /** The nonce of the turn whose prompt is made now. */
  #nonce(): string {
    const turn = this.#starting.find(({ turnId }) => !this.#log.started.has(turnId));
    return (turn && this.#recording.starts.get(turn.turnId)?.prompt.nonce) ?? NO_NONCE;
  }

  #check(): void {
    if (this.#mayGoOn) {
      for (const turnId of this.#leaving) this.#turns.get(turnId)?.leave();
      this.#leaving.clear();
    }
    this.#gates.check();
  }

  /** Everything recorded has happened. If nothing was left to do then, nothing may be left now. */
  #finish(): void {
    this.#isOver = true;
    const conversation = this.#conversation;
    if (this.#recording.isOpenEnd || conversation === undefined) {
      this.#log.end();
      this.#over.resolve(undefined);
      return;
    }
    conversation.settled().then(
      () => this.#over.resolve(undefined),
      (error) => this.#over.reject(error),
    );
  }

  #part(turns: TurnQueue): false {
    this.#isOver = true;
    this.#log.end();
    this.#over.resolve({ turns });
    return false;
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.#log.end();
    this.#over.reject(error);
  }

  /** Ends the run of the conversation as if its process had ended. */
  async #leave(): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === undefined) return;
    this.#conversation = undefined;
    this.#run += 1;
    this.#log.end();
    const closed = conversation.close();
    for (const turn of this.#turns.values()) turn.leave();
    this.#gates.check();
    await closed;
  }
}
