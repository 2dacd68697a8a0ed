import { killOrphans, type LeftoverProcess, type Pause } from './killOrphans.js';
import { settlesWithin } from './settlesWithin.js';
import type { AgentProcess } from './spawnAgent.js';

/** A stopped agent still gets this long to say what its turn cost. */
const ASK_MILLISECONDS = 1500;
const DEMAND_MILLISECONDS = 500;
/** What is not gone this long after SIGKILL hangs in the kernel. */
const KILL_MILLISECONDS = 500;

export interface TerminateOptions {
  /** How long it is asked before it is told. */
  readonly askMilliseconds?: number;
  readonly pause?: Pause;
}

/**
 * Stops an agent politely, then surely: SIGINT (and SIGCONT, in case it is stopped), SIGTERM, SIGKILL, each to the whole
 * group. Resolves when nothing of it is left, or with those that would not die. Once the leader has exited nobody is
 * asked any more: what it left behind is killed. Who its descendants are is looked at before every signal: when their
 * parents are gone, nothing may tell whose they were.
 */
export async function terminate(
  agent: AgentProcess,
  { askMilliseconds = ASK_MILLISECONDS, pause }: TerminateOptions = {},
): Promise<LeftoverProcess[]> {
  agent.closeStdin();
  await agent.descendants.look();
  signalGroup(agent, 'SIGINT');
  signalGroup(agent, 'SIGCONT');
  if (!(await settlesWithin(agent.exited, askMilliseconds))) {
    await agent.descendants.look();
    signalGroup(agent, 'SIGTERM');
    if (!(await settlesWithin(agent.exited, DEMAND_MILLISECONDS))) await agent.descendants.look();
  }
  return killLeftovers(agent, { pause });
}

/**
 * SIGKILL for the group and for all that left the group; also right after the leader has exited by itself. Whoever is
 * known is killed before this returns, whoever can be found is gone, or named, when its promise settles.
 */
export async function killLeftovers(
  agent: AgentProcess,
  { pause }: Pick<TerminateOptions, 'pause'> = {},
): Promise<LeftoverProcess[]> {
  signalGroup(agent, 'SIGKILL');
  agent.descendants.kill();
  const leftovers = await killOrphans(agent.descendants, pause);
  const hasExited = await settlesWithin(agent.exited, KILL_MILLISECONDS);
  agent.forget();
  return hasExited ? leftovers : [...leftovers, { pid: agent.pid, name: 'agent' }];
}

function signalGroup(agent: AgentProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-agent.pid, signal);
  } catch {
    // Nobody is left in the group, or nobody we may signal: `killOrphans` names those.
  }
}
