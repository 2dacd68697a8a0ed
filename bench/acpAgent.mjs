// A stand-in for an agent that speaks ACP: answers a prompt as its first argument says.
import { once } from 'node:events';
import { createInterface } from 'node:readline';

const [, , what = 'deltas', count = '20000', size = '5'] = process.argv;
const sessionId = 'stand-in';
const text = 'abcd '.repeat(Math.ceil(Number(size) / 5)).slice(0, Number(size));

let stop = () => undefined;
const answers = {
  initialize: async () => ({ protocolVersion: 1, agentCapabilities: {} }),
  'session/new': async () => ({ sessionId }),
  'session/prompt': prompt,
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'session/cancel') stop();
  if (id === undefined || answers[method] === undefined) continue;
  answers[method]().then((result) => send({ id, result }));
}

async function prompt() {
  if (what === 'stamps') await stamps();
  else if (what === 'waits') {
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
    await new Promise((resolve) => {
      stop = resolve;
    });
    return { stopReason: 'cancelled' };
  } else {
    for (let number = 0; number < Number(count); number++) {
      update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text } });
      if (what === 'busy') work(`${number}`);
      if (process.stdout.writableNeedDrain) await once(process.stdout, 'drain');
    }
  }
  return { stopReason: 'end_turn' };
}

/** Deltas that say when they were written, each after the one before has had time to arrive. */
async function stamps() {
  for (let number = 0; number < Number(count); number++) {
    await new Promise((resolve) => setTimeout(resolve, 10));
    const now = String(process.hrtime.bigint());
    update({ sessionUpdate: 'agent_message_chunk', content: { type: 'text', text: `<${now}>` } });
  }
}

/** A thought, and a tool with twice as much output. */
function work(toolCallId) {
  const thought = { type: 'text', text: text.repeat(200) };
  const output = { type: 'content', content: { type: 'text', text: text.repeat(400) } };
  update({ sessionUpdate: 'agent_thought_chunk', content: thought });
  update({ sessionUpdate: 'tool_call', toolCallId, title: 'Read a.ts', kind: 'read', status: 'in_progress' });
  update({ sessionUpdate: 'tool_call_update', toolCallId, status: 'completed', content: [output] });
}

function update(content) {
  send({ method: 'session/update', params: { sessionId, update: content } });
}

function send(message) {
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
}
