import type { Context } from 'hono';
import type { TextAnswer, WebRoute } from './routes.js';
import type { WebEnvironment } from './WebEnvironment.js';

/** Writes what a handler answered, as its route says. */
export function writeAnswer(route: WebRoute, answer: unknown, context: Context<WebEnvironment>): Response {
  const { answers = 'json', status = 200 } = route;
  if (status === 204) return context.body(null, status);
  if (answers === 'json') return context.json(answer ?? null, status);
  // The type of the answer follows from the route.
  return writeText(answer as TextAnswer, context);
}

/** Text as it is; a file is only ever saved, so that nothing in it is run with our rights. */
function writeText({ type, text, fileName }: TextAnswer, context: Context<WebEnvironment>): Response {
  context.header('content-type', type);
  if (fileName !== undefined) context.header('content-disposition', describeFile(fileName));
  return context.body(text);
}

/** The name for every browser, and a plain one for those that know no other. */
function describeFile(fileName: string): string {
  const plain = fileName.replaceAll(/[^\w.-]+/gu, '-');
  const encoded = encodeURIComponent(fileName.toWellFormed()).replaceAll(
    /['()*]/gu,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
