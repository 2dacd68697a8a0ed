import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AgentAdapter, TurnTimeLimits } from '../../src/agents/AgentAdapter.js';
import { AgentManager } from '../../src/agents/AgentManager.js';
import { createCommandDialect } from '../../src/agents/command/dialect.js';
import { createAdapter } from '../../src/agents/definitions.js';
import type { Conversation } from '../../src/coordinator/Conversation.js';
import { ConversationStarter } from '../../src/coordinator/ConversationStarter.js';
import { createConversation } from '../../src/createConversation.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';
import type { ConversationEvent, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { Team } from '../../src/models/Team.js';
import type { TurnOutcome } from '../../src/models/TurnOutcome.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import type { Store } from '../../src/store/Store.js';
import type { Logger } from '../../src/utils/logger.js';
import { afterFile } from '../afterFile.js';
import { playProgram } from '../simulators/playProgram.js';
import { ScriptedAgents } from '../simulators/ScriptedAgents.js';
import { answerOf } from './teams.js';

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
  readonly script?: Readonly<Record<string, readonly object[]>>;
  /** The stand-in is a process, although its script could be played in this one. */
  readonly isProcess?: boolean;
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

/**
 * A conversation with real processes, but for members that are `answering` and scripts without failures: those are played
 * here. It is closed after all tests of the file.
 */
export async function stage(team: Team, options: StageOptions = {}): Promise<Stage> {
  const { script, store = new MemoryStore(), clock, interactive, isProcess = false } = options;
  const kept = keepLog(store);
  const debugLines: string[] = [];
  const logger = { debug: (line: string) => debugLines.push(line) };
  const parts = { team, store: kept.store, logger, clock, interactive };
  const adapterOf = isProcess ? undefined : playedAdapters(team, script, logger);
  const conversation =
    adapterOf === undefined
      ? await createConversation({
          ...parts,
          workingFolder: tmpdir(),
          ...(script && { rehearsal: { script, stateFolder: temporaryFolder() } }),
        })
      : await new ConversationStarter().start({
          ...parts,
          folder: tmpdir(),
          isRehearsal: script !== undefined,
          agents: new AgentManager({
            workingFolder: tmpdir(),
            limits: limitsOf(team),
            createAdapter: adapterOf,
          }),
        });
  return watch(conversation, kept.log, debugLines);
}

/** The adapters of a team that can be played here, at least in part; undefined: nothing of it can. */
function playedAdapters(
  { members }: Team,
  script: StageOptions['script'],
  logger: Logger,
): ((agentType: string) => AgentAdapter) | undefined {
  if (script !== undefined) {
    const turns = Object.values(script).flat();
    if (turns.some((turn) => 'failure' in turn)) return undefined;
    const scripted = new ScriptedAgents(script);
    return () => scripted;
  }
  const answers = new Map(members.map((member) => [member.name, answerOf(member)]));
  if ([...answers.values()].every((answer) => answer === undefined)) return undefined;
  return (agentType) => {
    const real = createAdapter(agentType, { logger });
    return {
      runTurn(request, signal) {
        const answer = answers.get(request.memberName);
        if (answer === undefined) return real.runTurn(request, signal);
        return playProgram(createCommandDialect('plain-text'), request, signal, async (_, prompt) => ({
          stdout: await answer(prompt),
          stderr: '',
          exitCode: 0,
        }));
      },
      close: async () => real.close?.(),
    };
  };
}

function limitsOf({ limits }: Team): TurnTimeLimits {
  const { idleMinutes, turnMinutes } = limits;
  return { idleMilliseconds: idleMinutes * 60_000, totalMilliseconds: turnMinutes * 60_000 };
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
