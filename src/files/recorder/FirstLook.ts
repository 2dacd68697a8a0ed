import { untilAborted } from '../../utils/untilAborted.js';
import type { Workspace, WorkspaceOpening } from '../Workspace.js';

/** Shorter looks are not worth a word. */
const PATIENCE_MILLISECONDS = 1000;
const BETWEEN_WORDS_MILLISECONDS = 250;

const STOPPED: WorkspaceOpening = { kind: 'not-recorded', reason: 'stopped', isFinal: true };

/** A workspace after its first look. */
export interface OpenedWorkspace {
  readonly workspace: Workspace;
  readonly opening: WorkspaceOpening;
}

/** Hears how many files were looked at, when that takes long; and then, once, that the look is over. */
type OnLook = (files: number, isDone: boolean) => void;

/** The first look at the working folder. It begins with the conversation; turns wait for it, people do not. */
export class FirstLook {
  readonly #stopped = new AbortController();
  readonly #began = performance.now();
  readonly #onLook: OnLook;
  isOver = false;
  #toldAt = 0;
  #files = 0;
  /** The workspace, which nobody has looked at yet. Never rejects. */
  readonly made: Promise<Workspace>;
  /** Never rejects. */
  readonly over: Promise<OpenedWorkspace>;

  /** `openWorkspace` never rejects. */
  constructor(openWorkspace: () => Promise<Workspace>, onLook: OnLook) {
    this.#onLook = onLook;
    this.made = openWorkspace();
    this.over = this.#look();
  }

  /** Ends it: nothing is recorded in this session then. Without effect when it is over. */
  stop(): void {
    this.#stopped.abort();
  }

  async #look(): Promise<OpenedWorkspace> {
    const workspace = await this.made;
    const { signal } = this.#stopped;
    const look = workspace.open({ signal, onProgress: (files) => this.#progress(files) });
    // A git that hangs may not even notice that it is stopped.
    const opening = (await untilAborted(look, signal)) ?? STOPPED;
    this.isOver = true;
    if (this.#toldAt > 0) this.#onLook(this.#files, true);
    return { workspace, opening };
  }

  #progress(files: number): void {
    this.#files = files;
    const now = performance.now();
    if (now - this.#began < PATIENCE_MILLISECONDS || now - this.#toldAt < BETWEEN_WORDS_MILLISECONDS) return;
    this.#toldAt = now;
    this.#onLook(files, false);
  }
}
