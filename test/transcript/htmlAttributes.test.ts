import { expect, test } from 'vitest';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import { formatHtml } from '../../src/transcript/html.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { talkWithEverything } from './talk.js';

/** Ends an attribute in either kind of quotes and begins another one. */
const BREAKOUT = `"onfocus="x" 'onfocus='x' [a](https://b.org/"onfocus="x)\n\`\`\`"onfocus="x\n\`\`\``;
/** The fields of events in which somebody else's words stand; the rest says what kind of event it is. */
const FOREIGN = new Set(['id', 'content', 'roleName', 'title', 'name', 'task', 'text', 'input', 'result']);
const ATTRIBUTES = [
  ...['charset', 'class', 'content', 'data-language', 'datetime', 'href'],
  ...['http-equiv', 'id', 'lang', 'name', 'rel', 'title'],
];

function withBreakouts(event: RecordedEvent): RecordedEvent {
  return JSON.parse(JSON.stringify(event), (field, value: unknown) =>
    FOREIGN.has(field) && typeof value === 'string' ? `${value}${BREAKOUT}` : value,
  );
}

test('no text of a conversation leaves the attribute of HTML that it stands in', async () => {
  const page = await formatHtml(await createTranscript((await talkWithEverything()).map(withBreakouts)));
  // A `>` of somebody else would be escaped, so this is where tags end.
  const tags = [...page.matchAll(/<[a-z][^>]*>/giu)].map(([tag]) => tag);
  const attributes = tags.flatMap((tag) => [...tag.replaceAll(/"[^"]*"/gu, '""').matchAll(/([^\s"]+)=""/gu)]);
  expect(new Set(attributes.map(([, name]) => name))).toEqual(new Set(ATTRIBUTES));
  expect(page).toContain('data-language="&quot;onfocus=&quot;x"');
});
