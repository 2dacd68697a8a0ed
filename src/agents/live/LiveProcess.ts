import type { Logger } from '../../utils/logger.js';
import { settlesWithin } from '../process/settlesWithin.js';
import {
  type AgentProcess,
  DRAIN_MILLISECONDS,
  type ExitInfo,
  reportSearch,
  type SpawnRequest,
  spawnAgent,
} from '../process/spawnAgent.js';
import { killLeftovers, type LeftoverProcess, reportLeftovers, terminate } from '../process/terminate.js';
import { type LiveConnection, LiveTurnError } from './LiveConnection.js';

/** It has been asked to stop its turn before, and says what a turn cost only in its answer. */
const ASK_MILLISECONDS = 500;
/** A slow reader of what it wrote gets this long. */
const READ_MILLISECONDS = 5000;

export interface LiveProcessOptions {
  readonly memberName: string;
  readonly logger?: Logger;
  /** Loads its protocol, which then speaks with the process. */
  readonly loadProtocol: () => Promise<(agent: AgentProcess) => LiveConnection>;
}

/** A process that lives from turn to turn. However it ends, nothing of it is left behind. */
export class LiveProcess {
  readonly connection: LiveConnection;
  readonly #process: AgentProcess;
  readonly #options: LiveProcessOptions;
  #exit: ExitInfo | undefined;
  #stopping: Promise<void> | undefined;
  #isGone = false;

  /** Throws LiveTurnError. */
  static async start(request: SpawnRequest, options: LiveProcessOptions): Promise<LiveProcess> {
    const connect = await options.loadProtocol();
    const result = await spawnAgent(request);
    if (result.kind === 'started') return new LiveProcess(result.agent, connect(result.agent), options);
    reportSearch(result, options.memberName, options.logger);
    throw new LiveTurnError(result.failure);
  }

  private constructor(process: AgentProcess, connection: LiveConnection, options: LiveProcessOptions) {
    this.connection = connection;
    this.#process = process;
    this.#options = options;
    void process.exited.then((exit) => {
      this.#exit = exit;
      process.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
      void this.#stop(() => killLeftovers(process));
    });
  }

  /** It is gone, or on its way. */
  get isStopping(): boolean {
    return this.#stopping !== undefined;
  }

  /** It is gone, and so is all that it started. */
  get isGone(): boolean {
    return this.#isGone;
  }

  get exit(): ExitInfo | undefined {
    return this.#exit;
  }

  get stderr(): string {
    return this.#process.stderr.text;
  }

  /** Between turns it does not keep us alive: it dies with us. */
  setBusy(isBusy: boolean): void {
    this.#process.keepUsAlive(isBusy);
  }

  /** Waits for its exit and its last words on stderr, which often follow the end of its output at once. */
  async waitForLastWords(): Promise<void> {
    if (await settlesWithin(this.#process.exited, DRAIN_MILLISECONDS))
      await settlesWithin(this.#process.stderr.ended, DRAIN_MILLISECONDS);
  }

  /** Stops it politely, then surely. Settles when nothing of it is left. */
  stop(): Promise<void> {
    return this.#stop(() => terminate(this.#process, { askMilliseconds: ASK_MILLISECONDS }));
  }

  #stop(how: () => Promise<LeftoverProcess[]>): Promise<void> {
    this.#stopping ??= this.#finish(how);
    return this.#stopping;
  }

  async #finish(how: () => Promise<LeftoverProcess[]>): Promise<void> {
    this.#process.keepUsAlive(true);
    try {
      reportLeftovers(await how(), this.#options.memberName, this.#options.logger);
      this.#process.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
      await settlesWithin(this.connection.ended, READ_MILLISECONDS);
      await settlesWithin(this.#process.stderr.ended, DRAIN_MILLISECONDS);
    } finally {
      this.connection.stop();
      this.#process.release();
      this.#isGone = true;
    }
  }
}
