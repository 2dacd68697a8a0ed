// A process of its own that holds a conversation in a shared store, asks a member on another machine, and waits to be killed.
// `URL KEYFILE ID TEAM TEXT`; prints `said` when the text is a message.
import { createConversation } from '../../src/createConversation.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';

const [url = '', keyFile = '', id = '', team = '', text = ''] = process.argv.slice(2);
const store = await openPostgresStore({ url, leaseTimes: { lease: 1200, renewEvery: 300, stopAfter: 800 } });
const conversation = await createConversation({ team: JSON.parse(team), store, keyFile, id });
await conversation.send(text);
process.stdout.write('said\n');
setInterval(() => undefined, 1000);
