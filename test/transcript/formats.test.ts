import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { formatDuration } from '../../src/catalogue/formats.js';
import { explainTurns } from '../../src/coordinator/explainTurn.js';
import type { RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import { importConversation } from '../../src/store/importConversation.js';
import { MemoryStore } from '../../src/store/memory/MemoryStore.js';
import { numberFacts } from '../../src/store/numberFacts.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { formatEventDocument, formatEventLines } from '../../src/transcript/exportFormats.js';
import { formatHtml } from '../../src/transcript/html.js';
import { formatMarkdown } from '../../src/transcript/markdown.js';
import { exportSnapshot, importSnapshot } from '../../src/transcript/snapshots.js';
import { createTranscript } from '../../src/transcript/Transcript.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { listAll, message, start } from '../store/facts.js';
import { agentNamed, resumeWith, says, teamOf } from '../store/stage.js';
import { tries } from '../tier.js';
import { talkWithEverything } from './talk.js';

let events: RecordedEvent[];
beforeAll(async () => {
  events = await talkWithEverything();
});

describe('a transcript', () => {
  test('has everything that was said, done and spent, in order', async () => {
    const { entries, usage, members, teamTask, isRehearsal } = await createTranscript(events);
    expect({ members: members.length, teamTask, isRehearsal }).toEqual({
      members: 3,
      teamTask: 'Ship <it>',
      isRehearsal: true,
    });
    expect(
      entries.map((entry) => (entry.kind === 'message' ? entry.message.speaker.roleName : entry.kind)),
    ).toEqual(['task', 'kailai', 'notice', 'max', 'kailai', 'turn']);
    expect(entries[3]).toMatchObject({
      turn: {
        tools: [
          { name: 'Bash', ok: true, result: '<i>files</i>' },
          { name: 'Read', ok: false },
        ],
        usage: { usd: 0.0123, price: 'reported' },
      },
    });
    expect(usage.total).toMatchObject({
      turns: 1,
      usd: 0.0123,
      prices: { reported: 1, estimated: 0, unknown: 0 },
    });
  });
});

describe('HTML', () => {
  test('holds every text escaped, and no script, handler or outside reference', async () => {
    const plans = new Map((await toArray(explainTurns(events))).map((turn) => [turn.turnId, turn]));
    const page = await formatHtml(await createTranscript(events), { plans });
    expect(page).toContain('&lt;script&gt;alert(1)&lt;/script&gt;');
    expect(page).toContain('Architect &lt;1&gt;');
    expect(page).toContain('<title>auth &amp; squad</title>');
    const tags = new Set([...page.matchAll(/<\/?([a-z0-9!]+)/gi)].map(([, tag]) => tag?.toLowerCase()));
    for (const tag of ['script', 'img', 'i', 'a', 'link', 'iframe', 'object', 'form'])
      expect(tags).not.toContain(tag);
    expect(page).not.toMatch(/<[^>]*\son\w+=/i);
    expect(page).not.toMatch(/https?:\/\//);
    expect(page).not.toMatch(/[\0\u202e]/);
    expect(page).toMatch(/default-src 'none'/);
  });

  test('folds tools, prompt plans and the usage', async () => {
    const plans = new Map((await toArray(explainTurns(events))).map((turn) => [turn.turnId, turn]));
    const page = await formatHtml(await createTranscript(events), { plans });
    const summaries = [...page.matchAll(/<summary>(.*?)<\/summary>/g)].map(([, text]) => text);
    expect(summaries).toEqual([
      '2 tool calls',
      expect.stringMatching(/^Prompt: \d+ of 786,432 bytes$/),
      expect.stringMatching(/^Prompt: \d+ of 786,432 bytes$/),
      'Usage: 1 turn, $0.01',
    ]);
    expect(page).toContain('new agent session');
    expect(page).toContain('yes (the current message)');
    expect(page.match(/verified: rebuilt from the log byte for byte/g)).toHaveLength(2);
  });
});

test('a sum of nothing but unknown prices is not shown as none', async () => {
  const transcript = await createTranscript(events);
  const unknown = { reported: 0, estimated: 0, unknown: 1 };
  const total = { ...transcript.usage.total, usd: 0, prices: unknown };
  const usage = { total, members: [] };
  expect(formatMarkdown({ ...transcript, usage })).toMatch(
    /\| total \| 1 \| \d+ \| 0 \| \d+ \| {2}\| 1 unknown \|/,
  );
  expect(await formatHtml({ ...transcript, usage })).toContain('<summary>Usage: 1 turn</summary>');
});

describe('HTML of a message', () => {
  const pageOf = async (content: string, at = 0) => {
    const [start, said] = [events[0], events.find(({ type }) => type === 'message-added')];
    if (start === undefined || said?.type !== 'message-added') throw new Error('There is no message.');
    const message = { ...said.message, content };
    return await formatHtml(await createTranscript([start, { ...said, message, at: start.at + at }]));
  };

  test('sets code as code, whatever is in it, and keeps the lines of the rest', async () => {
    const page = await pageOf(
      'Look:\nhere\n\n```ts "x"\nif (a < b) {\n\n  c();\n}\n```\n\n~~~\n```\n~~~\nSo `it` is.\n',
    );
    expect(page).toContain(
      '<div class="text"><p>Look:<br>here</p>' +
        '<pre class="code" data-language="ts"><span class="keyword">if</span> (a &lt; b) {\n\n' +
        '  <span class="title">c</span>();\n}</pre>' +
        '<pre class="code">```</pre>' +
        '<p>So <code>it</code> is.</p></div>',
    );
  });

  test('takes what follows a fence that was never closed for code', async () => {
    expect(await pageOf('Look:\n```\na\n\nb')).toContain('<pre class="code">a\n\nb</pre></div></article>');
    expect(await pageOf('```"><script>\nx\n```')).toContain('data-language="&quot;&gt;&lt;script&gt;"');
  });

  test('turns nothing around and hides nothing, and leaves words and emoji whole', async () => {
    const page = await pageOf('a \u202ecba\u202c b\u200bc\u2066 👩\u200d💻 می\u200cخواهم\r\nd\x1b');
    expect(page).toContain(
      '<p>a &lt;U+202E&gt;cba&lt;U+202C&gt; b&lt;U+200B&gt;c&lt;U+2066&gt; 👩\u200d💻 می\u200cخواهم<br>d␛</p>',
    );
    expect(await pageOf('a &#x202e;cba &#8203;')).toContain('<p>a &lt;U+202E&gt;cba &lt;U+200B&gt;</p>');
  });

  test.each([
    ['[x](javascript:alert(1))', '<p>x (javascript:alert(1))</p>'],
    ['[src/a.ts](src/a.ts:3)', '<p>src/a.ts (src/a.ts:3)</p>'],
    [
      '<https://a.org/?b=1&c=2>',
      '<a href="https://a.org/?b=1&amp;c=2" rel="noopener noreferrer">https://a.org/',
    ],
    [
      '![a "b"](https://a.org/x.png)',
      'rel="noopener noreferrer">a &quot;b&quot;</a> <span class="target">(https',
    ],
    [
      '[![a](https://b.org)](https://c.org)',
      '>a (https://b.org)</a> <span class="target">(https://c.org)</span>',
    ],
    ['<img src=x onerror=alert(1)>', '<p>&lt;img src=x onerror=alert(1)&gt;</p>'],
    ['[a]: look', '<p>[a]: look</p>'],
  ])('is text, or a link of the web that shows its target: %s', async (content, expected) => {
    expect(await pageOf(content)).toContain(expected);
  });

  test('closes every element it opens, whatever the message leaves open', async () => {
    const parts = fc.constantFrom(
      ...[
        '\n',
        '\n\n',
        '# ',
        '> ',
        '- ',
        '1. ',
        '  ',
        '    ',
        '- [x] ',
        '|a|b|\n|-|:-:|\n|',
        '```ts\n',
        '`',
        '**',
        '_',
      ],
      ...['~~', '[', '](http://x)', '![', '<b>', '</div>', '&lt;', 'const a = "b"', '---\n', 'word '],
    );
    const messages = fc.array(parts, { maxLength: 40 }).map((found) => found.join(''));
    await fc.assert(
      fc.asyncProperty(messages, async (content) => {
        expect(unclosedTags(await pageOf(content))).toEqual([]);
      }),
      { numRuns: tries(200) },
    );
  });

  test('says the day when it changes', async () => {
    expect(await pageOf('Hi.')).not.toContain('<p class="day">');
    expect(await pageOf('Hi.', 24 * 3600_000)).toContain('<p class="day">2026-11-16</p>');
  });
});

/** Tags of a page that close nothing or are not closed. A `>` of a message is escaped, so this is where tags end. */
function unclosedTags(page: string): string[] {
  const open: string[] = [];
  for (const [, slash, name = ''] of page.matchAll(/<(\/?)([a-z][a-z0-9]*)[^>]*>/gu)) {
    if (['meta', 'br', 'hr'].includes(name)) continue;
    if (slash === '') open.push(name);
    else if (open.at(-1) === name) open.pop();
    else return [...open, `/${name}`];
  }
  return open;
}

test('Markdown quotes messages, and what is in them is text', async () => {
  const text = formatMarkdown(await createTranscript(events));
  expect(text).toContain(
    '> [NEXT: max, nobody] Design the login.\n>\n' +
      `>     indented \\</pre>\\</article>\\<script>alert(1)\\</script>\\<img src=x onerror="alert('2')"> & \\<U+202E>txt ␀`,
  );
  expect(text).toMatch(/^# auth & squad\n/);
  expect(text).toContain('- Bash: `` ls `x` <b> ``');
  expect(text).toMatch(/## sarah · failed · .*\n\n.*401/);
  expect(text).toMatch(/\| total \| 1 \| \d+ \| 0 \| \d+ \| \$0\.01 \| 1 reported \|/);
});

test.each([
  ['```ts\nlet a;', '> ```ts\n> let a;\n> ```\n\n## '],
  ['So:\n~~~~\n```', '> So:\n>\n> ````\n> ```\n> ````\n\n## '],
  ['```\na\n```', '> ```\n> a\n> ```\n\n## '],
  ['- a\n  ```\n  b', '> - a\n>\n> ```\n> b\n> ```\n\n## '],
  ['1. ```\n   b\n     c\n   ```\n2. d', '> 1.\n>\n> ```\n> b\n>   c\n> ```\n>\n> 2. d\n\n## '],
])('code that a message leaves open ends with it in Markdown: %j', async (content, expected) => {
  const said = numberFacts([start(), message(1, content), message(2)], 0, 1);
  expect(formatMarkdown(await createTranscript(said))).toContain(expected);
});

test.each([
  [420, '0.4 s'],
  [59_400, '59 s'],
  [59_960, '1 min 00 s'],
  [119_400, '1 min 59 s'],
  [119_600, '2 min 00 s'],
  [3_720_000, '1 h 02 min'],
])('%d milliseconds are %s', (milliseconds, expected) => {
  expect(formatDuration(milliseconds)).toBe(expected);
});

describe('JSON', () => {
  test('lines come out of an import as they went in', async () => {
    const text = (await toArray(formatEventLines(events))).join('');
    const store = new MemoryStore();
    const id = await importConversation(store, [Buffer.from(text)]);
    expect((await toArray(formatEventLines((await store.read(id)).read()))).join('')).toBe(text);
  });

  test('is one document', async () => {
    expect(JSON.parse((await toArray(formatEventDocument(events))).join(''))).toEqual({
      format: 'huddle-conversation',
      version: 1,
      events: JSON.parse(JSON.stringify(events)),
    });
    expect(JSON.parse((await toArray(formatEventDocument([]))).join('')).events).toEqual([]);
  });
});

describe('a snapshot', () => {
  test('goes out and comes in, whatever its ids, and can be gone on with', async () => {
    const store = new MemoryStore();
    const id = 'from-a-snapshot' as ConversationId;
    const snapshot = {
      version: 1,
      timestamp: 5,
      teamTask: 'Ship it',
      messages: [
        {
          id: 'a',
          content: 'Hi',
          speaker: { roleId: 'kailai', roleName: 'kailai', type: 'human' },
          timestamp: 1,
        },
        { id: 'b', content: 'Hello', speaker: { roleId: 'max', roleName: 'max', type: 'ai' }, timestamp: 2 },
      ],
    };
    await importSnapshot(store, id, snapshot, () => 5);
    expect(await exportSnapshot((await store.read(id)).read())).toEqual({
      ...snapshot,
      timestamp: expect.any(Number),
    });
    const conversation = await resumeWith(store, id, teamOf([agentNamed('max')]), () => says('Yes.'));
    await conversation.send('Go on.');
    await conversation.settled();
    expect(conversation.snapshot().messages.map(({ id: messageId }) => messageId)).toEqual([
      'a',
      'b',
      'msg-1',
      'msg-2',
    ]);
    const turns = await toArray(explainTurns(conversation.history()));
    expect(turns.map(({ isExact }) => isExact)).toEqual([true]);
    await conversation.close();
  });

  test('that there is no room for leaves nothing behind', async () => {
    const store = new SqliteStore({ file: join(makeTemporaryFolder(), 'conversations.db'), maxPages: 20 });
    onTestFinished(() => store.close());
    const speaker = { roleId: 'kailai', roleName: 'kailai', type: 'human' };
    const message = { id: 'a', content: 'long '.repeat(100_000), speaker, timestamp: 1 };
    const snapshot = { version: 1, timestamp: 5, teamTask: null, messages: [message] };
    await expect(importSnapshot(store, 'x' as ConversationId, snapshot)).rejects.toThrow(/full/u);
    expect(await listAll(store)).toEqual([]);
  });

  test('that is not one leaves nothing behind', async () => {
    const store = new MemoryStore();
    await expect(
      importSnapshot(store, 'x' as ConversationId, { version: 1, messages: [{}] }),
    ).rejects.toThrow(/^Invalid snapshot format: messages\[0\]/);
    expect(await listAll(store)).toEqual([]);
  });
});
