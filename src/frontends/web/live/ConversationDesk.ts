import type { ServerResponse } from 'node:http';
import { words } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { Conversations } from '../../../coordinator/Conversations.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import type { Limits } from '../../../models/Team.js';
import type { Telling } from '../../../presentation/Telling.js';
import { quoteForShell } from '../../../utils/quoteForShell.js';
import type { Call, Handlers } from '../routes.js';
import type { FirstScreen, ListedConversation, SentMessage, WhoAmI, WireError } from '../wire.js';
import { describePlace, hasNoAgent } from './describePlace.js';
import { EventStream } from './EventStream.js';
import { FollowedConversations } from './FollowedConversations.js';
import { actOnFiles } from './fileActions.js';
import { Listing } from './Listing.js';
import { OnceAnswers } from './OnceAnswers.js';
import { readBefore, readEnd } from './readBlocks.js';
import { Streams } from './Streams.js';
import { toWireError } from './toWireError.js';

/** Blocks of a first screen. */
const FIRST_BLOCKS = 100;
/** A reader that is further behind loads anew: that is less to send. */
const MOST_BEHIND = 5000;

export interface DeskOptions {
  /** The folder that the process was started in, and agents work in. */
  readonly folder: string;
  readonly version: string;
  /** Language of the sentences that the process makes. Default: `en`. */
  readonly language?: string;
  /** Opens conversations with simulated agents, which are gone with the process. Absent: there is no demonstration. */
  readonly openDemo?: (() => Promise<Conversations>) | undefined;
  /** Hears what went wrong where no request could be told. */
  readonly onError?: (error: unknown) => void;
  /** Times in milliseconds, for tests. */
  readonly times?: Partial<DeskTimes>;
}

export interface DeskTimes {
  /** A session that no browser looks at and in which nothing runs is let go of after this. */
  readonly rest: number;
  /** Sessions of other processes are looked at this often while a browser looks at them. */
  readonly look: number;
  /** Streams are told this often that the server is there. */
  readonly alive: number;
  /** A reader who reads nothing of a stream for so long is gone. */
  readonly deaf: number;
}

const TIMES: DeskTimes = { rest: 60_000, look: 500, alive: 15_000, deaf: 30_000 };

/** The routes that are answered here. */
type DeskRoute = 'whoAmI' | 'list' | 'create' | 'remove' | 'show' | 'older' | 'send' | 'decide' | 'act';

/** The conversations as browsers look at them and take part in them. Looking takes no lease; sending opens one for writing. */
export class ConversationDesk {
  readonly #conversations: Conversations;
  readonly #options: DeskOptions;
  readonly #times: DeskTimes;
  readonly #followed: FollowedConversations;
  readonly #listing: Listing;
  readonly #streams: Streams;
  readonly #sent = new OnceAnswers<SentMessage>();
  #demo: Promise<Conversations> | undefined;
  #openDemo: Conversations | undefined;
  readonly #demoIds = new Set<string>();

  constructor(conversations: Conversations, options: DeskOptions) {
    this.#conversations = conversations;
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    const { folder } = options;
    const onError = (error: unknown) => options.onError?.(error);
    this.#followed = new FollowedConversations({
      houseOf: (id) => this.#houseOf(id),
      folder,
      onError,
      lookMilliseconds: this.#times.look,
      restMilliseconds: this.#times.rest,
      onRecorded: () => undefined,
    });
    this.#listing = new Listing({
      folder,
      houses: () => [
        { conversations },
        ...(this.#openDemo ? [{ conversations: this.#openDemo, isDemo: true } as const] : []),
      ],
      tellingOf: (id) => this.#followed.find(id)?.live.telling,
    });
    this.#streams = new Streams(this.#times.alive);
  }

  handlers(): Pick<Handlers, DeskRoute> {
    return {
      whoAmI: (call) => this.#whoAmI(call),
      list: ({ query }) => this.#listing.page(query),
      create: ({ body }) => this.#create(body),
      remove: ({ params }) => this.#remove(idIn(params)),
      show: ({ params }) => this.#show(idIn(params)),
      older: (call) => this.#older(call),
      send: (call) =>
        this.#sent.once(`${call.browserId} ${idIn(call.params)} ${call.onceKey}`, () => this.#send(call)),
      decide: (call) => this.#decide(call),
      act: (call) => this.#act(call),
    };
  }

  /** Begins a stream; resolves when it has begun. Rejects before the first byte if there is none for this reader. */
  openStream = async (
    { query, browserId }: Call<'stream'>,
    outgoing: ServerResponse,
    lastEventId: number | undefined,
  ): Promise<void> => {
    const options = {
      browserId,
      deafMilliseconds: this.#times.deaf,
      onError: (error: unknown) => this.#options.onError?.(error),
    };
    const { conversation } = query;
    if (conversation === undefined) return this.#begin(new EventStream(outgoing, options), outgoing);
    const { followed, release } = await this.#followed.use(conversation as ConversationId);
    try {
      const { live } = followed;
      const after = lastEventId ?? query.after ?? live.seq;
      if (after > live.seq || live.seq - after > MOST_BEHIND)
        throw new HuddleError('RELOAD', words.webLive.reload);
      const read = (from: number, to: number) => followed.read(from, to);
      const stream = new EventStream(outgoing, options, { live, after, read });
      this.#begin(stream, outgoing);
      void stream.over.then(release);
    } catch (error) {
      release();
      throw error;
    }
  };

  /** Ends every stream and stops every turn; what agents wrote so far is kept. */
  async close(): Promise<void> {
    this.#streams.close();
    await this.#followed.close();
    await this.#demo?.then((demo) => demo.close());
  }

  #begin(stream: EventStream, outgoing: ServerResponse): void {
    this.#streams.makeRoom(stream.browserId);
    this.#streams.add(stream);
    outgoing.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.begin();
  }

  async #whoAmI({ role }: Call<'whoAmI'>): Promise<WhoAmI> {
    const { folder, version, language = 'en', openDemo } = this.#options;
    const place = await describePlace(this.#conversations, folder);
    return {
      role,
      version,
      folder,
      language,
      ...place,
      hasDemo: openDemo !== undefined && hasNoAgent(place),
    };
  }

  async #create({ isDemo = false }: { readonly isDemo?: boolean | undefined }) {
    const { folder } = this.#options;
    if (isDemo) return { id: await this.#createDemo() };
    const { refusal } = await this.#conversations.teamOf(folder);
    if (refusal !== undefined) throw refusal;
    return { id: await this.#conversations.create(folder) };
  }

  async #createDemo(): Promise<ConversationId> {
    const { openDemo, folder } = this.#options;
    if (openDemo === undefined) throw new HuddleError('NO_DEMO', words.webLive.noDemo);
    this.#demo ??= openDemo();
    const demo = await this.#demo;
    this.#openDemo = demo;
    const id = await demo.create(folder);
    this.#demoIds.add(id);
    await this.#followed.using(id, async (followed) =>
      (await followed.hold()).send(words.rehearsal.demoOpening),
    );
    return id;
  }

  async #remove(id: ConversationId): Promise<undefined> {
    await this.#followed.find(id)?.letGo();
    await this.#houseOf(id).delete(id);
    this.#demoIds.delete(id);
  }

  async #show(word: string): Promise<FirstScreen> {
    const house = this.#houseOf(word);
    const followed = this.#followed.find(word);
    const now = followed?.live.now();
    const { summary, reader } = await house.read(word);
    try {
      const { telling, seq, blocks, from } = await readEnd(reader, FIRST_BLOCKS, now);
      const listed = await this.#listing.describe(summary, house, telling);
      const readOnly = whyReadOnly(listed);
      return {
        summary: listed,
        telling: withoutAnswers(telling),
        seq,
        blocks,
        ...(from !== undefined && { from }),
        running: now?.running ?? [],
        limits: await this.#limitsOf(followed?.conversation, listed, house),
        ...(readOnly && { readOnly }),
      };
    } finally {
      await reader.close();
    }
  }

  async #older({ params, query }: Call<'older'>) {
    const { reader } = await this.#houseOf(idIn(params)).read(idIn(params));
    try {
      return await readBefore(reader, query.before, query.limit);
    } finally {
      await reader.close();
    }
  }

  #send({ params, body: { content, as } }: Call<'send'>): Promise<SentMessage> {
    return this.#writing(idIn(params), async (conversation) => ({
      message: await conversation.send(content, { ...(as !== undefined && { as }) }),
    }));
  }

  async #decide({ params, body: { requestId, verdict, as } }: Call<'decide'>): Promise<undefined> {
    const { conversation } = this.#followed.find(idIn(params)) ?? {};
    // Whoever has it open answers; what is open nowhere has no open requests.
    if (conversation === undefined) await this.#requireFree(idIn(params));
    if (conversation === undefined) throw new HuddleError('UNKNOWN_PERMISSION_REQUEST', { requestId });
    await conversation.answerPermission(requestId, verdict, { ...(as !== undefined && { as }) });
  }

  async #act({ params, body }: Call<'act'>) {
    const id = idIn(params);
    switch (body.do) {
      case 'cancel':
      case 'pause': {
        const { conversation } = this.#followed.find(id) ?? {};
        // Nothing runs in what is not open.
        if (conversation === undefined) await this.#requireFree(id);
        await conversation?.[body.do]();
        return {};
      }
      case 'resume':
        await this.#writing(id, (conversation) => conversation.resume());
        return {};
      case 'retry':
        return { turns: await this.#writing(id, (conversation) => conversation.retry()) };
      case 'undo':
      case 'apply':
        return this.#writing(id, (conversation) => actOnFiles(conversation, body));
    }
  }

  /** Works with a conversation that is open for writing. */
  #writing<Value>(id: ConversationId, work: (conversation: Conversation) => Promise<Value>): Promise<Value> {
    return this.#followed.using(id, async (followed) => {
      if (followed.conversation === undefined) await this.#requireHere(id);
      return work(await followed.hold());
    });
  }

  async #requireHere(id: ConversationId): Promise<void> {
    const { isElsewhere, folder } = await this.#describe(id);
    if (!isElsewhere) return;
    const { otherFolder, toContinueThere } = words.webLive;
    throw new HuddleError('OTHER_FOLDER', toContinueThere(otherFolder(id), commandThere(id, folder)));
  }

  async #requireFree(id: ConversationId): Promise<void> {
    const { openIn, holder } = await this.#describe(id);
    if (openIn !== undefined && holder !== undefined)
      throw new HuddleError('CONVERSATION_LOCKED', { id, ...holder });
  }

  async #describe(id: ConversationId): Promise<ListedConversation> {
    const house = this.#houseOf(id);
    const { summary, reader } = await house.read(id);
    await reader.close();
    return this.#listing.describe(summary, house);
  }

  #houseOf(id: string): Conversations {
    return (this.#demoIds.has(id) && this.#openDemo) || this.#conversations;
  }

  async #limitsOf(
    conversation: Conversation | undefined,
    { folder, isElsewhere }: ListedConversation,
    house: Conversations,
  ): Promise<Partial<Limits>> {
    if (conversation !== undefined) return conversation.team.limits;
    try {
      const place = (isElsewhere ? folder : undefined) ?? this.#options.folder;
      return (await house.teamOf(place)).team.limits;
    } catch (error) {
      // There is no team to continue with, which is told where someone wants to.
      if (error instanceof HuddleError) return {};
      throw error;
    }
  }
}

function idIn({ id = '' }: Call['params']): ConversationId {
  return id as ConversationId;
}

function whyReadOnly({ id, openIn, holder, isElsewhere, folder }: ListedConversation): WireError | undefined {
  if (openIn !== undefined && holder !== undefined)
    return toWireError(new HuddleError('CONVERSATION_LOCKED', { id, ...holder }));
  if (!isElsewhere) return undefined;
  const error = new HuddleError('OTHER_FOLDER', words.webLive.otherFolder(id));
  return toWireError(error, commandThere(id, folder));
}

function commandThere(id: ConversationId, folder = '.'): string {
  return `cd ${quoteForShell(folder)} && huddle resume ${id}`;
}

/** The answers that are counted are as many as there are messages, and only the counts are shown. */
function withoutAnswers(telling: Telling): Telling {
  const { conversation } = telling;
  const { counters } = conversation;
  const answers = { ...counters.answers, root: null };
  return { ...telling, conversation: { ...conversation, counters: { ...counters, answers } } };
}
