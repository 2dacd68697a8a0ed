import { settlesWithin } from './settlesWithin.js';
import type { AgentProcess } from './spawnAgent.js';
import { type Survivor, sweep } from './sweep.js';

/** A stopped agent still gets this long to say what its turn cost. */
const ASK_MILLISECONDS = 1500;
const DEMAND_MILLISECONDS = 500;
/** What is not gone this long after SIGKILL hangs in the kernel. */
const KILL_MILLISECONDS = 500;

/**
 * Stops an agent politely, then surely: SIGINT (and SIGCONT, in case it is stopped), SIGTERM, SIGKILL, each to the whole
 * group. Resolves when nothing of it is left, or with those that would not die. Once the leader has exited nobody is
 * asked any more: what it left behind is killed.
 */
export async function terminate(
  agent: AgentProcess,
  marker: string,
  askMilliseconds = ASK_MILLISECONDS,
): Promise<Survivor[]> {
  agent.closeStdin();
  signalGroup(agent, 'SIGINT');
  signalGroup(agent, 'SIGCONT');
  if (!(await settlesWithin(agent.exited, askMilliseconds))) {
    signalGroup(agent, 'SIGTERM');
    await settlesWithin(agent.exited, DEMAND_MILLISECONDS);
  }
  return killLeftovers(agent, marker);
}

/** SIGKILL for the group and for all that left the group; also right after the leader has exited by itself. */
export async function killLeftovers(agent: AgentProcess, marker: string): Promise<Survivor[]> {
  signalGroup(agent, 'SIGKILL');
  const survivors = await sweep(marker);
  const hasExited = await settlesWithin(agent.exited, KILL_MILLISECONDS);
  const isNamed = survivors.some(({ pid }) => pid === agent.pid);
  return hasExited || isNamed ? survivors : [...survivors, { pid: agent.pid, name: 'agent' }];
}

function signalGroup(agent: AgentProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-agent.pid, signal);
  } catch {
    // Nobody is left in the group, or nobody we may signal: the sweep names those.
  }
}
