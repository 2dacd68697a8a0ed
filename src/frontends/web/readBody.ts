import type { IncomingMessage } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import { MOST_BODY_BYTES } from './checkRequest.js';
import { createRefusal } from './refusals.js';

/** Reads the JSON of a request, and of a body that is larger than it may be no more than that. */
export async function readBody(
  { incoming, outgoing }: HttpBindings,
  mostBytes = MOST_BODY_BYTES,
): Promise<unknown> {
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  const bytes = await readBytes(incoming, mostBytes);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Neither text nor JSON: the checks of the route could say no more about it.
    throw createRefusal('INVALID_REQUEST', 'body');
  }
}

/** By events, since leaving a loop over it would close the connection before the refusal is sent. */
function readBytes(incoming: IncomingMessage, mostBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= mostBytes) chunks.push(chunk);
      else {
        incoming.removeAllListeners('data');
        reject(createRefusal('BODY_TOO_LARGE'));
      }
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks, size)));
    // The sender is gone; what came of the body is worth nothing.
    for (const event of ['error', 'close'])
      incoming.once(event, () => reject(createRefusal('INVALID_REQUEST', 'body')));
  });
}
