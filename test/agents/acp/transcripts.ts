import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentContext, agent, RequestError } from '@agentclientprotocol/sdk/unstable';

interface Message {
  readonly id?: number | string;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: unknown;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

interface Line {
  readonly dir: 'client->agent' | 'agent->client';
  readonly msg: Message;
}

/** What the recorded agent was answered, and what it is answered now. */
export interface Replay {
  readonly app: ReturnType<typeof agent>;
  /** Settles when the agent works on a prompt that it was told to cancel. */
  readonly hangs: Promise<void>;
  readonly answers: Array<{ readonly method: string; readonly recorded: unknown; readonly now: unknown }>;
}

/** An agent that says what a recorded one said, in the same order, when it is asked the same. */
export function replayTranscript(name: string, workingFolder: string): Replay {
  const lines = readTranscript(name, workingFolder);
  const answers: Replay['answers'] = [];
  const asked = new Map<string, number>();
  const cancelled = deferred();
  const hanging = deferred();

  const app = agent({ name: 'replay' })
    .onRequest('*', async ({ method, client }) => {
      const count = asked.get(method) ?? 0;
      asked.set(method, count + 1);
      const requests = lines.filter(({ dir, msg }) => dir === 'client->agent' && msg.method === method);
      const request = requests[count];
      if (request === undefined) return {};
      return replay(lines.slice(lines.indexOf(request) + 1), request.msg.id, client);
    })
    .onNotification(
      'session/cancel',
      (params) => params,
      () => cancelled.resolve(),
    );

  /** What followed a request, up to the answer to it. */
  async function replay(rest: readonly Line[], id: Message['id'], client: AgentContext): Promise<unknown> {
    for (const { dir, msg } of rest) {
      if (dir === 'client->agent') {
        if (msg.method !== 'session/cancel') continue;
        hanging.resolve();
        await cancelled.promise;
      } else if (msg.method === undefined) {
        if (msg.id !== id) continue;
        if (msg.error) throw new RequestError(msg.error.code, msg.error.message, msg.error.data);
        return msg.result;
      } else if (msg.id === undefined) {
        await client.notify(msg.method, msg.params);
      } else {
        const now = await client.request(msg.method, msg.params);
        const recorded = rest.find(
          (line) => line.dir === 'client->agent' && line.msg.id === msg.id && !line.msg.method,
        );
        answers.push({ method: msg.method, recorded: recorded?.msg.result, now });
      }
    }
    throw new Error(`The transcript ${name} has no answer to request ${id}`);
  }

  return { app, answers, hangs: hanging.promise };
}

export function readTranscript(name: string, workingFolder: string): Line[] {
  const file = fileURLToPath(new URL(`../../fixtures/acp/${name}.jsonl`, import.meta.url));
  return readFileSync(file, 'utf8')
    .replaceAll('$CWD', workingFolder)
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
}

function deferred() {
  let resolve: () => void = () => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
