/**
 * The built-in stand-in for an agent, a program of its own: it gets its prompt on stdin and answers in JSON lines,
 * `{"type":"text","text":…}` and then `{"type":"end"}`. What it says is its first argument; `%bytes%` becomes the
 * size of the prompt it received.
 */
const [reply = 'I have nothing to add.'] = process.argv.slice(2);

let promptBytes = 0;
for await (const chunk of process.stdin) promptBytes += (chunk as Buffer).length;
say({ type: 'text', text: reply.replaceAll('%bytes%', String(promptBytes)) });
say({ type: 'end' });

function say(record: object): void {
  process.stdout.write(`${JSON.stringify(record)}\n`);
}

export {};
