import type { AgentEvent } from '../../models/AgentEvent.js';
import { secretsOf } from '../../models/McpServer.js';
import { Semaphore } from '../../utils/Semaphore.js';
import type { AgentAdapter, TurnRequest } from '../AgentAdapter.js';
import { requireCommand } from '../dialect/Dialect.js';
import type { LiveMember } from '../live/runLiveTurn.js';
import { childEnvironment } from '../process/environment.js';
import type { TurnProcessOptions } from '../process/runDialectTurn.js';
import { findKnownAcpAgent, type KnownAcpAgent } from './knownAgents.js';

export interface AcpAdapterOptions extends TurnProcessOptions {
  /** A program in the agent's place, and what it is told. */
  readonly simulator?: (memberName: string) => {
    readonly command: readonly string[];
    readonly env: Readonly<Record<string, string>>;
  };
}

/** Agents that speak the Agent Client Protocol: one process for each member, kept from turn to turn. */
export class AcpAdapter implements AgentAdapter {
  readonly #options: AcpAdapterOptions;
  readonly #members = new Map<string, LiveMember>();

  constructor(options: AcpAdapterOptions = {}) {
    this.#options = options;
  }

  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const member = this.#memberOf(request);
    // What runs a turn is loaded with the first one: most teams have no such member.
    const { runLiveTurn } = await import('../live/runLiveTurn.js');
    yield* runLiveTurn(member, request, signal);
  }

  async close(): Promise<void> {
    await Promise.all(
      [...this.#members.values()].map(({ turn, process }) => {
        turn?.stop({ kind: 'cancelled' });
        return process?.stop();
      }),
    );
  }

  /** The same member with another command, folder or permission is another process. */
  #memberOf(request: TurnRequest): LiveMember {
    const { memberName, command, workingFolder, env, credentials, permission, deny } = request;
    const key = JSON.stringify([memberName, command, workingFolder, env, credentials, permission, deny]);
    const member = this.#members.get(key) ?? this.#createMember(request);
    this.#members.set(key, member);
    return member;
  }

  #createMember(request: TurnRequest): LiveMember {
    const { environment = process.env, simulator, ...options } = this.#options;
    const { trustedPrograms, hidesPostgres, maxLineBytes } = options;
    const simulated = simulator?.(request.memberName);
    const command = simulated?.command ?? requireCommand(request);
    const known = simulated === undefined ? findKnownAcpAgent(command) : undefined;
    return {
      ...options,
      turns: new Semaphore(1),
      loadProtocol: async () => {
        const { AcpConnection, loadSdk } = await import('./AcpConnection.js');
        const sdk = await loadSdk();
        return (agent) => new AcpConnection(agent, { known, maxLineBytes }, sdk);
      },
      spawn: () => ({
        command,
        args: known?.extraArguments?.filter((argument) => !command.includes(argument)) ?? [],
        environment: childEnvironment({
          parent: environment,
          mode: request.env,
          ownCredentials: request.credentials ?? [],
          extra: { ...variablesOf(known, request), ...simulated?.env },
          hidesPostgres,
          turn: request.turnName,
        }),
        workingFolder: request.workingFolder,
        projectFolder: request.projectFolder,
        trustedPrograms,
      }),
      identity: {
        memberName: request.memberName,
        command,
        login: known?.login,
        environment,
        secrets: secretsOf(request.mcpServers ?? []),
      },
    };
  }
}

function variablesOf(
  known: KnownAcpAgent | undefined,
  { permission, deny = [] }: TurnRequest,
): Readonly<Record<string, string>> {
  const mustAsk = permission !== 'full' || deny.length > 0;
  return { ...known?.env, ...(mustAsk && known?.askingEnv) };
}
