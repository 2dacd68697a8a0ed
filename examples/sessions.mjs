// Save a conversation, continue it later, export it: node examples/sessions.mjs [file]
// `rehearsal` is a dry run with simulated agents. Without a file everything is saved in a temporary one.
import { appendFileSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createConversation,
  createTranscript,
  formatEventLines,
  formatHtml,
  importConversation,
  loadTeamFile,
  MemoryStore,
  readChunks,
  resumeConversation,
  SqliteStore,
} from 'agent-huddle';

const folder = mkdtempSync(join(tmpdir(), 'huddle-example-'));
const store = new SqliteStore({ file: process.argv[2] ?? join(folder, 'conversations.sqlite') });
const { team } = await loadTeamFile(`${import.meta.dirname}/review/huddle.jsonc`);

const conversation = await createConversation({ team, store, rehearsal: {} });
await conversation.send('Is the login safe? [NEXT: author]');
await conversation.settled();
await conversation.close();

const again = await resumeConversation({ id: conversation.id, team, store, rehearsal: {} });
await again.send('And the logout? [NEXT: reviewer]');
await again.settled();
await again.close();

const { summaries } = await store.list({ limit: 1 });
const [summary] = summaries;
console.log(`${summary.title} · ${summary.messages} messages · ${summary.state}`);

const lines = join(folder, 'conversation.jsonl');
const reader = await store.read(again.id);
for await (const line of formatEventLines(reader.read())) appendFileSync(lines, line);
writeFileSync(join(folder, 'page.html'), await formatHtml(await createTranscript(reader.read())));

const elsewhere = new MemoryStore();
const id = await importConversation(elsewhere, readChunks(lines));
const imported = await elsewhere.find(id);
console.log(`imported ${imported.length}, with ${(await elsewhere.read(id)).lastSeq} events`);
await store.close();
