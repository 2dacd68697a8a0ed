import { Worker } from 'node:worker_threads';
import type { RecordedEvent } from '../../../models/ConversationEvent.js';
import { HuddleError } from '../../../models/errors.js';
import type { Language } from '../../../models/Language.js';
import { type Deferred, defer } from '../../../utils/defer.js';
import type { Call, Handlers } from '../routes.js';
import type { QuestionName, ReadingQuestion, ReadingQuestions, ReadingReply } from './ReadingQuestion.js';

export interface ReadingSource extends ThreadSource {
  /** The whole log of a conversation that is only in the memory of this process; undefined for all others. */
  readonly eventsOf?: (conversationId: string) => Promise<readonly RecordedEvent[] | undefined>;
}

/** Answers questions about whole conversations without stopping anything else meanwhile. */
export interface Reading {
  handlers(): Pick<Handlers, QuestionName>;
  close(): Promise<void>;
}

/** Opens the reading of conversations in a thread of its own. Starts nothing before the first question. */
export function openReading({ eventsOf, ...source }: ReadingSource): Reading {
  const thread = new ReadingThread(source);
  const ask = async <Name extends QuestionName>(
    name: Name,
    { params, words }: Pick<Call, 'params' | 'words'>,
    about: ReadingQuestions[Name]['about'],
    // Catalogues are of the languages that we have.
    language = words.language as Language,
  ): Promise<ReadingQuestions[Name]['answer']> => {
    const conversationId = params.id ?? '';
    const events = await eventsOf?.(conversationId);
    return thread.ask({ name, conversationId, language, about, events });
  };
  return {
    handlers: () => ({
      members: (call) => ask('members', call, undefined),
      why: (call) => ask('why', call, { turn: call.params.turn ?? '' }),
      prompt: (call) => ask('prompt', call, { turn: call.params.turn ?? '', part: call.query.part }),
      changes: (call) => ask('changes', call, { turn: call.query.turn }),
      cost: (call) => ask('cost', call, { bins: call.query.bins }),
      search: (call) => ask('search', call, { text: call.query.text }),
      export: (call) => ask('export', call, { format: call.query.format }, call.query.language),
    }),
    close: () => thread.close(),
  };
}

/** The module that a thread runs, and what it is told. A contract cannot cross a thread, so all of it is plain data. */
export interface ThreadSource {
  readonly module: URL;
  readonly data: unknown;
  /** Longest time for one answer. */
  readonly answerMilliseconds?: number;
  /** Time without a question after which the thread ends; the next question starts it again. */
  readonly idleMilliseconds?: number;
}

interface AskedQuestion {
  readonly question: ReadingQuestion;
  readonly reply: Deferred<unknown>;
}

const ANSWER_MILLISECONDS = 60_000;
const IDLE_MILLISECONDS = 60_000;

/**
 * A worker thread that answers one question after the other. It is started by the first one, and again after it died or was
 * given up; only the question it had then is lost, with the error `READING_STOPPED`.
 */
export class ReadingThread {
  readonly #source: ThreadSource;
  readonly #waiting: AskedQuestion[] = [];
  #worker: Worker | undefined;
  #current: AskedQuestion | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(source: ThreadSource) {
    this.#source = source;
  }

  ask<Name extends QuestionName>(question: ReadingQuestion<Name>): Promise<ReadingQuestions[Name]['answer']> {
    if (this.#isClosed) return Promise.reject(stopped('closed'));
    const reply = defer<unknown>();
    this.#waiting.push({ question, reply });
    this.#askNext();
    // The thread answers a question by the table that its name is from.
    return reply.promise as Promise<ReadingQuestions[Name]['answer']>;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { reply } of this.#waiting.splice(0)) reply.reject(stopped('closed'));
    await this.#giveUp('closed');
  }

  #askNext(): void {
    if (this.#current !== undefined) return;
    clearTimeout(this.#timer);
    const asked = this.#waiting.shift();
    if (asked === undefined) {
      this.#rest();
      return;
    }
    this.#current = asked;
    const { question, reply } = asked;
    const { answerMilliseconds = ANSWER_MILLISECONDS } = this.#source;
    try {
      this.#worker ??= this.#start();
      this.#worker.ref();
      this.#worker.postMessage(question);
      this.#timer = setTimeout(() => void this.#giveUp('slow'), answerMilliseconds);
    } catch (error) {
      this.#current = undefined;
      reply.reject(error);
      this.#askNext();
    }
  }

  #start(): Worker {
    const { module, data } = this.#source;
    const worker = new Worker(module, { workerData: data, name: 'reading' });
    worker.on('message', (reply: ReadingReply) => this.#settle(worker, reply));
    let cause: unknown;
    worker.on('error', (error) => {
      cause = error;
    });
    worker.on('exit', () => this.#noteEnd(worker, 'died', cause));
    return worker;
  }

  #settle(worker: Worker, reply: ReadingReply): void {
    if (worker !== this.#worker) return;
    const asked = this.#current;
    this.#current = undefined;
    if ('answer' in reply) asked?.reply.resolve(reply.answer);
    else asked?.reply.reject(makeError(reply.failure));
    this.#askNext();
  }

  #noteEnd(worker: Worker, why: StopReason, cause?: unknown): void {
    if (worker !== this.#worker) return;
    this.#worker = undefined;
    const asked = this.#current;
    this.#current = undefined;
    clearTimeout(this.#timer);
    asked?.reply.reject(stopped(why, cause));
    if (!this.#isClosed) this.#askNext();
  }

  async #giveUp(why: StopReason): Promise<void> {
    const worker = this.#worker;
    if (worker === undefined) return;
    this.#noteEnd(worker, why);
    await worker.terminate();
  }

  /** A thread without work does not keep the process, and is not kept for long. */
  #rest(): void {
    if (this.#worker === undefined) return;
    this.#worker.unref();
    const { idleMilliseconds = IDLE_MILLISECONDS } = this.#source;
    this.#timer = setTimeout(() => void this.#giveUp('closed'), idleMilliseconds).unref();
  }
}

type StopReason = 'slow' | 'died' | 'closed';

function stopped(why: StopReason, cause?: unknown): HuddleError {
  return new HuddleError('READING_STOPPED', { why }, { cause });
}

function makeError({ code, facts, message }: Extract<ReadingReply, { failure: object }>['failure']): Error {
  if (code === undefined) return new Error(message);
  // The facts are those that the same code was made with on the other side.
  return new HuddleError(code, (facts ?? message) as string);
}
