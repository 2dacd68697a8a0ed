import { onTestFinished } from 'vitest';
import type { Conversation } from '../../../src/coordinator/Conversation.js';
import {
  type ConversationOptions,
  createConversation,
  resumeConversation,
} from '../../../src/createConversation.js';
import type {
  FilesRecorded,
  Notice,
  NoticeCode,
  RecordedEvent,
} from '../../../src/models/ConversationEvent.js';
import type { AgentMember, Member, Team } from '../../../src/models/Team.js';
import { MemoryStore } from '../../../src/store/memory/MemoryStore.js';
import type { Store } from '../../../src/store/Store.js';
import { toArray } from '../../../src/utils/AnyIterable.js';
import { agent, LIMITS, person, team } from '../../coordinator/teams.js';
import type { TestFolder } from '../repository.js';

/** A conversation in a real folder, and what its log says about files. */
export interface FilesStage {
  readonly conversation: Conversation;
  readonly store: Store;
  /** Says something and waits until nothing is left to do. */
  say(text: string): Promise<void>;
  events(): Promise<RecordedEvent[]>;
  records(): Promise<FilesRecorded[]>;
  /** Each record in one line: `turn-1: A new.txt, M old.txt`. */
  lists(): Promise<string[]>;
  notices<Code extends NoticeCode>(code: Code): Promise<Extract<Notice, { code: Code }>[]>;
}

export interface StageParts extends Partial<Omit<ConversationOptions, 'team' | 'workingFolder'>> {
  readonly files?: Team['files'];
  readonly fanout?: Team['routing']['fanout'];
  readonly limits?: Partial<Team['limits']>;
  /** The conversation to open again. */
  readonly resume?: FilesStage;
}

/** A conversation of kim with these agents in this folder. It is closed after the test. */
export async function stageFiles(
  { folder, dataFolder }: TestFolder,
  members: readonly Member[],
  { files, fanout = 'sequential', limits, resume, ...options }: StageParts = {},
): Promise<FilesStage> {
  const store = options.store ?? resume?.store ?? new MemoryStore();
  const whole = {
    dataFolder,
    ...options,
    team: team([person('kim'), ...members], {
      routing: { fallback: 'human', fanout },
      ...(files && { files }),
      ...(limits && { limits: { ...LIMITS, ...limits } }),
    }),
    workingFolder: folder,
    store,
  };
  const conversation = resume
    ? await resumeConversation({ ...whole, id: resume.conversation.id })
    : await createConversation(whole);
  onTestFinished(() => conversation.close());
  return watchFiles(conversation, store);
}

export function watchFiles(conversation: Conversation, store: Store): FilesStage {
  const events = (): Promise<RecordedEvent[]> => toArray(conversation.history());
  const records = async (): Promise<FilesRecorded[]> =>
    (await events()).filter((event) => event.type === 'files-recorded');
  return {
    conversation,
    store,
    events,
    records,
    say: async (text) => {
      await conversation.send(text);
      await conversation.settled();
    },
    lists: async () => (await records()).map(describeList),
    notices: async <Code extends NoticeCode>(code: Code) =>
      (await events()).filter(
        (event): event is RecordedEvent & Extract<Notice, { code: Code }> =>
          event.type === 'notice' && event.code === code,
      ),
  };
}

function describeList({ by, copyOf, files, isLate }: FilesRecorded): string {
  const who = by.kind === 'turns' ? by.turnIds.join(' ') : by.kind;
  const where = copyOf === undefined ? '' : ` in the copy of ${copyOf}`;
  const what = files.map(({ change, path }) => `${LETTERS[change]} ${path}`).join(', ');
  return `${who}${where}${isLate ? ' late' : ''}: ${what || 'nothing'}`;
}

const LETTERS = { add: 'A', update: 'M', delete: 'D' } as const;

/** A member that runs a line of shell in its folder, then says `done`. */
export function shell(name: string, line: string, parts: Partial<AgentMember> = {}): AgentMember {
  const command = ['/bin/sh', '-c', `cat >/dev/null; ${line}\necho done`];
  return agent(name, { agentType: 'command', command, permission: 'edit', ...parts });
}

/** A Codex stand-in that runs a line of shell and reports files, whether it changed them or not. */
export function codex(
  name: string,
  line: string,
  { reports = [], ...parts }: Partial<AgentMember> & { readonly reports?: readonly string[] } = {},
): AgentMember {
  const changes = reports.map((path) => ({ path, kind: 'update' }));
  const records = [
    { type: 'thread.started', thread_id: `thread-of-${name}` },
    { type: 'turn.started' },
    { type: 'item.completed', item: { id: 'item_0', type: 'file_change', changes, status: 'completed' } },
    { type: 'item.completed', item: { id: 'item_1', type: 'agent_message', text: 'done' } },
    { type: 'turn.completed', usage: { input_tokens: 1, cached_input_tokens: 0, output_tokens: 1 } },
  ];
  const lines = records.map((record) => `printf '%s\\n' '${JSON.stringify(record)}'`).join('\n');
  const command = [
    '/bin/sh',
    '-c',
    `[ "$1" = mcp ] && echo '[]' && exit; cat >/dev/null\n${line}\n${lines}`,
    'codex',
  ];
  return agent(name, { agentType: 'openai-codex', command, permission: 'read', ...parts });
}
