import type { AgentAdapter } from '../agents/AgentAdapter.js';
import type { Logger } from '../utils/logger.js';
import { type AskingOptions, askWorkers } from './askTurn.js';
import { openDispatch } from './dispatch.js';

export interface RemoteOptions extends Omit<AskingOptions, 'dispatch'> {
  readonly logger?: Logger | undefined;
}

/** Opens the queues of a shared store to ask its workers. */
export async function createRemote({ logger = {}, ...options }: RemoteOptions): Promise<AgentAdapter> {
  const dispatch = await openDispatch(options.store.database, { logger });
  return { ...askWorkers({ ...options, dispatch }), close: () => dispatch.close() };
}
