// `npm run test:mutations [part of a name …]`: breaks the program on purpose, once for each row of the table, and expects
// the named test to notice. Copies are changed, never the project. Ends with 1 when something was not noticed.
import { fileURLToPath } from 'node:url';
import { runMutations } from './runMutations.mjs';
import { mutations } from './table.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/u, '');
const wanted = process.argv.slice(2);
const unknown = wanted.filter((part) => !mutations.some(({ name }) => name.includes(part)));
if (unknown.length > 0) {
  console.error(
    `No mutation is called ${unknown.join(', ')}. There are:\n${mutations.map(({ name }) => name).join('\n')}`,
  );
  process.exit(2);
}
const chosen = mutations.filter(
  ({ name }) => wanted.length === 0 || wanted.some((part) => name.includes(part)),
);
// The copy goes with the process; see `copyTree`.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, () => process.exit(1));
process.exitCode = (await runMutations({ root, mutations: chosen, say: console.log })) ? 0 : 1;
