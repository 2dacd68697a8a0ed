import type { AgentAdapter } from './AgentAdapter.js';

/** An adapter that is made when it is first needed; one that could not be made is made anew the next time. */
export function whenAsked(create: () => Promise<AgentAdapter>): AgentAdapter {
  let made: AgentAdapter | undefined;
  let making: Promise<AgentAdapter> | undefined;
  const get = async (): Promise<AgentAdapter> => {
    making ??= create();
    try {
      made = await making;
      return made;
    } catch (error) {
      making = undefined;
      throw error;
    }
  };
  return {
    async *runTurn(request, signal) {
      yield* (await get()).runTurn(request, signal);
    },
    adopt: async (turn, signal) => (await (await get()).adopt?.(turn, signal)) ?? null,
    reportOf: (event) => made?.reportOf?.(event),
    close: async () => made?.close?.(),
  };
}
