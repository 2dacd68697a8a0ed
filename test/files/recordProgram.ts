import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openWorkspace } from '../../src/files/openWorkspace.js';

/** Looks at a folder, changes a file there and records it, in a process of its own that can be watched. */
const [folder = '', dataFolder = ''] = process.argv.slice(2);
const workspace = openWorkspace({ folder, dataFolder, conversationId: 'watched' });
await workspace.open();
writeFileSync(join(folder, 'a.txt'), 'changed\n');
const record = await workspace.record({ withPatch: true });
console.log(record.kind === 'recorded' ? record.files.map(({ path }) => path).join() : record.reason);
await workspace.close();
