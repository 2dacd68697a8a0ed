// The program of this clone: with arguments the command they name, without any the demo, which needs nothing installed.
import { fileURLToPath } from 'node:url';

const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
if (process.argv.length === 2) process.argv.push('demo');
process.env.HUDDLE_CLONE = program;
await import(program);
