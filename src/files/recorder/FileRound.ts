import type { TurnQueue } from '../../conversation/TurnQueue.js';
import { findRecentTurn, type RecentTurns } from '../../conversation/turnIndex.js';
import type { ActivityEvent } from '../../models/AgentEvent.js';
import type { Notice, QueuedTurn } from '../../models/ConversationEvent.js';
import type { MemberId, TurnId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { requireAgent } from '../../routing/teamMembers.js';
import type { CopyResult, FilePlace, NotReady, TurnMark, Workspace } from '../Workspace.js';
import type { FileRecorder, FileRecorderParts } from './FileRecorder.js';
import { noteBehind, noteShared } from './filesFacts.js';
import { queueUnrecordedChecks } from './queueChecks.js';

/** The folder that a turn works in; or why there is none. */
export type EnteredFolder =
  | { readonly kind: 'ready'; readonly folder: string }
  | Extract<CopyResult, { kind: 'not-ready' }>;

export interface WorkingFilesParts extends FileRecorderParts {
  readonly team: Team;
  /** Runs a program in the folder of a turn before it starts. Resolves with what went wrong. */
  readonly prepareFolder: (
    preparation: { readonly command: readonly string[]; readonly workingFolder: string },
    turnId: TurnId,
    signal: AbortSignal,
  ) => Promise<NotReady | undefined>;
  /** Names a turn to other processes. */
  readonly nameOf: (turnId: TurnId) => string;
}

interface FileRoundParts extends WorkingFilesParts {
  readonly recorder: FileRecorder;
  readonly workspace: Workspace;
  readonly turns: TurnQueue;
  readonly onEnd: () => void;
  /** The first look ended just now: the turns waited for it. */
  readonly isLooking: boolean;
}

/** The folders of turns that start together, from the record before them to the record after them. */
export class FileRound {
  readonly #parts: FileRoundParts;
  readonly #recorder: FileRecorder;
  readonly #workspace: Workspace;
  readonly #places: ReadonlyMap<TurnId, FilePlace>;
  readonly #folders = new Map<TurnId, string>();
  /** Folders of which the state before the turns is not known. */
  readonly #unsure = new Set<MemberId | undefined>();
  #marks: TurnMark[] = [];

  constructor(parts: FileRoundParts) {
    const { recorder, workspace, turns, team, status } = parts;
    const { turns: known } = status().state;
    this.#parts = parts;
    this.#recorder = recorder;
    this.#workspace = workspace;
    this.#places = new Map(
      turns.map((turn) => [turn.turnId, choosePlace(turn, turns, team, known)] as const),
    );
  }

  /** False when the signal came first. */
  async prepare(signal: AbortSignal): Promise<boolean> {
    const recorder = this.#recorder;
    // The folder in any case: copies are brought up to date with it.
    for (const copyOf of new Set([undefined, ...this.#copies()])) {
      // A copy is changed by no one between turns, so there is something to record only if a record is missing.
      const isDue =
        copyOf === undefined
          ? !(this.#parts.isLooking && recorder.isNew)
          : recorder.unrecorded({ copyOf }).length > 0;
      if (isDue && !(await recorder.catchUp({ copyOf }, signal))) this.#unsure.add(copyOf);
    }
    if (signal.aborted) return false;
    recorder.reported.begin();
    if (recorder.off === undefined) await this.#mark();
    return true;
  }

  /** The member in whose copy a turn works. */
  copyOf({ turnId }: QueuedTurn): MemberId | undefined {
    return this.#places.get(turnId)?.copyOf;
  }

  /** The folder of a turn, ready to be worked in. */
  async enter(turn: QueuedTurn, signal: AbortSignal): Promise<EnteredFolder> {
    const { team, folder, record, prepareFolder } = this.#parts;
    const { turnId, checks } = turn;
    const copyOf = this.copyOf(turn);
    if (copyOf === undefined) return this.#enterFolder(turnId, folder);
    const { off } = this.#recorder;
    if (off !== undefined) return { kind: 'not-ready', detail: off.detail ?? off.reason };
    const known = this.#recorder.copies.get(copyOf);
    // A check looks at what the turn left, not at what came to the folder since.
    if (checks !== undefined && known !== undefined) return this.#enterFolder(turnId, known);
    const setup = team.files?.setup;
    const prepare =
      setup && ((workingFolder: string) => prepareFolder({ command: setup, workingFolder }, turnId, signal));
    const copy = await this.#workspace.copyFor({ memberId: copyOf, prepare });
    if (copy.kind === 'not-ready') return copy;
    this.#recorder.copies.set(copyOf, copy.folder);
    record(noteBehind({ turnId, copyOf }, copy.behind));
    return this.#enterFolder(turnId, copy.folder);
  }

  /** Takes what an agent reports. Returns what people should know of it. */
  report(turn: QueuedTurn, event: ActivityEvent): Notice[] {
    const folder = this.#folders.get(turn.turnId);
    if (event.type !== 'file-change' || folder === undefined) return [];
    const copyOf = this.copyOf(turn);
    const folders = copyOf === undefined ? [folder, this.#workspace.folder] : [folder];
    return this.#recorder.reported.add({ ...turn, copyOf, folders }, event.path);
  }

  /** Records what the turns did, each folder once, and has it checked. */
  async end(): Promise<void> {
    try {
      for (const copyOf of new Set([...this.#places.values()].map((place) => place.copyOf))) {
        const isLate = this.#unsure.has(copyOf);
        const endMarks = async () => (copyOf === undefined ? this.#unmark() : []);
        await this.#recorder.recordTurns(
          { copyOf },
          { isLate, endMarks, isUntouched: !this.#isEntered(copyOf) },
        );
      }
      const { off } = this.#recorder;
      const { team, status, record } = this.#parts;
      if (off !== undefined) record(queueUnrecordedChecks([...this.#places.keys()], team, status().state));
    } finally {
      await this.leave();
    }
  }

  /** Ends the round without a record: it is made later. */
  async leave(): Promise<void> {
    try {
      await this.#unmark();
    } finally {
      this.#parts.onEnd();
    }
  }

  /** Tells other processes of the turns in the folder, and people of those of other processes. */
  async #mark(): Promise<void> {
    const { nameOf, record } = this.#parts;
    const told = this.#recorder.toldTurns;
    for (const [turnId, { copyOf }] of this.#places) {
      if (copyOf !== undefined) continue;
      const mark = await this.#workspace.mark(nameOf(turnId));
      this.#marks.push(mark);
      const news = mark.others.filter(({ turn }) => !told.has(turn));
      for (const { turn } of news) told.add(turn);
      record(news.map(noteShared));
    }
  }

  async #unmark(): Promise<string[]> {
    const marks = this.#marks;
    this.#marks = [];
    // A mark that cannot be removed stops counting when this process is gone.
    const ends = await Promise.allSettled(marks.map((mark) => mark.end()));
    return ends.flatMap((end) => (end.status === 'fulfilled' ? end.value : []));
  }

  #enterFolder(turnId: TurnId, folder: string): EnteredFolder {
    this.#folders.set(turnId, folder);
    return { kind: 'ready', folder };
  }

  /** Whether a turn worked in this folder. */
  #isEntered(copyOf: MemberId | undefined): boolean {
    return [...this.#folders.keys()].some((turnId) => this.#places.get(turnId)?.copyOf === copyOf);
  }

  #copies(): MemberId[] {
    return [...this.#places.values()].flatMap(({ copyOf = [] }) => copyOf);
  }
}

/** Chooses where a turn works, among the turns that start with it; `known` are those that started before. */
export function choosePlace(turn: QueuedTurn, turns: TurnQueue, team: Team, known: RecentTurns): FilePlace {
  const { memberId, checks } = turn;
  // A check looks at what the turn left, where that worked.
  if (checks !== undefined) return { copyOf: findRecentTurn(known, checks)?.copyOf };
  const isApart = requireAgent(team, memberId).workspace === 'copy' || isKeptApart(turn, turns, team, known);
  return isApart ? { copyOf: memberId } : {};
}

/** Several that may edit would overwrite each other. What is left of such a round, or retried of it, is no exception. */
function isKeptApart(turn: QueuedTurn, turns: TurnQueue, team: Team, known: RecentTurns): boolean {
  const { blindRound, retryOf, memberId } = turn;
  const mayEdit = (id: MemberId): boolean => requireAgent(team, id).permission !== 'read';
  if (blindRound === undefined || team.files?.blind === 'shared' || !mayEdit(memberId)) return false;
  if (turns.filter((other) => mayEdit(other.memberId)).length > 1) return true;
  return (
    known.some((other) => other.blindRound === blindRound && other.copyOf !== undefined) ||
    findRecentTurn(known, retryOf)?.copyOf !== undefined
  );
}
