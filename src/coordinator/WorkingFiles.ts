import type { TurnQueue } from '../conversation/TurnQueue.js';
import { HuddleError } from '../models/errors.js';
import { Semaphore } from '../utils/Semaphore.js';
import type { FileAction, FileActionRequest } from './describeFileAction.js';
import { FileRecorder, type FileRecorderParts } from './FileRecorder.js';
import { FileRound } from './FileRound.js';
import type { FileKeeper } from './performFileAction.js';

/** The files of a running conversation. One round of turns works on them at a time, or a person. */
export class WorkingFiles {
  readonly recorder: FileRecorder;
  readonly #room = new Semaphore(1);
  #turns: TurnQueue = [];

  constructor(parts: FileRecorderParts) {
    this.recorder = new FileRecorder(parts);
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
      const workspace = await this.recorder.workspace(signal);
      const round = workspace && new FileRound({ recorder: this.recorder, workspace, turns, onEnd });
      if (await round?.prepare(signal)) ready = round;
      return ready;
    } finally {
      if (ready === undefined) onEnd();
    }
  }

  /** Undoes or applies changes for a person, while no turn works on the files. */
  change(history: FileKeeper['history'], request: FileActionRequest): Promise<FileAction> {
    return this.whileFree(async (recorder) => {
      const { performFileAction } = await import('./performFileAction.js');
      const keeper: FileKeeper = {
        history,
        workspace: () => recorder.workspace(),
        catchUp: (place) => recorder.catchUp(place),
        recordBy: (by, place) => recorder.recordBy(by, place),
        reasonOff: () => recorder.off,
      };
      return performFileAction(keeper, request);
    });
  }

  /** Works on the files while no turn does; turns wait meanwhile. Throws FILES_BUSY if turns run, or are about to. */
  async whileFree<Value>(work: (recorder: FileRecorder) => Promise<Value>): Promise<Value> {
    const turns = this.#turns.map(({ turnId }) => turnId);
    if (turns.length > 0) throw new HuddleError('FILES_BUSY', { turns });
    const leave = await this.#room.acquire(new AbortController().signal);
    try {
      return await work(this.recorder);
    } finally {
      leave?.();
    }
  }
}
