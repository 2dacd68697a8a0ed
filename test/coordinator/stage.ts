import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAdapter } from '../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../src/agents/AgentManager.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { createConversation } from '../../src/createConversation.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { ConversationEvent, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { Team } from '../../src/models/Team.js';
import type { TurnOutcome } from '../../src/models/TurnOutcome.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import { afterFile } from '../afterFile.js';

/** A conversation under test, and everything that can be seen of it. */
export interface Stage {
  readonly conversation: Conversation;
  /** The whole log so far. */
  log(): RecordedEvent[];
  /** The facts of one type, in order. */
  facts<Type extends RecordedEvent['type']>(type: Type): Extract<RecordedEvent, { type: Type }>[];
  /** What was said so far, as `name: text`. */
  said(): string[];
  /** What each turn was sent, system text included, in the order in which the turns started. */
  prompts(): { readonly to: string; readonly text: string }[];
  /** Resolves with the first event, from now on, that is as wanted. */
  seen(isWanted: (event: ConversationEvent) => boolean): Promise<ConversationEvent>;
}

export interface StageOptions {
  /** For the built-in stand-in: a list of turns for each member. Without it the members' own commands run. */
  readonly script?: Readonly<Record<string, readonly unknown[]>>;
  readonly store?: Store;
  readonly clock?: () => number;
  /** People are there to answer what agents ask leave for. */
  readonly interactive?: boolean;
}

const conversations: Conversation[] = [];
const folders: string[] = [];
async function closeStages(): Promise<void> {
  await Promise.all(conversations.splice(0).map((conversation) => conversation.close()));
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}

/** A conversation with real processes; it is closed after all tests of the file. */
export async function stage(
  team: Team,
  { script, store = new MemoryStore(), clock, interactive }: StageOptions = {},
): Promise<Stage> {
  const kept = keepLog(store);
  const debugLines: string[] = [];
  const conversation = await createConversation({
    team,
    store: kept.store,
    workingFolder: tmpdir(),
    logger: { debug: (line) => debugLines.push(line) },
    ...(script && { rehearsal: { script, stateFolder: temporaryFolder() } }),
    ...(clock && { clock }),
    ...(interactive && { interactive }),
  });
  return watch(conversation, kept.log, debugLines);
}

/** What a member does in a turn, without a process: for the many small conversations of a property. */
export type Play = (memberName: string, prompt: string, signal: AbortSignal) => AsyncIterable<AgentEvent>;

export async function stageInProcess(
  team: Team,
  play: Play,
  store: Store = new MemoryStore(),
): Promise<Stage> {
  const kept = keepLog(store);
  const debugLines: string[] = [];
  const adapter: AgentAdapter = {
    runTurn: ({ memberName, prompt }, signal) => play(memberName, prompt, signal),
  };
  const conversation = await new ConversationStarter().start({
    team,
    store: kept.store,
    agents: new AgentManager({ workingFolder: tmpdir(), createAdapter: () => adapter }),
    logger: { debug: (line) => debugLines.push(line) },
  });
  return watch(conversation, kept.log, debugLines);
}

export async function* answers(text: string): AsyncGenerator<AgentEvent> {
  yield { type: 'text', text };
  yield ends({ kind: 'completed', text });
}

export function ends(outcome: TurnOutcome): AgentEvent {
  return { type: 'end', outcome };
}

export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-conversation-'));
  folders.push(folder);
  afterFile(closeStages);
  return folder;
}

function watch(
  conversation: Conversation,
  readLog: () => RecordedEvent[],
  debugLines: readonly string[],
): Stage {
  conversations.push(conversation);
  afterFile(closeStages);
  return {
    conversation,
    log: readLog,
    facts: <Type extends RecordedEvent['type']>(type: Type) =>
      readLog().filter((event): event is Extract<RecordedEvent, { type: Type }> => event.type === type),
    said: () =>
      conversation.snapshot().messages.map(({ speaker, content }) => `${speaker.roleName}: ${content}`),
    prompts: () => debugLines.flatMap(readSend),
    seen: (isWanted) =>
      new Promise((resolve) => {
        const leave = conversation.subscribe((event) => {
          if (!isWanted(event)) return;
          leave();
          resolve(event);
        });
      }),
  };
}

/** Notes what is appended to the conversation that the store makes. */
function keepLog(store: Store): { store: Store; log: () => RecordedEvent[] } {
  const events: RecordedEvent[] = [];
  const create = store.create.bind(store);
  store.create = async (id) => {
    const log = await create(id);
    const append = log.append.bind(log);
    log.append = (facts) => {
      const appended = append(facts);
      events.push(...appended);
      return appended;
    };
    return log;
  };
  return { store, log: () => [...events] };
}

function readSend(line: string): { to: string; text: string }[] {
  const send = /^\[Debug\]\[Send\] to (\S+)\n([\s\S]*)$/u.exec(line);
  return send ? [{ to: send[1] ?? '', text: send[2] ?? '' }] : [];
}
