#!/usr/bin/env node
// An agent that talks like Claude Code and says a lot: LOUD_MEGABYTES of text in small pieces, with LOUD_TOOLS tools used
// meanwhile. `--version` and `auth status` are answered as well.
const megabytes = Number(process.env.LOUD_MEGABYTES ?? 1);
const tools = Number(process.env.LOUD_TOOLS ?? 200);
const write = (record) =>
  new Promise((resolve) => {
    if (process.stdout.write(`${JSON.stringify(record)}\n`)) resolve();
    else process.stdout.once('drain', resolve);
  });

if (process.argv.includes('--version')) {
  console.log('2.1.0 (Claude Code)');
  process.exit(0);
}
process.stdin.resume();
await new Promise((resolve) => process.stdin.on('end', resolve));

const session = { session_id: '5d1a0000-0000-4000-8000-000000000000' };
await write({ type: 'system', subtype: 'init', model: 'loud', tools: [], ...session });
for (let index = 1; index <= tools; index++) {
  const id = `tool-${index}`;
  const use = { type: 'tool_use', id, name: 'Bash', input: { command: `echo ${index}` } };
  const result = { type: 'tool_result', tool_use_id: id, content: 'done' };
  await write({ type: 'assistant', message: { id, role: 'assistant', content: [use] }, ...session });
  await write({ type: 'user', message: { role: 'user', content: [result] }, ...session });
}
const paragraph = `${'A paragraph of `code` and **words**, 还有中文. '.repeat(4)}\n\n`;
const count = Math.ceil((megabytes * 1_000_000) / Buffer.byteLength(paragraph));
const stream = (event) => write({ type: 'stream_event', event, ...session });
await stream({ type: 'message_start', message: { id: 'm', role: 'assistant', content: [] } });
await stream({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } });
for (let index = 0; index < count; index++)
  await stream({ type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: paragraph } });
await stream({ type: 'content_block_stop', index: 0 });
const text = `${paragraph.repeat(count)}The end of it.`;
const message = { id: 'm', role: 'assistant', content: [{ type: 'text', text }] };
await write({ type: 'assistant', message, ...session });
const usage = { input_tokens: 10, output_tokens: 5 };
await write({
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: text,
  usage,
  total_cost_usd: 0,
  ...session,
});
