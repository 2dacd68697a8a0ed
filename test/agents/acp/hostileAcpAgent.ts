import { fileURLToPath } from 'node:url';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import { AcpAdapter, type AcpAdapterOptions } from '../../../src/agents/acp/AcpAdapter.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import type { TurnOutcome } from '../../../src/models/TurnOutcome.js';
import { afterFile } from '../../afterFile.js';
import { turnRequest } from '../turnRequest.js';

const program = fileURLToPath(new URL('../../fixtures/hostile-acp-agent.mjs', import.meta.url));

export interface Played {
  readonly events: readonly AgentEvent[];
  readonly outcome: TurnOutcome;
}

/** The command that starts the agent which misbehaves in this way; orders are for those that take them otherwise from the prompt. */
export function hostileCommand(behaviour: string, pidFile?: string, orders?: string): readonly string[] {
  const options = [pidFile, orders].filter((option) => option !== undefined);
  return [process.execPath, program, behaviour, ...options];
}

const adapters: AcpAdapter[] = [];
async function closeAdapters(): Promise<void> {
  await Promise.all(adapters.splice(0).map((adapter) => adapter.close()));
}

/** An adapter that is closed when the tests of the file are over. */
export function createTestAdapter(options: AcpAdapterOptions = {}): AcpAdapter {
  const adapter = new AcpAdapter(options);
  adapters.push(adapter);
  afterFile(closeAdapters);
  return adapter;
}

export async function playTurn(
  adapter: AcpAdapter,
  behaviour: string,
  parts: Partial<TurnRequest> = {},
  signal: AbortSignal = new AbortController().signal,
): Promise<Played> {
  const events: AgentEvent[] = [];
  const request = turnRequest({ command: hostileCommand(behaviour), ...parts });
  for await (const event of adapter.runTurn(request, signal)) events.push(event);
  const end = events.at(-1);
  if (end?.type !== 'end') throw new Error('The last event is not `end`.');
  return { events, outcome: end.outcome };
}

export async function answerOf(...parameters: Parameters<typeof playTurn>): Promise<string> {
  const { outcome } = await playTurn(...parameters);
  if (outcome.kind !== 'completed') throw new Error(JSON.stringify(outcome));
  return outcome.text;
}
