import type { RequestListener } from 'node:http';
import type { AppParts } from './AppParts.js';
import { createApp } from './createApp.js';
import { createListener } from './createListener.js';

/** Answers the requests of browsers. It takes the router and the checks of requests with it: half of what a start would load. */
export function answerRequests(parts: AppParts): RequestListener {
  return createListener(createApp(parts), parts);
}
