import { call, RefusedRequest } from './api.js';

/** A message on its way. */
export interface OutgoingMessage {
  readonly sessionId: string;
  readonly content: string;
  readonly as?: string | undefined;
}

/** Milliseconds before each further attempt after a lost connection. */
const WAITS = [300, 1000, 3000];

/** The key of a message that may have arrived: sent again as it is, it becomes no second message. */
let unsure: { readonly message: string; readonly key: string } | undefined;

/** Says something. After a lost connection it is tried again; rejects with a `RefusedRequest`. */
export async function sendMessage(
  outgoing: OutgoingMessage,
  wait: (milliseconds: number) => Promise<void> = delay,
): Promise<void> {
  const message = JSON.stringify(outgoing);
  const onceKey = unsure?.message === message ? unsure.key : crypto.randomUUID();
  unsure = { message, key: onceKey };
  const { sessionId, content, as } = outgoing;
  const request = { params: { id: sessionId }, body: { content, ...(as !== undefined && { as }) }, onceKey };
  for (let attempt = 0; ; attempt++) {
    try {
      await call('send', request);
      unsure = undefined;
      return;
    } catch (error) {
      const pause = WAITS[attempt];
      const isLost = error instanceof RefusedRequest && error.code === 'NOT_REACHED';
      if (!isLost) unsure = undefined;
      if (!isLost || pause === undefined) throw error;
      await wait(pause);
    }
  }
}

function delay(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
