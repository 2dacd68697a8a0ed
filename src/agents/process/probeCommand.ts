import { untilAborted } from '../../utils/untilAborted.js';
import { childEnvironment, type Environment } from './environment.js';
import { settlesWithin } from './settlesWithin.js';
import {
  type AgentProcess,
  DRAIN_MILLISECONDS,
  type ExitInfo,
  type SpawnFailed,
  type SpawnRequest,
  spawnAgent,
} from './spawnAgent.js';
import { killLeftovers, pauseInPassing } from './terminate.js';

const MAX_OUTPUT_BYTES = 64 * 1024;
const DEFAULT_MILLISECONDS = 4500;

export type ProbeResult =
  | { readonly kind: 'answered'; readonly exit: ExitInfo; readonly stdout: string; readonly stderr: string }
  | SpawnFailed
  | { readonly kind: 'timed-out' };

export interface ProbeRequest extends Omit<SpawnRequest, 'environment'> {
  readonly environment?: Environment;
  readonly ownCredentials?: readonly string[];
  readonly hidesPostgres?: boolean | undefined;
  readonly milliseconds?: number;
  /** Gives up early, as if its time were over. */
  readonly signal?: AbortSignal;
}

/** Asks a program something, by default what it answers at once, like its version. What it started is killed. */
export async function probeCommand(request: ProbeRequest): Promise<ProbeResult> {
  const { environment: parent = process.env, ownCredentials = [], hidesPostgres } = request;
  const choice = { parent, mode: 'inherit', ownCredentials, extra: {} } as const;
  const environment = childEnvironment({ ...choice, hidesPostgres });
  const { stdin = '', milliseconds = DEFAULT_MILLISECONDS, signal } = request;
  const result = await spawnAgent({ ...request, environment, stdin });
  if (result.kind === 'failed') return result;
  const { agent } = result;
  const output = collect(agent);
  let isInTime = false;
  const exit = agent.exited.then(() => {
    isInTime = true;
  });
  await settlesWithin(signal === undefined ? exit : untilAborted(exit, signal), milliseconds);
  agent.stdout.endWhenQuiet(isInTime ? DRAIN_MILLISECONDS : 0);
  const stdout = await output;
  if (isInTime) await settlesWithin(agent.stderr.ended, DRAIN_MILLISECONDS);
  void killLeftovers(agent, { pause: pauseInPassing });
  agent.release();
  if (!isInTime) return { kind: 'timed-out' };
  return { kind: 'answered', exit: await agent.exited, stdout, stderr: agent.stderr.text };
}

async function collect(agent: AgentProcess): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of agent.stdout) {
    if (bytes < MAX_OUTPUT_BYTES) chunks.push(chunk);
    bytes += chunk.length;
  }
  return Buffer.concat(chunks).subarray(0, MAX_OUTPUT_BYTES).toString('utf8');
}
