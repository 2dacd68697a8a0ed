// Save a conversation, continue it later, export it: node examples/sessions.mjs [file]
// `rehearsal` is a dry run with simulated agents. Without a file everything is saved in a temporary one.
import { mkdtempSync, writeFileSync } from 'node:fs';
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

const conversation = createConversation({ team, store, rehearsal: {} });
conversation.send('Is the login safe? [NEXT: author]');
await conversation.settled();
await conversation.close();

const again = resumeConversation({ id: conversation.id, team, store, rehearsal: {} });
again.send('And the logout? [NEXT: reviewer]');
await again.settled();
await again.close();

const [summary] = store.list();
console.log(`${summary.title} · ${summary.messages} messages · ${summary.state}`);

const lines = join(folder, 'conversation.jsonl');
writeFileSync(lines, [...formatEventLines(store.read(again.id).read())].join(''));
writeFileSync(join(folder, 'page.html'), formatHtml(createTranscript(store.read(again.id).read())));

const elsewhere = new MemoryStore();
importConversation(elsewhere, readChunks(lines));
console.log(`imported ${elsewhere.list().length}, with ${elsewhere.read(again.id).lastSeq} events`);
store.close();
