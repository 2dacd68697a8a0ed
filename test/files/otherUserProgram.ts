import { createInterface } from 'node:readline';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import { HuddleError } from '../../src/models/errors.js';
import type { FileChange } from '../../src/models/FileChange.js';

/**
 * Works in a folder as somebody for whom rights count, which they do not for root. Answers each line with a line of JSON:
 * `record` records, `undo` puts the last record back.
 */
const [folder = '', dataFolder = '', user] = process.argv.slice(2);
if (user !== undefined) {
  process.setgroups?.([]);
  process.setgid?.(Number(user));
  process.setuid?.(Number(user));
}
const workspace = openWorkspace({ folder, dataFolder, conversationId: 'other' });
let files: readonly FileChange[] = [];

for await (const order of createInterface({ input: process.stdin }))
  console.log(JSON.stringify(await obey(order)));
await workspace.close();

async function obey(order: string): Promise<unknown> {
  if (order === 'record') {
    const record = await workspace.record({ withPatch: true });
    if (record.kind === 'recorded') files = record.files;
    return record;
  }
  const plan = await workspace.plan({
    steps: files.map(({ path, before, after }) => ({ path, from: after, to: before })),
  });
  try {
    const { failure } = await workspace.carry(plan);
    if (failure !== undefined) throw failure;
    return { plan };
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    return { plan, code: error.code, facts: error.facts };
  }
}
