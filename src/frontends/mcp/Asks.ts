import type { WordsOf } from '../../catalogue/words.js';
import type { Conversations, TeamHere } from '../../coordinator/Conversations.js';
import { loadStatus } from '../../coordinator/loadConversation.js';
import { asksTeam } from '../../models/ConversationMessage.js';
import { HuddleError } from '../../models/errors.js';
import type { ConversationId } from '../../models/ids.js';
import type { ConversationReader } from '../../store/Store.js';
import { foldName } from '../../utils/foldName.js';
import { nearest } from '../../utils/nearest.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { Ask } from './Ask.js';
import { type Allowance, AskLimits } from './AskLimits.js';
import type { McpCall, McpOptions } from './McpOptions.js';

/** The name that means every agent. */
const EVERYONE = 'all';

/** A question as a client asks it. */
export interface Question {
  readonly message: string;
  /** Names of agents. None: the team decides who answers. */
  readonly members: readonly string[];
  /** The session that it continues, maybe shortened. Absent: a new one. */
  readonly session?: string | undefined;
  readonly maxTurns?: number | undefined;
  /** Asks for a single turn. */
  readonly isSingle?: boolean;
}

/** An ask and what becomes of it. */
export interface HeldAsk {
  readonly ask: Ask;
  /** Settles when it is over and its conversation is closed. */
  readonly ended: Promise<void>;
}

/** All asks of a server, whichever connection they came over. */
export class Asks {
  readonly #options: McpOptions;
  readonly #limits: AskLimits;
  readonly #asks = new Map<ConversationId, HeldAsk>();
  /** Asks whose message is not sent yet. */
  readonly #beginning = new Set<Promise<HeldAsk>>();
  #conversations: Promise<Conversations> | undefined;

  constructor(options: McpOptions) {
    this.#options = options;
    this.#limits = new AskLimits(options.limits, options.words);
  }

  /** The conversations of the user; opened when they are first needed. */
  async conversations(): Promise<Conversations> {
    this.#conversations ??= this.#options.openConversations();
    try {
      return await this.#conversations;
    } catch (error) {
      // What is wrong may be put right while this server runs.
      this.#conversations = undefined;
      throw error;
    }
  }

  /**
   * Asks the team, and resolves when the message is sent. Nothing is sent once the signal has come.
   *
   * @throws {@link HuddleError} (as a rejection) `ASK_LIMIT`, `STILL_RUNNING`, `UNKNOWN_MEMBER`, `BEGUN_BY_PERSON`, and all that opening rejects with.
   */
  async begin(question: Question, call: Pick<McpCall, 'client' | 'signal'>): Promise<HeldAsk> {
    this.#limits.begin();
    const beginning = this.#open(question, call);
    this.#beginning.add(beginning);
    try {
      return await beginning;
    } catch (error) {
      this.#limits.withdraw();
      throw error;
    } finally {
      this.#beginning.delete(beginning);
    }
  }

  /** The ask of a session that was begun here, by its id or the beginning of it. */
  find(session: string): HeldAsk | undefined {
    const ids = [...this.#asks.keys()];
    const named = ids.filter((id) => id === session || id.startsWith(session) || id.endsWith(`-${session}`));
    return named.length === 1 ? this.#asks.get(named[0] as ConversationId) : undefined;
  }

  /** Stops everything and lets go of it. The signals of all calls have come before. */
  async close(): Promise<void> {
    await Promise.allSettled(this.#beginning);
    const running = [...this.#asks.values()].filter(({ ask }) => !ask.isOver);
    await Promise.allSettled(running.map(({ ask }) => ask.stop()));
    await Promise.allSettled(running.map(({ ended }) => ended));
    await (await this.#conversations)?.close();
  }

  async #open(question: Question, call: Pick<McpCall, 'client' | 'signal'>): Promise<HeldAsk> {
    const { folder, permission } = this.#options;
    const { isSingle = false, maxTurns } = question;
    const conversations = await this.conversations();
    const { team, leftOut, refusal } = await conversations.teamOf(folder, { permission });
    if (refusal !== undefined) throw refusal;
    const names = chooseMembers({ team, leftOut }, question.members, this.#options.words);
    const continued = await this.#findContinued(question, conversations);
    const allowance = this.#limits.allow(team.limits, isSingle ? 1 : maxTurns);
    const id = continued?.id ?? (await conversations.create(folder));
    try {
      call.signal.throwIfAborted();
      const conversation = await conversations.open(id, {
        folder,
        permission,
        limits: {
          agentTurns: (continued?.turns ?? 0) + allowance.agentTurns,
          usd: (continued?.usd ?? 0) + allowance.usd,
        },
        fanout: isSingle ? 'sequential' : undefined,
      });
      const content = addressMessage(question.message, names);
      const rules = { isSingle, leftOut };
      return this.#hold(await Ask.begin(conversation, content, rules, call), allowance);
    } catch (error) {
      this.#limits.giveBack(allowance, 0);
      // It is empty, so no list shows it in any case.
      if (continued === undefined) await conversations.delete(id).catch(() => undefined);
      throw error;
    }
  }

  /** The session that a question continues, and what its limits have counted already. */
  async #findContinued(
    { session }: Question,
    conversations: Conversations,
  ): Promise<{ readonly id: ConversationId; readonly usd: number; readonly turns: number } | undefined> {
    if (session === undefined) return undefined;
    const { summary, reader } = await conversations.read(session, this.#options.folder);
    try {
      const { id } = summary;
      if (this.#asks.get(id)?.ask.isOver === false)
        throw new HuddleError('STILL_RUNNING', this.#options.words.mcp.stillRunning(id));
      if (!this.#options.continuesSessions && !(await isBegunByProgram(reader)))
        throw new HuddleError('BEGUN_BY_PERSON', this.#options.words.mcp.begunByPerson(id));
      const { counters, lastHuman } = (await loadStatus(reader)).state;
      return { id, usd: counters.usd, turns: lastHuman === null ? 0 : counters.turns.count };
    } finally {
      await reader.close();
    }
  }

  #hold(ask: Ask, allowance: Allowance): HeldAsk {
    ask.subscribe((event) => {
      const usd = event.type === 'turn-end' ? event.usage?.usd : undefined;
      if (usd !== undefined && this.#limits.spend(usd, allowance)) this.#pauseAll();
    });
    const ended = ask.end().finally(() => this.#limits.end(allowance, ask.turnsStarted));
    // Every call that waits for it hears of a failure; there may be none.
    ended.catch(() => undefined);
    const held = { ask, ended };
    this.#asks.set(ask.id, held);
    return held;
  }

  #pauseAll(): void {
    for (const { ask } of this.#asks.values())
      if (!ask.isOver)
        ask.pauseAtLimit().catch((error) => this.#options.log(this.#options.describe(error).message));
  }
}

/** Whether the first message came through MCP. A session without any is no one's. */
async function isBegunByProgram(reader: ConversationReader): Promise<boolean> {
  for await (const event of reader.read())
    if (event.type === 'message-added')
      return event.message.speaker.type === 'system' && asksTeam(event.message);
  return true;
}

/** Finds the agents that a call names. @throws {@link HuddleError} `UNKNOWN_MEMBER`, with the nearest. */
function chooseMembers(
  { team, leftOut }: Pick<TeamHere, 'team' | 'leftOut'>,
  wanted: readonly string[],
  words: WordsOf<'mcp'>,
): readonly string[] {
  const names = team.members.flatMap(({ type, name }) => (type === 'ai' ? [name] : []));
  return wanted.map((word) => {
    const folded = foldName(word.replace(/^[@＠]/u, ''));
    if (folded === EVERYONE) return EVERYONE;
    const found = names.find((name) => foldName(name) === folded);
    if (found !== undefined) return found;
    const shown = sanitizeToOneLine(word);
    const { unknownMember, notHeld } = words.mcp;
    const isLeftOut = leftOut.some((name) => foldName(name) === folded);
    throw new HuddleError(
      'UNKNOWN_MEMBER',
      isLeftOut ? notHeld(shown) : unknownMember(shown, nearest(word, names), names),
    );
  });
}

/** Characters of which code, markup and markers are made. */
const MARKUP = /[`~<[@【＠]/u;

/**
 * A message as it is sent. The marker stands behind plain text, which is the title of the session then; before anything
 * else, where no code block can swallow it and no marker of the message comes first.
 */
export function addressMessage(message: string, names: readonly string[]): string {
  if (names.length === 0) return message;
  const marker = `[NEXT: ${names.join(', ')}]`;
  return MARKUP.test(message) ? `${marker} ${message}` : `${message}\n\n${marker}`;
}
