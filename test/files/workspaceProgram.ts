import { once } from 'node:events';
import { appendFileSync, readFileSync } from 'node:fs';
import { openWorkspace } from '../../src/files/openWorkspace.js';
import type { CarryStep } from '../../src/files/Workspace.js';

/**
 * Works in a folder in a process of its own. `mark` marks a turn until its input ends, and prints the turns it met.
 * `carry` records and takes the steps that stand in a file, and says into a pipe how far it is; it is there to be killed.
 */
const [order, folder = '', dataFolder = '', argument = '', pipe = ''] = process.argv.slice(2);
const workspace = openWorkspace({ folder, dataFolder, conversationId: 'killed' });

if (order === 'mark') {
  const mark = await workspace.mark(argument);
  console.log(JSON.stringify(mark.others));
  process.stdin.resume();
  await once(process.stdin, 'end');
  console.log(JSON.stringify(await mark.end()));
} else {
  const tell = (phase: string): void => appendFileSync(pipe, `${phase}\n`);
  await workspace.open();
  tell('recording');
  await workspace.record({ withPatch: true });
  const steps = JSON.parse(readFileSync(argument, 'utf8')) as CarryStep[];
  const plan = await workspace.plan({ steps });
  tell('carrying');
  await workspace.carry(plan);
  tell('carried');
  await workspace.record();
}
