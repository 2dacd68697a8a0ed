import type { TurnRequest } from '../agents/AgentAdapter.js';
import { AgentManager } from '../agents/AgentManager.js';
import { eventsOfEnd, PlayedTurn } from '../agents/cassette/PlayedTurn.js';
import { isContinuing } from '../conversation/questions.js';
import { nextTurns, type TurnQueue } from '../conversation/TurnQueue.js';
import type { ConversationCoordinator } from '../coordinator/ConversationCoordinator.js';
import { ConversationStarter } from '../coordinator/ConversationStarter.js';
import type { Pace, TurnFolders } from '../coordinator/Round.js';
import { choosePlace } from '../files/recorder/FileRound.js';
import { queueUnrecordedChecks } from '../files/recorder/queueChecks.js';
import type { AgentEvent } from '../models/AgentEvent.js';
import { HuddleError } from '../models/errors.js';
import type { TurnId } from '../models/ids.js';
import type { Team } from '../models/Team.js';
import type { ConversationLog } from '../store/Store.js';
import { defer } from '../utils/defer.js';
import type { Parting } from './comparePlay.js';
import { type Cassette, isInteractive, isSameTurn, startsTogether } from './openCassette.js';
import type { Opening } from './openings.js';
import { PlayedLog } from './PlayedLog.js';
import { type Act, decide, type PlayStep } from './planSteps.js';
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
  readonly log: PlayedLog;
  readonly #turns = new Map<TurnId, PlayedTurn>();
  readonly #over = defer<Parting | undefined>();
  /** Everything that waits for its place: looked at whenever something has happened. */
  readonly #waiting = new Set<{ readonly isReached: () => boolean; readonly pass: () => void }>();
  /** Turns that have ended, and whose agents have not left. */
  readonly #leaving = new Set<TurnId>();
  /** Turns that are chosen, and wait for their place to start. */
  #chosen: TurnQueue | undefined;
  #conversation: ConversationCoordinator | undefined;
  /** Counts how often the conversation was left. */
  #run = 0;
  #position = 0;
  /** The step that is under way. */
  #begun: PlayStep | undefined;
  #isStepping = false;
  /** The recording is over, or the conversation has parted from it. */
  #isOver = false;
  /** The turns that start now. */
  #starting: TurnQueue = [];

  constructor(recording: Cassette, team: Team) {
    this.#recording = recording;
    // How many work at the same time is in no log, and none of them works here.
    this.#team = { ...team, limits: { ...team.limits, parallel: Number.MAX_SAFE_INTEGER } };
    this.log = new PlayedLog(recording.events);
    this.log.restore(recording.events.slice(0, recording.from));
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
      for (let step = this.#step; step !== undefined && this.#take(step); step = this.#step)
        this.#position += 1;
      if (this.#step === undefined) this.#finish();
    } catch (error) {
      this.#fail(error);
    } finally {
      this.#isStepping = false;
    }
    this.#check();
  }

  get #step(): PlayStep | undefined {
    return this.#recording.steps[this.#position];
  }

  /** Something waits, and nothing runs. */
  get #isBetweenTurns(): boolean {
    const { state } = this.log.status;
    return isContinuing(state) && state.running.length === 0;
  }

  /** The next turn was chosen before this step, and is not chosen yet. */
  get #awaitsChoice(): boolean {
    const isChosen = this.#chosen !== undefined && this.#areWaiting(this.#chosen);
    return !isChosen && this.#mayGoOn && this.#isBetweenTurns;
  }

  /** Whether no person has replaced one of these turns. */
  #areWaiting(turns: TurnQueue): boolean {
    const { queue } = this.log.status.state;
    return turns.every(({ turnId }) => queue.some((turn) => turn.turnId === turnId));
  }

  /** Does what a step asks for, once. Returns whether it has happened. */
  #take(step: PlayStep): boolean {
    const isNew = this.#begun !== step;
    this.#begun = step;
    switch (step.kind) {
      case 'open':
        if (isNew) this.#open(step.opening).catch((error) => this.#fail(error));
        return false;
      case 'act':
        if (this.#awaitsChoice) return false;
        // Something waits to run where nothing did when it was recorded.
        if (step.isAtRest && this.#isBetweenTurns) return this.#part(nextTurns(this.log.status.state.queue));
        this.#act(step.act);
        return true;
      case 'given':
        if (this.#awaitsChoice) return false;
        this.#conversation?.record([step.event]);
        return true;
      case 'files':
        this.#conversation?.record(
          recordTurns(step.event, this.#recording, this.#team, this.log.status.state),
        );
        return true;
      case 'say':
        if (isNew) this.#turn(step.event.turnId).say(step.event.event);
        return this.log.has(step.event);
      case 'ask':
        return this.#ask(step);
      case 'withdraw':
        this.#turn(step.event.turnId).withdraw(step.event.requestId);
        return true;
      case 'end':
        if (isNew) this.#endTurns(step.together);
        return this.log.has(step.event);
      case 'own':
        return this.log.has(step.event) || this.#watch(isNew, step);
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
    this.log.restore(opening.given);
    const { id, isRehearsal } = this.#recording;
    const log = this.log.open(id, opening.isStart ? {} : this.#circumstances(opening));
    const parts = {
      team: this.#team,
      store: { create: async () => log, open: async () => log, read: async () => log },
      agents: this.#createAgents(),
      interactive: isInteractive(this.#recording, this.#position),
      pace: this.#createPace(),
      nonce: () => this.#nonce(),
    };
    const starter = new ConversationStarter();
    const conversation = opening.isStart
      ? await starter.start({ ...parts, isRehearsal, createId: () => id })
      : await starter.resume({ ...parts, id });
    if (this.#isOver) return conversation.close();
    this.#conversation = conversation;
    conversation.subscribe(() => this.#advance());
    this.#position += 1;
    this.#advance();
  }

  /** Circumstances that only the store knew when the conversation was opened. */
  #circumstances({ facts }: Opening): Pick<ConversationLog, 'takenOverFrom' | 'restoredSeq'> {
    const notices = facts.flatMap((fact) => (fact.type === 'notice' ? fact : []));
    const [lost] = notices.flatMap((notice) => (notice.code === 'lease-taken-over' ? notice : []));
    const isRestored = notices.some(({ code }) => code === 'session-not-forked');
    return {
      takenOverFrom: lost && { ...lost, processStart: null, since: 0 },
      restoredSeq: isRestored ? this.log.events.length : undefined,
    };
  }

  #act(act: Act): void {
    const conversation = this.#conversation;
    if (conversation === undefined) return;
    act(conversation).catch((error: unknown) => {
      // Decided by the team of now, which the comparison tells.
      const isDecided = error instanceof HuddleError && error.code === 'UNKNOWN_PERMISSION_REQUEST';
      if (!isDecided && !this.#isOver) this.#fail(error);
    });
  }

  #ask({ turnId, question, decided }: Extract<PlayStep, { kind: 'ask' }>): boolean {
    const turn = this.#turn(turnId);
    if (turn.request === undefined) return false;
    turn.ask(question);
    const last = this.log.events.at(-1);
    const isOpenNow = last?.type === 'turn-activity' && last.event.type === 'permission-request';
    // Asked of a person now, and decided without one then.
    if (isOpenNow && decided && decided.by.kind !== 'person' && decided.decision !== 'cancelled')
      this.#act(decide(decided));
    return true;
  }

  #endTurns(turnIds: readonly TurnId[]): void {
    for (const turnId of turnIds) {
      const end = this.#recording.ends.get(turnId);
      if (end === undefined || this.#leaving.has(turnId)) continue;
      this.#leaving.add(turnId);
      this.#turn(turnId).say(...eventsOfEnd(end));
    }
  }

  #turn(turnId: TurnId): PlayedTurn {
    const turn = this.#turns.get(turnId) ?? new PlayedTurn();
    this.#turns.set(turnId, turn);
    return turn;
  }

  /** Agents of one run of the conversation. When that is over, those that were about to begin leave at once. */
  #createAgents(): AgentManager {
    const run = this.#run;
    const runTurn = (request: TurnRequest): AsyncIterable<AgentEvent> => {
      const [turnId = ''] = (request.turnName ?? '').split(' ', 1);
      const turn = this.#turn(turnId as TurnId);
      if (run !== this.#run) turn.leave();
      const events = turn.run(request);
      queueMicrotask(() => this.#advance());
      return events;
    };
    return new AgentManager({ workingFolder: '.', createAdapter: () => ({ runTurn }) });
  }

  /** The pace of one run of the conversation. When that is over, nothing of it is held back any more. */
  #createPace(): Pace {
    const run = this.#run;
    const untilReached = (isReached: () => boolean): Promise<void> =>
      this.#untilReached(() => run !== this.#run || isReached());
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
    const { turns: known } = this.log.status.state;
    return {
      copyOf: (turn) => choosePlace(turn, turns, this.#team, known).copyOf,
      enter: async () => ({ kind: 'ready', folder: '.' }),
      report: () => [],
      leave: async () => undefined,
      end: async () => {
        await untilReached(() => this.#mayGoOn);
        const { status } = this.log;
        const turnIds = turns.map(({ turnId }) => turnId);
        const isRecordedLater = turnIds.some((turnId) => this.#recording.recordedTurns.has(turnId));
        if (status.recording.reasons.length > 0 && !isRecordedLater)
          this.#conversation?.record(queueUnrecordedChecks(turnIds, this.#team, status.state));
      },
    };
  }

  /** Whether the conversation may take its next step: it is its turn in the recording, or nothing else is left. */
  get #mayGoOn(): boolean {
    if (this.#isOver) return true;
    const { steps } = this.#recording;
    let next = this.#position;
    while (steps[next]?.kind === 'act' || steps[next]?.kind === 'given') next += 1;
    const step = steps[next];
    return step?.kind === 'own' && (next === this.#position || step.isEarly);
  }

  /** Whether these turns are the ones that start now. Parts from the recording if others do. */
  #isStart(turns: TurnQueue): boolean {
    if (this.#isOver) return this.#part(turns);
    const step = this.#step;
    if (step?.kind !== 'own') return false;
    const { starts } = this.#recording;
    const chosen = turns.map(({ turnId }) => turnId);
    const together = startsTogether(this.#recording, this.#position);
    const isSame =
      'turnId' in step.event &&
      chosen.includes(step.event.turnId) &&
      turns.every((turn) => isSameTurn(this.#recording, turn)) &&
      together.every((turnId) => chosen.includes(turnId)) &&
      // Of those that start now, refused ones have no start in the recording.
      chosen.every((turnId) => together.includes(turnId) || !starts.has(turnId));
    return isSame || this.#part(turns);
  }

  /** The nonce of the turn whose prompt is made now. */
  #nonce(): string {
    const turn = this.#starting.find((one) => this.#areWaiting([one]));
    return (turn && this.#recording.starts.get(turn.turnId)?.prompt.nonce) ?? NO_NONCE;
  }

  /** Settles when the condition holds; it is looked at when something has happened. */
  #untilReached(isReached: () => boolean): Promise<void> {
    return new Promise((pass) => {
      this.#waiting.add({ isReached, pass });
      this.#pass();
    });
  }

  #pass(): void {
    for (const gate of [...this.#waiting]) if (gate.isReached() && this.#waiting.delete(gate)) gate.pass();
  }

  #check(): void {
    if (this.#mayGoOn) {
      for (const turnId of this.#leaving) this.#turns.get(turnId)?.leave();
      this.#leaving.clear();
    }
    this.#pass();
  }

  /** Everything recorded has happened. If nothing was left to do then, nothing may be left now. */
  #finish(): void {
    const conversation = this.#conversation;
    if (this.#recording.isOpenEnd || conversation === undefined) {
      this.#end(undefined);
      return;
    }
    this.#isOver = true;
    conversation.settled().then(
      () => this.#over.resolve(undefined),
      (error) => this.#over.reject(error),
    );
  }

  #part(turns: TurnQueue): false {
    this.#end({ turns });
    return false;
  }

  #end(parting: Parting | undefined): void {
    this.#isOver = true;
    this.log.end();
    this.#over.resolve(parting);
  }

  #fail(error: unknown): void {
    this.#isOver = true;
    this.log.end();
    this.#over.reject(error);
  }

  /** Ends the run of the conversation as if its process had ended. */
  async #leave(): Promise<void> {
    const conversation = this.#conversation;
    if (conversation === undefined) return;
    this.#conversation = undefined;
    this.#run += 1;
    this.log.end();
    const closed = conversation.close();
    for (const turn of this.#turns.values()) turn.leave();
    this.#pass();
    await closed;
  }
}
