import type { TurnQueue } from '../../conversation/TurnQueue.js';
import { HuddleError } from '../../models/errors.js';
import type { TurnId } from '../../models/ids.js';
import { Semaphore } from '../../utils/Semaphore.js';
import { FileRecorder } from './FileRecorder.js';
import { FileRound, type WorkingFilesParts } from './FileRound.js';

/** The files of a running conversation. One round of turns works on them at a time, or a person. */
export class WorkingFiles {
  readonly recorder: FileRecorder;
  readonly #room = new Semaphore(1);
  #turns: TurnQueue = [];

  readonly #parts: WorkingFilesParts;

  constructor(parts: WorkingFilesParts) {
    this.#parts = parts;
    this.recorder = new FileRecorder(parts);
    // Whoever works on the files waits for both. Neither rejects.
    this.recorder.beginLook();
    void this.recorder.tryFinishing();
  }

  /**
   * Gets the folders of turns ready, and records what others changed there. Undefined when the signal came first. The
   * round has to be ended.
   */
  async begin(turns: TurnQueue, signal: AbortSignal): Promise<FileRound | undefined> {
    const leave = await this.#room.acquire(signal);
    if (leave === undefined) return undefined;
    this.#turns = turns;
    const onEnd = (): void => {
      this.#turns = [];
      leave();
    };
    let ready: FileRound | undefined;
    try {
      const { isLooking } = this.recorder;
      const workspace = await this.recorder.workspace(signal);
      const round =
        workspace &&
        new FileRound({ ...this.#parts, recorder: this.recorder, workspace, turns, onEnd, isLooking });
      if (await round?.prepare(signal)) ready = round;
      return ready;
    } finally {
      if (ready === undefined) onEnd();
    }
  }

  /** Resolves when what ended turns did is recorded: their answers are shown before. Does not wait for turns that run. */
  async untilRecorded(): Promise<void> {
    if (this.#openTurns().length === 0) await this.whileFree((recorder) => recorder.tryFinishing());
  }

  /** Works on the files while no turn does; turns wait meanwhile. Throws FILES_BUSY if turns run, or are about to. */
  async whileFree<Value>(work: (recorder: FileRecorder) => Promise<Value>): Promise<Value> {
    const turns = this.#openTurns();
    if (turns.length > 0) throw new HuddleError('FILES_BUSY', { turns });
    const leave = await this.#room.acquire(new AbortController().signal);
    try {
      return await work(this.recorder);
    } finally {
      leave?.();
    }
  }

  /** Turns of the round that have not ended. */
  #openTurns(): readonly TurnId[] {
    const { running, queue } = this.recorder.parts.status().state;
    const open = new Set([...running, ...queue].map(({ turnId }) => turnId));
    return this.#turns.map(({ turnId }) => turnId).filter((turnId) => open.has(turnId));
  }
}
