import type { AgentEvent } from '../../models/AgentEvent.js';
import { InvalidOptionError } from '../../models/errors.js';
import type { AgentAdapter, TurnRequest } from '../AgentAdapter.js';
import { childEnvironment } from '../process/environment.js';
import { formatTurn } from '../process/findOuterTurn.js';
import { sharedSlots, type TurnProcessOptions } from '../process/runDialectTurn.js';
import type { AcpMember } from './AcpMember.js';
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
  readonly #members = new Map<string, Promise<AcpMember>>();

  constructor(options: AcpAdapterOptions = {}) {
    this.#options = options;
  }

  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const member = await this.#memberOf(request);
    yield* member.runTurn(request, signal);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#members.values()].map(async (member) => (await member).close()));
  }

  /** The same member with another command, folder or permission is another process. */
  #memberOf(request: TurnRequest): Promise<AcpMember> {
    const { memberName, command, workingFolder, env, credentials, permission, deny } = request;
    const key = JSON.stringify([memberName, command, workingFolder, env, credentials, permission, deny]);
    const known = this.#members.get(key);
    if (known !== undefined) return known;
    const member = this.#createMember(request);
    this.#members.set(key, member);
    // Whoever runs the turn is told; there is nothing to keep, and nothing to close.
    member.catch(() => this.#members.delete(key));
    return member;
  }

  /** What runs a turn is loaded with the first one: most teams have no such member. */
  async #createMember(request: TurnRequest): Promise<AcpMember> {
    const { AcpMember } = await import('./AcpMember.js');
    const { environment = process.env, slots = sharedSlots, simulator, ...options } = this.#options;
    const { trustedPrograms, dataFolder } = options;
    const simulated = simulator?.(request.memberName);
    const command = simulated?.command ?? requireCommand(request);
    const known = simulated === undefined ? findKnownAcpAgent(command) : undefined;
    return new AcpMember({
      ...options,
      slots,
      known,
      spawn: (marker) => ({
        command,
        args: known?.extraArguments?.filter((argument) => !command.includes(argument)) ?? [],
        environment: childEnvironment({
          parent: environment,
          mode: request.env,
          ownCredentials: request.credentials ?? [],
          extra: { ...variablesOf(known, request), ...simulated?.env },
          marker,
          turn: formatTurn({ name: request.turnName, dataFolder }),
        }),
        workingFolder: request.workingFolder,
        trustedPrograms,
      }),
      identity: {
        memberName: request.memberName,
        command,
        loginHint: known?.loginHint ?? `Log in to ${command[0]} by its own command.`,
        environment,
      },
    });
  }
}

function requireCommand({ command }: TurnRequest): readonly string[] {
  if (command?.length) return command;
  throw new InvalidOptionError('command', command, 'a program and its arguments');
}

function variablesOf(
  known: KnownAcpAgent | undefined,
  { permission, deny = [] }: TurnRequest,
): Readonly<Record<string, string>> {
  const mustAsk = permission !== 'full' || deny.length > 0;
  return { ...known?.env, ...(mustAsk && known?.askingEnv) };
}
