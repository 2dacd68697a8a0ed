import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createDefaultTeam } from '../../config/defaultTeam.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import type { House, ListQuery, OpenChoice, ReadConversation } from '../../coordinator/Conversations.js';
import { createConversation, resumeConversation } from '../../createConversation.js';
import type { ConversationId } from '../../models/ids.js';
import type { Team } from '../../models/Team.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { UnknownConversationError } from '../../store/storeErrors.js';
import { createStateFolder, keepDemoScript, PACE_MILLISECONDS } from '../sessions/rehearsal.js';
import type { CliContext } from '../start/CliContext.js';

/** Opens conversations of simulated agents, as `huddle demo` shows one. They are gone when they are closed. */
export async function openDemo({ userName }: Pick<CliContext, 'userName'>): Promise<House> {
  return new Demo(createDefaultTeam({ agents: [], userName }).team, await createStateFolder());
}

class Demo implements House {
  readonly #team: Team;
  readonly #stateFolder: string;
  readonly #store = new MemoryStore();

  constructor(team: Team, stateFolder: string) {
    this.#team = team;
    this.#stateFolder = stateFolder;
  }

  async teamOf() {
    return { team: this.#team, leftOut: [] };
  }

  async create(folder: string): Promise<ConversationId> {
    const conversation = await createConversation({
      team: this.#team,
      workingFolder: folder,
      store: this.#store,
      rehearsal: {},
    });
    await conversation.close();
    return conversation.id;
  }

  async open(id: ConversationId, { folder, interactive = false }: OpenChoice): Promise<Conversation> {
    const [team, store, stateFolder] = [this.#team, this.#store, this.#stateFolder];
    const scriptFile = join(stateFolder, `${id}.json`);
    const rehearsal = { stateFolder, scriptFile, pace: PACE_MILLISECONDS };
    const conversation = await resumeConversation({
      ...{ id, team, store, interactive, rehearsal },
      workingFolder: folder,
    });
    keepDemoScript(conversation, scriptFile);
    return conversation;
  }

  async read(id: string): Promise<ReadConversation> {
    const [summary] = await this.#store.find(id);
    if (summary === undefined) throw new UnknownConversationError(id);
    return { summary, reader: await this.#store.read(summary.id) };
  }

  list({ folder, folders, ...query }: ListQuery) {
    return this.#store.list({ ...query, folders: folder === undefined ? folders : [folder] });
  }

  async foldersOf(folder: string): Promise<readonly string[]> {
    return [folder];
  }

  delete(id: ConversationId): Promise<void> {
    return this.#store.delete(id);
  }

  async close(): Promise<void> {
    await rm(this.#stateFolder, { recursive: true, force: true });
  }
}
