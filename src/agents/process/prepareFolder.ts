import type { FailureFacts } from '../../models/TurnOutcome.js';
import { childEnvironment, type Environment } from './environment.js';
import { settlesWithin } from './settlesWithin.js';
import { type AgentProcess, DRAIN_MILLISECONDS, type ExitInfo, spawnAgent } from './spawnAgent.js';
import { killLeftovers, terminate } from './terminate.js';

const MOST_MINUTES = 10;
const MOST_MILLISECONDS = MOST_MINUTES * 60_000;
/** Bytes of its output that are kept, from the end. */
const MOST_SAID = 4096;

/** A program that makes a folder ready to be worked in. */
export interface FolderPreparation {
  /** Program and arguments. */
  readonly command: readonly string[];
  readonly workingFolder: string;
  /** The folder that it is a copy of. */
  readonly projectFolder: string;
  /** The turn that waits for it. */
  readonly turnName?: string | undefined;
}

/** Settings of the conversation that it runs for. */
export interface PreparationOptions {
  /** The source of its environment; `process.env` by default. */
  readonly environment?: Environment;
  /** The variables of Postgres are not given to it: a shared store is in use. */
  readonly hidesPostgres?: boolean | undefined;
  /** Programs inside the project that PATH may lead to. */
  readonly trustedPrograms?: readonly string[] | undefined;
}

export interface PreparationFailure {
  /** The end of what it said, or the reason. */
  readonly detail: string;
  /** The program was not started. */
  readonly failure?: FailureFacts;
}

/**
 * Runs a program in a folder before a member works there, as part of the member's turn: found as agents are, marked as
 * they are, and without anyone's credentials, since what it runs may be what agents wrote. Resolves with what went wrong.
 */
export async function prepareFolder(
  { turnName, ...preparation }: FolderPreparation,
  { environment: parent = process.env, hidesPostgres, trustedPrograms }: PreparationOptions,
  signal: AbortSignal,
): Promise<PreparationFailure | undefined> {
  const inherited = { parent, mode: 'inherit', ownCredentials: [], extra: {} } as const;
  const environment = childEnvironment({ ...inherited, hidesPostgres, turn: turnName });
  const request = { ...preparation, environment, trustedPrograms, args: [], stdin: '', joinsOutput: true };
  const [program = ''] = preparation.command;
  const result = await spawnAgent(request);
  if (result.kind === 'failed')
    return { detail: `${program}: ${result.failure.reason}`, failure: result.failure };
  const { agent } = result;
  const output = readEnd(agent);
  const stopped = await untilStopped(agent.exited, signal);
  if (stopped !== undefined) await terminate(agent);
  agent.stdout.endWhenQuiet(DRAIN_MILLISECONDS);
  const said = await output;
  await killLeftovers(agent);
  agent.release();
  const fault = stopped ?? faultOf(await agent.exited);
  return fault === undefined ? undefined : { detail: `${program}: ${`${fault}\n${said}`.trim()}` };
}

/** Resolves when it has exited, or with the reason to stop it. */
async function untilStopped(exited: Promise<ExitInfo>, signal: AbortSignal): Promise<string | undefined> {
  const aborted = new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
  const isInTime = await settlesWithin(Promise.race([exited, aborted]), MOST_MILLISECONDS);
  if (signal.aborted) return 'stopped';
  return isInTime ? undefined : `timed out (${MOST_MINUTES} min)`;
}

async function readEnd({ stdout }: AgentProcess): Promise<string> {
  let end = Buffer.alloc(0);
  for await (const chunk of stdout) end = Buffer.concat([end, chunk]).subarray(-MOST_SAID);
  return end.toString('utf8').trim();
}

function faultOf({ code, signal }: ExitInfo): string | undefined {
  return code === 0 ? undefined : `ended with ${code === null ? signal : `code ${code}`}`;
}
