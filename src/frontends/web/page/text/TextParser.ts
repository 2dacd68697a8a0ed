import type { CodeSpan } from '../../../../markdown/highlightCode.js';
import type { MarkdownCode, PlacedBlock } from '../../../../markdown/MarkdownBlock.js';

/** A text as the page shows it: its parts, and the colours of the code in it. */
export interface ParsedText {
  readonly blocks: readonly PlacedBlock[];
  /** By the block itself; code without colours is not in it. */
  readonly colours: ReadonlyMap<MarkdownCode, readonly CodeSpan[]>;
}

/** A text for the worker. */
export interface ParseOrder {
  readonly id: number;
  readonly text: string;
  readonly hasColours: boolean;
}

/** News of the worker: it can begin, it begins with a text, it has read it. Without `parsed` the text has too many parts to be formatted. */
export type ParseNews =
  | { readonly kind: 'ready' }
  | { readonly kind: 'begun'; readonly id: number }
  | { readonly kind: 'parsed'; readonly id: number; readonly parsed?: ParsedText };

/** A worker that reads texts. */
interface TextWorker {
  postMessage(order: ParseOrder): void;
  terminate(): void;
}

/** Starts a worker; its news go to `take`, and `fail` is called when it has broken. */
export type OpenWorker = (take: (news: ParseNews) => void, fail: () => void) => TextWorker;

/** The form in which a text is shown: `plain` as it is, since it has too many parts or took too long. */
export type TextForm = ParsedText | 'plain';

export interface ReadOptions {
  /** The text still grows: its form is not kept. */
  readonly isGrowing?: boolean;
}

/** A text that is read or waits for it. */
interface Job {
  readonly text: string;
  readonly hasColours: boolean;
  readonly isKept: boolean;
  readonly listeners: Set<(form: TextForm) => void>;
}

const LIMIT_MILLISECONDS = 2000;
/** Characters of texts whose form is kept: what is scrolled past and back again is not read again. */
const KEPT_CHARACTERS = 1_000_000;

/**
 * Reads texts in a worker, one at a time, the latest first: that is the one on the screen. A text that takes longer than
 * the limit is given up with its worker, tried without colours in a new one, and then shown as it is.
 */
export class TextParser {
  readonly #openWorker: OpenWorker;
  readonly #limit: number;
  readonly #forms = new Map<string, TextForm>();
  readonly #waiting = new Map<string, Job>();
  #keptCharacters = 0;
  #worker: TextWorker | undefined;
  #state: 'opening' | 'ready' | 'broken' = 'opening';
  #running: Job | undefined;
  #runs = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(openWorker: OpenWorker, limitMilliseconds = LIMIT_MILLISECONDS) {
    this.#openWorker = openWorker;
    this.#limit = limitMilliseconds;
  }

  /** The form of a text that was read before. */
  known(text: string): TextForm | undefined {
    return this.#forms.get(text);
  }

  /** Reads a text. The function returned takes that back as long as it waits. */
  read(text: string, onKnown: (form: TextForm) => void, { isGrowing = false }: ReadOptions = {}): () => void {
    const job = this.#jobFor(text, !isGrowing);
    job.listeners.add(onKnown);
    this.#start();
    return () => {
      if (this.#waiting.get(text) !== job) return;
      job.listeners.delete(onKnown);
      if (job.listeners.size === 0) this.#waiting.delete(text);
    };
  }

  #jobFor(text: string, isKept: boolean): Job {
    if (this.#running?.text === text && this.#running.isKept === isKept) return this.#running;
    const job = this.#waiting.get(text) ?? { text, hasColours: true, isKept, listeners: new Set() };
    // The latest stands last.
    this.#waiting.delete(text);
    this.#waiting.set(text, job);
    return job;
  }

  #start(): void {
    const job = [...this.#waiting.values()].at(-1);
    if (job === undefined || this.#running !== undefined) return;
    if (this.#state === 'broken') this.#end(job, 'plain');
    else if (this.#worker === undefined) this.#open();
    else if (this.#state === 'ready') {
      this.#waiting.delete(job.text);
      this.#running = job;
      this.#runs += 1;
      this.#worker.postMessage({ id: this.#runs, text: job.text, hasColours: job.hasColours });
    }
  }

  #open(): void {
    this.#state = 'opening';
    this.#worker = this.#openWorker(
      (news) => this.#take(news),
      () => this.#giveUp(),
    );
  }

  #take(news: ParseNews): void {
    if (news.kind === 'ready') this.#state = 'ready';
    else if (news.id !== this.#runs || this.#running === undefined) return;
    else if (news.kind === 'begun') this.#watch();
    else this.#end(this.#running, news.parsed ?? 'plain');
    this.#start();
  }

  /** The limit counts from here on: before, a busy machine may only have loaded the program. */
  #watch(): void {
    clearTimeout(this.#timer);
    // A second time, behind the news that came while the page itself was busy.
    this.#timer = setTimeout(() => {
      this.#timer = setTimeout(() => this.#giveUp(), 0);
    }, this.#limit);
  }

  /** Ends the worker; one that never began will not begin the next time either. */
  #giveUp(): void {
    this.#worker?.terminate();
    this.#worker = undefined;
    if (this.#state === 'opening') this.#state = 'broken';
    const job = this.#running;
    if (job?.hasColours) {
      this.#forget();
      this.#waiting.set(job.text, { ...job, hasColours: false });
    } else if (job !== undefined) this.#end(job, 'plain');
    this.#start();
  }

  #end(job: Job, form: TextForm): void {
    if (job === this.#running) this.#forget();
    this.#waiting.delete(job.text);
    if (job.isKept) this.#keep(job.text, form);
    for (const listener of job.listeners) listener(form);
    if (this.#state === 'broken') this.#start();
  }

  #forget(): void {
    clearTimeout(this.#timer);
    this.#running = undefined;
  }

  /** Keeps the latest forms; the oldest go first. */
  #keep(text: string, form: TextForm): void {
    if (!this.#forms.has(text)) this.#keptCharacters += text.length;
    this.#forms.set(text, form);
    for (const old of this.#forms.keys()) {
      if (this.#keptCharacters <= KEPT_CHARACTERS || old === text) break;
      this.#forms.delete(old);
      this.#keptCharacters -= old.length;
    }
  }
}
