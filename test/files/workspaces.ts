import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type {
  CarryPlan,
  CarryStep,
  RecordedFolder,
  RecordOptions,
  Workspace,
} from '../../src/files/Workspace.js';
import type { FileChange } from '../../src/models/FileChange.js';
import { GIT_ENVIRONMENT, type TestFolder } from './repository.js';

/** An open workspace for a conversation in a folder. */
export async function openTestWorkspace(
  { folder, dataFolder }: Pick<TestFolder, 'folder' | 'dataFolder'>,
  conversationId: string = randomUUID(),
  options: { readonly maxFileBytes?: number; readonly env?: NodeJS.ProcessEnv } = {},
): Promise<Workspace> {
  const workspace = openWorkspace({
    folder,
    dataFolder,
    conversationId,
    env: { PATH: GIT_ENVIRONMENT.PATH },
    ...options,
  });
  onTestFinished(() => workspace.close());
  const opening = await workspace.open();
  if (opening.kind === 'not-recorded') throw new Error(`not recorded: ${opening.reason} ${opening.detail}`);
  return workspace;
}

/** Records, and fails if that was not possible. */
export async function recordTurn(workspace: Workspace, options: RecordOptions = {}): Promise<RecordedFolder> {
  const record = await workspace.record(options);
  if (record.kind === 'not-recorded') throw new Error(`not recorded: ${record.reason} ${record.detail}`);
  return record;
}

/** The way back from records, the newest first. */
export function stepsBack(...records: ReadonlyArray<readonly FileChange[]>): readonly CarryStep[] {
  return records.flatMap((files) =>
    files.map(({ path, bytes, before, after }) => ({ path, bytes, from: after, to: before })),
  );
}

/** The way that a record went. */
export function stepsOf(files: readonly FileChange[]): readonly CarryStep[] {
  return files.map(({ path, bytes, before, after }) => ({ path, bytes, from: before, to: after }));
}

/** What a plan would do to each file. */
export function actionsOf({ files }: CarryPlan): Record<string, string> {
  return Object.fromEntries(files.map(({ path, action }) => [path, action]));
}
