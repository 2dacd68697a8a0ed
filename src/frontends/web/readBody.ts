import type { IncomingMessage, ServerResponse } from 'node:http';
import { MOST_BODY_BYTES } from './checkRequest.js';
import { createRefusal } from './refusals.js';

/** Reads the JSON of a request; of a body without a length no more than the largest that is taken. */
export async function readBody(incoming: IncomingMessage, outgoing: ServerResponse): Promise<unknown> {
  if (incoming.headers.expect?.toLowerCase() === '100-continue') outgoing.writeContinue();
  const bytes = await readBytes(incoming);
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    // Neither text nor JSON: the checks of the route could say no more about it.
    throw createRefusal('INVALID_REQUEST', 'body');
  }
}

/** By events, since leaving a loop over it would close the connection before the refusal is sent. */
function readBytes(incoming: IncomingMessage): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    incoming.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size <= MOST_BODY_BYTES) chunks.push(chunk);
      else {
        incoming.removeAllListeners('data');
        reject(createRefusal('BODY_TOO_LARGE'));
      }
    });
    incoming.once('end', () => resolve(Buffer.concat(chunks, size)));
    incoming.once('error', reject);
    incoming.once('close', () => reject(createRefusal('INVALID_REQUEST', 'body')));
  });
}
