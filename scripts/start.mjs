// The program of this clone: with arguments the command they name, without any the demo, which needs nothing installed.
if (process.argv.length === 2) process.argv.push('demo');
await import('../dist/cli/huddle.cjs');
