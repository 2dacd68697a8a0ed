import type { ServerResponse } from 'node:http';
import type { Catalogue } from '../../../catalogue/words.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import type { House } from '../../../coordinator/Conversations.js';
import type { FileAction } from '../../../files/actions/describeFileAction.js';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { ConversationId } from '../../../models/ids.js';
import type { Limits } from '../../../models/Team.js';
import type { OpenStream } from '../createApp.js';
import type { Call, Handlers } from '../routes.js';
import type {
  ActionDone,
  ConversationListPage,
  CreatedConversation,
  FirstScreen,
  ListedConversation,
  OlderBlocks,
  SentMessage,
  WhoAmI,
  WireError,
} from '../wire.js';
import { EventStream, type StreamSource, Streams } from './EventStream.js';
import { FollowedConversations } from './FollowedConversations.js';
import { describePlace, Houses, hasNoAgent, RecentLimits } from './Houses.js';
import { Listing, lockOf, requireHere } from './Listing.js';
import { KnownStates } from './LogTail.js';
import { readBefore, readEnd, tellingToSend } from './readBlocks.js';
import { SessionWatch } from './SessionWatch.js';

/** Blocks of a first screen. */
const FIRST_BLOCKS = 100;
/** A reader that is further behind loads anew: that is less to send. */
const MOST_BEHIND = 5000;

export interface DeskOptions {
  /** The folder that the process was started in, and agents work in. */
  readonly folder: string;
  readonly version: string;
  readonly words: Catalogue;
  /** Opens conversations with simulated agents, which are gone with the process. Absent: there is no demonstration. */
  readonly openDemo?: (() => Promise<House>) | undefined;
  /** The code of an error and its sentence for people. */
  readonly describe: (error: unknown, words: Catalogue) => WireError;
  /** Hears what went wrong where no request could be told. */
  readonly onError: (error: unknown) => void;
  /** Milliseconds, for tests. */
  readonly times?: Partial<DeskTimes>;
}

interface DeskTimes {
  /** A session that no browser looks at, and in which nothing runs, is let go of after this. */
  readonly rest: number;
  /** Sessions of other processes are looked at this often while a browser looks at them. */
  readonly look: number;
  /** The list of sessions is looked at this often while there is a browser. */
  readonly list: number;
  /** Streams are told this often that the server is there. */
  readonly alive: number;
  /** A reader who reads nothing of a stream for so long is gone. */
  readonly deaf: number;
}

const TIMES: DeskTimes = { rest: 60_000, look: 500, list: 1000, alive: 15_000, deaf: 30_000 };

/** The routes that are answered here. */
type DeskRoute = 'whoAmI' | 'list' | 'create' | 'remove' | 'show' | 'older' | 'send' | 'decide' | 'act';

/** The conversations as browsers look at them and take part in them. Looking takes no lease; sending opens one for writing. */
export class ConversationDesk {
  readonly #options: DeskOptions;
  readonly #times: DeskTimes;
  readonly #houses: Houses;
  readonly #followed: FollowedConversations;
  readonly #listing: Listing;
  readonly #streams: Streams;
  readonly #watch: SessionWatch;
  readonly #sent = new OnceAnswers<SentMessage>();
  readonly #states = new KnownStates();
  readonly #limits = new RecentLimits();

  constructor(conversations: House, options: DeskOptions) {
    const { folder, openDemo, onError } = options;
    this.#options = options;
    this.#times = { ...TIMES, ...options.times };
    this.#houses = new Houses(conversations, openDemo);
    this.#followed = new FollowedConversations({
      houseOf: (id) => this.#houses.of(id),
      states: this.#states,
      folder,
      onError,
      lookMilliseconds: this.#times.look,
      restMilliseconds: this.#times.rest,
      onRecorded: ({ id }) => this.#watch.noteChange(id),
    });
    this.#listing = new Listing({
      folder,
      states: this.#states,
      houses: () => this.#houses.all(),
      tellingOf: (id) => this.#followed.find(id)?.live.telling,
    });
    this.#streams = new Streams(this.#times.alive);
    this.#watch = new SessionWatch({
      latest: async () => [...(await this.#listing.latest()), ...(await this.#find(this.#followed.ids()))],
      find: (ids) => this.#find(ids),
      isWatched: () => this.#streams.size > 0,
      tell: (changes) => this.#streams.tellSessions(changes),
      onError,
      lookMilliseconds: this.#times.list,
    });
  }

  handlers(): Pick<Handlers, DeskRoute> {
    return {
      whoAmI: (call) => this.#whoAmI(call),
      list: (call) => this.#list(call),
      create: (call) => this.#create(call),
      remove: ({ params }) => this.#remove(idIn(params)),
      show: (call) => this.#show(call),
      older: (call) => this.#older(call),
      send: (call) => this.#send(call),
      decide: (call) => this.#decide(call),
      act: (call) => this.#act(call),
    };
  }

  /** Begins a stream and resolves. Rejects before the first byte if there is none for this reader. */
  readonly openStream: OpenStream = async ({ query, browserId }, outgoing, lastEventId) => {
    const { conversation } = query;
    if (conversation === undefined) {
      this.#begin(browserId, outgoing);
      return;
    }
    const { followed, release } = await this.#followed.use(conversation as ConversationId);
    try {
      const { live } = followed;
      // A stream that begins again asks with the address of its first time: what it has got since counts.
      const after = Math.max(lastEventId ?? -1, query.after ?? (lastEventId === undefined ? live.seq : -1));
      if (after > live.seq || live.seq - after > MOST_BEHIND) throw new HuddleError('RELOAD', {});
      const read = (from: number, to: number) => followed.read(from, to);
      void this.#begin(browserId, outgoing, { live, after, read }).over.then(release);
    } catch (error) {
      release();
      throw error;
    }
  };

  /** The whole log of a conversation that is only in the memory of this process; undefined for all others. */
  eventsInMemory(id: string): Promise<readonly RecordedEvent[] | undefined> {
    return this.#houses.demoEvents(id);
  }

  /** Ends every stream and stops every turn; what agents wrote so far is kept. */
  async close(): Promise<void> {
    this.#watch.close();
    this.#streams.close();
    await this.#followed.close();
    await this.#houses.close();
  }

  #begin(browserId: string, outgoing: ServerResponse, source?: StreamSource): EventStream {
    this.#streams.makeRoom(browserId);
    const { onError } = this.#options;
    const stream = new EventStream(
      outgoing,
      { browserId, onError, deafMilliseconds: this.#times.deaf },
      source,
    );
    this.#streams.add(stream);
    this.#watch.watch();
    outgoing.writeHead(200, {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      'x-accel-buffering': 'no',
    });
    stream.begin();
    return stream;
  }

  async #whoAmI({ role, words }: Call<'whoAmI'>): Promise<WhoAmI> {
    const { folder, version, describe } = this.#options;
    const place = await describePlace(this.#houses.of(''), folder, (error) => describe(error, words));
    const hasDemo = this.#houses.hasDemo && hasNoAgent(place);
    return { role, version, folder, language: this.#options.words.language, ...place, hasDemo };
  }

  async #list({ query }: Call<'list'>): Promise<ConversationListPage> {
    const page = await this.#listing.page(query);
    this.#watch.note(page.conversations);
    return page;
  }

  async #create({ body: { isDemo }, words }: Call<'create'>): Promise<CreatedConversation> {
    const { folder } = this.#options;
    if (isDemo) {
      const id = await this.#houses.createDemo(folder);
      await this.#writing(id, (conversation) => conversation.send(words.rehearsal.demoOpening));
      return { id };
    }
    const own = this.#houses.of('');
    const { refusal } = await own.teamOf(folder);
    if (refusal !== undefined) throw refusal;
    return { id: await own.create(folder) };
  }

  async #remove(id: ConversationId): Promise<undefined> {
    await this.#followed.find(id)?.letGo();
    await this.#houses.delete(id);
    this.#watch.noteDeleted([id]);
  }

  async #show({ params }: Call<'show'>): Promise<FirstScreen> {
    const word = idIn(params);
    const house = this.#houses.of(word);
    const followed = this.#followed.find(word);
    const now = followed?.live.now();
    const { summary, reader } = await house.read(word);
    try {
      const { telling, seq, blocks, from } = await readEnd(reader, FIRST_BLOCKS, this.#states, {
        told: now,
      });
      const listed = await this.#listing.describe(summary, house, telling);
      return {
        summary: listed,
        telling: tellingToSend(telling),
        seq,
        blocks,
        from,
        running: now?.running ?? [],
        limits: followed?.conversation?.team.limits ?? (await this.#limitsOf(listed, house)),
      };
    } finally {
      await reader.close();
    }
  }

  async #older({ params, query }: Call<'older'>): Promise<OlderBlocks> {
    const id = idIn(params);
    const { reader } = await this.#houses.of(id).read(id);
    try {
      return await readBefore(reader, query.before, query.limit);
    } finally {
      await reader.close();
    }
  }

  #send({ params, body: { content, as }, browserId, onceKey }: Call<'send'>): Promise<SentMessage> {
    const id = idIn(params);
    return this.#sent.once(JSON.stringify([browserId, id, onceKey]), () =>
      this.#writing(id, async (conversation) => ({
        message: await conversation.send(content, { as }),
      })),
    );
  }

  async #decide({ params, body: { requestId, verdict, as } }: Call<'decide'>): Promise<undefined> {
    const conversation = await this.#findOpen(idIn(params));
    if (conversation === undefined) throw new HuddleError('UNKNOWN_PERMISSION_REQUEST', { requestId });
    await conversation.answerPermission(requestId, verdict, { as });
  }

  async #act({ params, body }: Call<'act'>): Promise<ActionDone> {
    const id = idIn(params);
    switch (body.do) {
      case 'cancel':
      case 'pause':
        // Nothing runs in a conversation that is not open.
        await (await this.#findOpen(id))?.[body.do]();
        return {};
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

  /** Works with a conversation that is open for writing; it is opened if it is not. */
  #writing<Value>(id: ConversationId, work: (conversation: Conversation) => Promise<Value>): Promise<Value> {
    return this.#followed.using(id, async (followed) => {
      if (followed.conversation === undefined) requireHere(await this.#describe(id));
      return followed.write(work);
    });
  }

  /** The conversation, if it is open here. Rejects if another process has it open. */
  async #findOpen(id: ConversationId): Promise<Conversation | undefined> {
    const { conversation } = this.#followed.find(id) ?? {};
    if (conversation !== undefined) return conversation;
    const locked = lockOf(await this.#describe(id));
    if (locked !== undefined) throw locked;
    return undefined;
  }

  async #describe(id: ConversationId): Promise<ListedConversation> {
    const house = this.#houses.of(id);
    const { summary, reader } = await house.read(id);
    await reader.close();
    if (summary.id !== id) throw new HuddleError('UNKNOWN_CONVERSATION', { id });
    return this.#listing.describe(summary, house);
  }

  /** The conversations with these ids, but for those that there are not. */
  async #find(ids: readonly ConversationId[]): Promise<readonly ListedConversation[]> {
    const found = await Promise.all(
      ids.map((id) =>
        this.#describe(id).catch((error) => {
          if (error instanceof HuddleError && error.code === 'UNKNOWN_CONVERSATION') return undefined;
          throw error;
        }),
      ),
    );
    return found.filter((listed) => listed !== undefined);
  }

  /** Limits of the team that would continue a conversation. */
  #limitsOf({ folder, isElsewhere }: ListedConversation, house: House): Promise<Partial<Limits>> {
    return this.#limits.of(house, (isElsewhere ? folder : undefined) ?? this.#options.folder);
  }
}

function idIn({ id = '' }: Call['params']): ConversationId {
  return id as ConversationId;
}

/** Answers that are remembered; those before are forgotten. */
const MOST_KEPT = 1000;

/** Answers of requests that are done only once: the same key again gets the same answer, also while the first is under way. */
class OnceAnswers<Answer> {
  readonly #answers = new Map<string, Promise<Answer>>();

  /** Does it, unless that was done for this key. What failed did nothing, and may be tried again. */
  once(key: string, act: () => Promise<Answer>): Promise<Answer> {
    const known = this.#answers.get(key);
    if (known !== undefined) return known;
    const answer = act();
    this.#answers.set(key, answer);
    answer.catch(() => this.#answers.delete(key));
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= MOST_KEPT) break;
      this.#answers.delete(oldest);
    }
    return answer;
  }
}

/** An answer lists so many files at most. */
const MOST_FILES = 1000;
const PREFIX = 'huddle ';

type FilesRequest = Extract<Call<'act'>['body'], { readonly do: 'undo' | 'apply' }>;

/** Undoes or applies what turns changed; or only tells what that would do. */
async function actOnFiles(conversation: Conversation, request: FilesRequest): Promise<ActionDone> {
  const { files, ...action } = await perform(conversation, request);
  return { files: { ...action, files: files.slice(0, MOST_FILES), total: files.length } };
}

function perform(
  conversation: Conversation,
  { do: action, what, isDryRun: dryRun, as }: FilesRequest,
): Promise<FileAction> {
  const options = { dryRun, as, prefix: PREFIX };
  if (action === 'undo') return conversation.undo(what, options);
  if (what === undefined) throw new HuddleError('UNKNOWN_CHANGE', {});
  return conversation.apply(what, options);
}
