import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { createInterface } from 'node:readline';

/** Fields of results that tests look into; each result has some of them. */
interface RawResult {
  readonly tools: readonly { readonly name: string }[];
  readonly resources: readonly object[];
  readonly content: readonly [{ readonly text: string }];
  readonly structuredContent: object;
}

/** A message of the protocol, as it was on the line. */
export interface RawMessage {
  readonly id?: number | string | null;
  readonly method?: string;
  readonly params?: { readonly progressToken?: unknown; readonly message?: string };
  readonly result: RawResult;
  readonly error?: { readonly code: number; readonly message: string };
}

/** A client that knows nothing of the protocol but lines. */
export class RawClient {
  readonly notifications: RawMessage[] = [];
  /** Answers that name no request. */
  readonly strays: RawMessage[] = [];
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #waiting = new Map<unknown, (message: RawMessage) => void>();
  readonly #heard: Array<() => void> = [];
  #requests = 0;

  constructor(child: ChildProcessWithoutNullStreams) {
    this.#child = child;
    createInterface({ input: child.stdout }).on('line', (line) => this.#take(JSON.parse(line)));
  }

  write(text: string): void {
    this.#child.stdin.write(text);
  }

  notify(method: string, params: object = {}): void {
    this.write(`${JSON.stringify({ jsonrpc: '2.0', method, params })}\n`);
  }

  request(method: string, params: object = {}): Promise<RawMessage> & { readonly id: number } {
    const id = ++this.#requests;
    const answer = new Promise<RawMessage>((resolve) => this.#waiting.set(id, resolve));
    this.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    return Object.assign(answer, { id });
  }

  /** As revision 2025-06-18 begins. */
  async initialize(name = 'test', protocolVersion = '2025-06-18'): Promise<RawMessage> {
    const clientInfo = { name, version: '1' };
    const answer = await this.request('initialize', { protocolVersion, capabilities: {}, clientInfo });
    this.notify('notifications/initialized');
    return answer;
  }

  call(name: string, given: object, meta: object = {}): Promise<RawMessage> & { readonly id: number } {
    return this.request('tools/call', { name, arguments: given, _meta: meta });
  }

  /** Resolves when something was heard for which this holds. */
  async until(holds: () => boolean): Promise<void> {
    while (!holds()) await new Promise<void>((resolve) => this.#heard.push(resolve));
  }

  #take(message: RawMessage): void {
    const answered = message.method === undefined ? this.#waiting.get(message.id) : undefined;
    if (answered !== undefined) answered(message);
    else if (message.method === undefined) this.strays.push(message);
    else this.notifications.push(message);
    for (const heard of this.#heard.splice(0)) heard();
  }
}
