import type { ParseNews } from './ParsedText.js';
import { type OpenWorker, TextParser } from './TextParser.js';
import workerAddress from './textWorker.ts?worker&url';

/** The part of Trusted Types that is used; browsers without them take the address as it is. */
interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL(address: string): string },
  ): { createScriptURL(address: string): string };
}

/** The one policy of the page, and the one script it lets be loaded: the worker. */
function trust(address: string): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return address;
  const policy = trustedTypes.createPolicy('huddle', { createScriptURL: () => address });
  return policy.createScriptURL(address);
}

let trusted: string | undefined;

const openWorker: OpenWorker = (take, fail) => {
  trusted ??= trust(workerAddress);
  const worker = new Worker(trusted, { type: 'module' });
  worker.onmessage = ({ data }: MessageEvent<ParseNews>) => take(data);
  worker.onerror = fail;
  return worker;
};

/** Reads every text of the page. */
export const textParser = new TextParser(openWorker);
