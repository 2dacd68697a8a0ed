import { findAgentType } from '../models/AgentConfig.js';
import type { AgentEvent } from '../models/AgentEvent.js';
import { HuddleError } from '../models/errors.js';
import type { MemberId } from '../models/ids.js';
import { credentialsOf } from '../models/knownPrograms.js';
import type { McpServer } from '../models/McpServer.js';
import type { AgentMember } from '../models/Team.js';
import type { TurnFailureCode, UnfinishedOutcome } from '../models/TurnOutcome.js';
import { isProjectProgram } from '../utils/findCommand.js';
import type {
  AdditionalFolder,
  AgentAdapter,
  TurnAddress,
  TurnRequest,
  TurnTimeLimits,
} from './AgentAdapter.js';
import { createAdapter, findDefinition } from './definitions.js';
import {
  type FolderPreparation,
  type PreparationFailure,
  type PreparationOptions,
  prepareFolder,
} from './process/prepareFolder.js';

export interface AgentManagerOptions {
  readonly workingFolder: string;
  /** The file the team came from, if it came from one. */
  readonly teamFile?: string;
  /** Folders that count as inside besides the working folder. */
  readonly additionalFolders?: readonly AdditionalFolder[];
  /** Files that no agent may read or write through us. */
  readonly hiddenFiles?: readonly string[];
  /** MCP servers for members that may edit, besides those of their own settings. */
  readonly mcpServers?: readonly McpServer[];
  /** Ten minutes of silence and half an hour for the whole turn, unless given. */
  readonly limits?: TurnTimeLimits;
  /** Settings of programs that prepare folders. */
  readonly preparation?: PreparationOptions;
  /** Makes the adapter for members of a type; by default from the table of `definitions.ts`. */
  readonly createAdapter?: (agentType: string) => AgentAdapter;
  /** Asks other machines for the turns of members that run there. Absent: all run here. */
  readonly remote?: AgentAdapter | undefined;
}

/** The part of a turn's request that does not follow from the member's entry in the team. */
export type MemberTurn = Pick<
  TurnRequest,
  'prompt' | 'systemFlag' | 'sessionTotals' | 'askPermission' | 'turnName' | 'checks' | 'address'
> &
  Partial<Pick<TurnRequest, 'session' | 'workingFolder' | 'limits'>>;

export type { FolderPreparation };

/** The reason why `send` returned no answer. */
export type SendErrorCode = TurnFailureCode | 'TURN_CANCELLED' | 'TURN_TIMEOUT' | 'TURN_INTERRUPTED';

/** A turn that was not completed. */
export class AgentTurnError extends HuddleError<SendErrorCode> {
  readonly memberName: string;
  readonly outcome: UnfinishedOutcome;

  constructor(memberName: string, outcome: UnfinishedOutcome) {
    const [code, message] = describeOutcome(outcome);
    super(code, `${memberName}: ${message}`);
    this.memberName = memberName;
    this.outcome = outcome;
  }
}

const minute = 60_000;
const defaultLimits: TurnTimeLimits = { idleMilliseconds: 10 * minute, totalMilliseconds: 30 * minute };

/** Runs turns of members: finds the adapter of each and hands it what the member's entry in the team says. */
export class AgentManager {
  readonly #options: AgentManagerOptions;
  readonly #adapters = new Map<string, AgentAdapter>();
  readonly #toldOfServers = new Set<MemberId>();

  constructor(options: AgentManagerOptions) {
    this.#options = options;
  }

  /** Runs one whole turn. Throws `AgentTurnError` when it is not completed. */
  async send(
    member: AgentMember,
    prompt: string,
    systemFlag?: string,
    signal: AbortSignal = new AbortController().signal,
  ): Promise<string> {
    for await (const event of this.runTurn(member, { prompt, systemFlag }, signal)) {
      if (event.type !== 'end') continue;
      if (event.outcome.kind === 'completed') return event.outcome.text;
      throw new AgentTurnError(member.name, event.outcome);
    }
    throw new TypeError('An adapter ended without an `end` event.');
  }

  /** Looked up for every turn: a link may lead elsewhere by now. */
  #isProjectProgram({ agentType, command = findAgentType(agentType)?.command }: AgentMember): boolean {
    const { workingFolder, preparation: { environment = process.env, trustedPrograms } = {} } = this.#options;
    const place = { path: environment.PATH, workingFolder, ...(trustedPrograms && { trustedPrograms }) };
    return command?.[0] !== undefined && isProjectProgram(command[0], place);
  }

  /** The events of one turn, as they come. */
  runTurn(member: AgentMember, turn: MemberTurn, signal: AbortSignal): AsyncIterable<AgentEvent> {
    const { workingFolder: projectFolder, teamFile } = this.#options;
    const { workingFolder = projectFolder, limits = this.#options.limits ?? defaultLimits } = turn;
    const { name: memberName, permission, allow, deny, model, command, output, env } = member;
    const own = { memberName, permission, allow, deny, model, command, output, env };
    const session = turn.session ?? ({ kind: 'new' } as const);
    const credentials = credentialsOf({ ...member, isProjectProgram: this.#isProjectProgram(member) });
    const { additionalFolders, hiddenFiles, mcpServers } = this.#options;
    const place = { workingFolder, projectFolder, teamFile, additionalFolders, hiddenFiles, mcpServers };
    const request = { ...turn, ...own, session, credentials, ...place, limits };
    const events = this.#adapterFor(member).runTurn(request, signal);
    return mcpServers === undefined || mcpServers.length === 0
      ? events
      : this.#withoutRepeats(member.id, events);
  }

  /** The same events; that servers are not given is told once of a member, not with every turn. */
  async *#withoutRepeats(memberId: MemberId, events: AsyncIterable<AgentEvent>): AsyncGenerator<AgentEvent> {
    for await (const event of events) {
      const isAboutServers = event.type === 'warning' && event.about.code === 'servers-not-given';
      if (isAboutServers && this.#toldOfServers.has(memberId)) continue;
      if (isAboutServers) this.#toldOfServers.add(memberId);
      yield event;
    }
  }

  /** Runs a program in a folder before a member works there. Resolves with what went wrong. */
  prepareFolder(
    preparation: Omit<FolderPreparation, 'projectFolder'>,
    signal: AbortSignal,
  ): Promise<PreparationFailure | undefined> {
    const { workingFolder: projectFolder, preparation: options = {} } = this.#options;
    return prepareFolder({ ...preparation, projectFolder }, options, signal);
  }

  /** Whether a turn of the member can run in a copy of one of its sessions, unless its agent refuses. */
  canFork({ agentType }: AgentMember): boolean {
    return findDefinition(agentType)?.capabilities.sessions.includes('fork') ?? false;
  }

  /** Whether turns of a member run on another machine. */
  runsElsewhere({ runsOn }: AgentMember): boolean {
    return runsOn !== undefined && this.#options.remote !== undefined;
  }

  /** The rest of a turn that outlived the process that asked for it; null when nothing is known of it. */
  async adopt(turn: TurnAddress, signal: AbortSignal): Promise<AsyncIterable<AgentEvent> | null> {
    return (await this.#options.remote?.adopt?.(turn, signal)) ?? null;
  }

  /** The number of the report that an event came in, of a turn that runs on another machine. */
  reportOf(event: AgentEvent): number | undefined {
    return this.#options.remote?.reportOf?.(event);
  }

  /** Lets go of what members keep between turns. A turn after that starts from nothing. */
  async close(): Promise<void> {
    await Promise.all(
      [...this.#adapters.values(), this.#options.remote].map((adapter) => adapter?.close?.()),
    );
  }

  #adapterFor(member: AgentMember): AgentAdapter {
    const { remote } = this.#options;
    if (remote !== undefined && member.runsOn !== undefined) return remote;
    const { agentType } = member;
    const known = this.#adapters.get(agentType);
    if (known) return known;
    const adapter = (this.#options.createAdapter ?? createAdapter)(agentType);
    this.#adapters.set(agentType, adapter);
    return adapter;
  }
}

function describeOutcome(outcome: UnfinishedOutcome): readonly [SendErrorCode, message: string] {
  switch (outcome.kind) {
    case 'failed': {
      const { failure } = outcome;
      const detail = 'detail' in failure && failure.detail !== undefined ? ` ${failure.detail}` : '';
      return [failure.code, `the turn failed (${failure.code}, ${failure.reason}).${detail}`];
    }
    case 'cancelled':
      return ['TURN_CANCELLED', 'the turn was cancelled.'];
    case 'timed-out':
      return [
        'TURN_TIMEOUT',
        `the turn was stopped after ${outcome.milliseconds} ms (${outcome.limit} limit).`,
      ];
    case 'interrupted':
      return [
        'TURN_INTERRUPTED',
        outcome.worker === undefined ? 'Huddle ended during the turn.' : 'its worker was lost.',
      ];
  }
}
