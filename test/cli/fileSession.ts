import { join } from 'node:path';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { RecordedFolder, Workspace } from '../../src/files/Workspace.js';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import type { FileChange } from '../../src/models/FileChange.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../src/models/ids.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { GIT_ENVIRONMENT, runTestGit, type TestFolder, testFolder } from '../files/repository.js';
import { createMachine, type Machine } from './runHuddle.js';

/** A saved session of kim, ada and max in a real folder, whose turns are given, and the machine that has it. */
export interface FileSession extends TestFolder {
  readonly machine: Machine;
  readonly id: string;
  /** Lets a member change files, and records that as its turn; what changed before is recorded as of others. */
  turn(member: 'ada' | 'max', edit: (folder: string) => void, options?: TurnOptions): Promise<string>;
  /** Appends facts. */
  append(...facts: readonly ConversationFact[]): Promise<void>;
  /** Does something with the files of the session. */
  withWorkspace<Value>(work: (workspace: Workspace) => Promise<Value>): Promise<Value>;
}

interface TurnOptions {
  /** In the member's copy. */
  readonly isCopy?: boolean;
  /** Files that the agent itself named. */
  readonly reported?: readonly string[];
  readonly git?: RecordedFolder['git'];
  /** Number of files that the list leaves out. */
  readonly unlisted?: number;
}

interface SessionOptions {
  /** The working folder, below the top of the repository. */
  readonly subfolder?: string;
  readonly hasGit?: boolean;
  readonly machine?: Machine;
}

const ID = '20261115-0212-abcd' as ConversationId;
const SAID = 'msg-1' as MessageId;
const PROMPT = { bytes: 1, sha256: '', latestMessageId: SAID, session: 'new' } as const;
const MEMBERS = [
  { id: 'kim', name: 'kim', type: 'human' },
  { id: 'ada', name: 'ada', type: 'ai', agentType: 'claude-code', model: 'sonnet', permission: 'edit' },
  { id: 'max', name: 'max', type: 'ai', agentType: 'codex', permission: 'edit' },
] as const;

/** `files` are committed in the repository, with paths relative to the working folder. */
export async function createFileSession(
  files: Readonly<Record<string, string>> = { 'a.txt': 'one\n' },
  { subfolder = '', hasGit = true, machine = createMachine() }: SessionOptions = {},
): Promise<FileSession> {
  const top = machine.project;
  const folder = join(top, subfolder);
  const dataFolder = machine.env.HUDDLE_HOME ?? '';
  const made = testFolder(folder, dataFolder);
  made.write(files);
  if (hasGit) {
    runTestGit(top, ['init', '-q', '-b', 'main']);
    runTestGit(top, ['add', '-A']);
    runTestGit(top, ['commit', '-q', '-m', 'first']);
  }
  const store = () => new SqliteStore({ file: join(dataFolder, 'conversations.sqlite') });
  const append = async (...facts: readonly ConversationFact[]) => {
    const open = store();
    const log = await open.open(ID, { inPlace: true });
    log.append(facts);
    await log.kept();
    await log.close();
    await open.close();
  };
  const withWorkspace: FileSession['withWorkspace'] = async (work) => {
    const workspace = openWorkspace({ folder, dataFolder, conversationId: ID, env: GIT_ENVIRONMENT });
    await workspace.open();
    try {
      return await work(workspace);
    } finally {
      await workspace.close();
    }
  };
  const first = store();
  const log = await first.create(ID, { folder });
  log.append([
    {
      type: 'conversation-start',
      conversationId: ID,
      team: { name: 'team', members: MEMBERS },
      isRehearsal: false,
    } as unknown as ConversationFact,
    {
      type: 'message-added',
      message: {
        id: SAID,
        content: 'Limit the size of uploads.\n\nPlease. [NEXT: ada]',
        speaker: { type: 'human', roleId: 'kim', roleName: 'kim', displayName: 'kim' },
        timestamp: 1,
      },
    } as unknown as ConversationFact,
  ]);
  await log.kept();
  await log.close();
  await first.close();
  await withWorkspace(async () => undefined);
  let turns = 0;
  return {
    ...made,
    machine,
    id: ID,
    append,
    withWorkspace,
    turn: (member, edit, { isCopy = false, reported = [], git, unlisted } = {}) =>
      withWorkspace(async (workspace) => {
        const turnId = `turn-${++turns}` as TurnId;
        const memberId = member as MemberId;
        const copyOf = isCopy ? memberId : undefined;
        const copy = isCopy ? await workspace.copyFor({ memberId }) : undefined;
        const before = recorded(await workspace.record({ copyOf }));
        edit(copy?.kind === 'ready' ? copy.folder : folder);
        const after = recorded(await workspace.record({ copyOf, withPatch: true }));
        const note = (file: FileChange) =>
          reported.includes(file.path) ? { ...file, isReported: true } : file;
        await append(
          ...(before.files.length > 0 ? [fact({ kind: 'others' }, before)] : []),
          {
            type: 'turn-start',
            turnId,
            memberId,
            triggeredBy: SAID,
            prompt: PROMPT,
            ...(isCopy && { copy: true }),
          },
          {
            type: 'turn-end',
            turnId,
            memberId,
            result: { kind: 'completed', messageId: null },
            milliseconds: 1,
          },
          fact(
            { kind: 'turns', turnIds: [turnId] },
            { ...after, files: after.files.map(note), ...(git && { git }), ...(unlisted && { unlisted }) },
            copyOf,
          ),
        );
        return turnId;
      }),
  };
}

function recorded(record: Awaited<ReturnType<Workspace['record']>>): RecordedFolder {
  if (record.kind !== 'recorded') throw new Error(`${record.reason}: ${record.detail}`);
  return record;
}

function fact(
  by: Extract<ConversationFact, { type: 'files-recorded' }>['by'],
  { kind: _, ...record }: RecordedFolder,
  copyOf?: MemberId,
): ConversationFact {
  return { type: 'files-recorded', by, ...record, files: [...record.files], ...(copyOf && { copyOf }) };
}
