import type { JsonLinesOptions } from '../../utils/jsonLines.js';
import type { Logger } from '../../utils/logger.js';
import { readVersion } from '../../utils/readVersion.js';
import { type LeftoverProcess, reportLeftovers } from '../process/killOrphans.js';
import { settlesWithin } from '../process/settlesWithin.js';
import {
  type AgentProcess,
  DRAIN_MILLISECONDS,
  type ExitInfo,
  reportSearch,
  type SpawnFailed,
  type SpawnRequest,
  spawnAgent,
} from '../process/spawnAgent.js';
import { killLeftovers, terminate } from '../process/terminate.js';
import { createMarker } from '../process/turnMarker.js';
import { AcpAgent, loadSdk } from './AcpAgent.js';

/** It has been asked to stop its turn before, and says what a turn cost only in its answer. */
const ASK_MILLISECONDS = 500;
/** Whoever is slow to read what it wrote gets this long. */
const READ_MILLISECONDS = 5000;

export interface AcpProcessOptions extends JsonLinesOptions {
  /** Makes the environment of the process, which carries a mark by which all that it starts is found. */
  readonly spawn: (marker: string) => SpawnRequest;
  readonly onOutput: () => void;
  /** Nothing is read before this settles. */
  readonly waitForRoom: () => Promise<void>;
  /** It is gone, and so is all that it started. */
  readonly onGone: (process: AcpProcess) => void;
  readonly memberName: string;
  readonly logger?: Logger;
}

/** What we do for an agent with files, in the words of the protocol. */
export interface ClientFiles {
  readonly readTextFile: boolean;
  readonly writeTextFile: boolean;
}

export type AcpStart = { readonly kind: 'started'; readonly process: AcpProcess } | SpawnFailed;

/** A process that lives from turn to turn. However it ends, nothing of it is left behind. */
export class AcpProcess {
  readonly agent: AcpAgent;
  readonly #process: AgentProcess;
  readonly #options: AcpProcessOptions;
  #initializing: Promise<unknown> | undefined;
  #exit: ExitInfo | undefined;
  #ending: Promise<void> | undefined;

  static async start(options: AcpProcessOptions): Promise<AcpStart> {
    const sdk = await loadSdk();
    const result = await spawnAgent(options.spawn(createMarker()));
    if (result.kind === 'failed') {
      reportSearch(result, options.memberName, options.logger);
      return result;
    }
    const agent = new AcpAgent(result.agent, options, sdk);
    return { kind: 'started', process: new AcpProcess({ agent, process: result.agent, options }) };
  }

  private constructor(parts: {
    readonly agent: AcpAgent;
    readonly process: AgentProcess;
    readonly options: AcpProcessOptions;
  }) {
    this.agent = parts.agent;
    this.#process = parts.process;
    this.#options = parts.options;
    void this.#process.exited.then((exit) => {
      this.#exit = exit;
      this.#process.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
      void this.#end(killLeftovers);
    });
  }

  /** It is gone, or on its way. */
  get isLeaving(): boolean {
    return this.#ending !== undefined;
  }

  get exit(): ExitInfo | undefined {
    return this.#exit;
  }

  get stderr(): string {
    return this.#process.stderr.text;
  }

  /** What the agent says about itself, told which files it can have through us. It is asked once. */
  initialize(files: ClientFiles): Promise<unknown> {
    this.#initializing ??= this.agent.request('initialize', {
      protocolVersion: this.agent.protocolVersion,
      clientCapabilities: { fs: files, terminal: false },
      clientInfo: { name: 'huddle', title: 'Huddle', version: readVersion() },
    });
    return this.#initializing;
  }

  /** Between turns it does not keep us alive: it dies with us. */
  setBusy(isBusy: boolean): void {
    this.#process.keepUsAlive(isBusy);
  }

  /** When its output has ended, its last words and its exit often follow at once. */
  async waitForLastWords(): Promise<void> {
    if (await settlesWithin(this.#process.exited, DRAIN_MILLISECONDS))
      await settlesWithin(this.#process.stderr.ended, DRAIN_MILLISECONDS);
  }

  /** Stops it politely, then surely. Settles when nothing of it is left. */
  stop(): Promise<void> {
    return this.#end((process) => terminate(process, { askMilliseconds: ASK_MILLISECONDS }));
  }

  #end(how: (process: AgentProcess) => Promise<LeftoverProcess[]>): Promise<void> {
    this.#ending ??= this.#finish(how);
    return this.#ending;
  }

  async #finish(how: (process: AgentProcess) => Promise<LeftoverProcess[]>): Promise<void> {
    const { memberName, logger, onGone } = this.#options;
    this.#process.keepUsAlive(true);
    try {
      reportLeftovers(await how(this.#process), memberName, logger);
      this.#process.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
      await settlesWithin(this.agent.output.ended, READ_MILLISECONDS);
      await settlesWithin(this.#process.stderr.ended, DRAIN_MILLISECONDS);
    } finally {
      this.agent.disconnect();
      this.#process.release();
      onGone(this);
    }
  }
}
