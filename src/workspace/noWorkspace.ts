import type { NotRecordedResult, Workspace } from './Workspace.js';

const NOTHING_TO_END = { others: [], end: async () => [] };

/** A workspace in which nothing is recorded, and why. */
export function noWorkspace(folder: string, result: NotRecordedResult): Workspace {
  return {
    folder,
    open: async () => result,
    record: async () => result,
    plan: async ({ copyOf, steps }) => ({
      copyOf,
      files: steps.map(({ path, bytes }) => ({ path, bytes, action: 'not-kept' })),
    }),
    carry: async () => ({ moved: [], left: [] }),
    readIntent: () => undefined,
    endIntent: () => undefined,
    patch: async () => ({ patch: '', isCut: false }),
    copyFor: async () => ({ kind: 'not-ready', detail: result.detail ?? result.reason }),
    mark: async () => NOTHING_TO_END,
    close: async () => undefined,
  };
}
