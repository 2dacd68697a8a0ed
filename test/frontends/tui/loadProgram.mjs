// A conversation that is nothing but load: node loadProgram.mjs '{"megabytes": 10, "tools": 200, "messages": 5000}'
import { setImmediate as nextTick } from 'node:timers/promises';
import { english } from '../../../compiled/catalogue/english.js';
import { INITIAL_STATE } from '../../../compiled/conversation/ConversationState.js';
import { runTerminal } from '../../../compiled/frontends/tui/runTerminal.js';

const { megabytes, tools, messages } = JSON.parse(process.argv[2]);
const listeners = new Set();
const turn = { turnId: 'turn-1', memberId: 'max' };
/** The whole answer, when its last piece was sent. */
let finishStream;
const streamed = new Promise((resolve) => {
  finishStream = resolve;
});

function emit(event) {
  for (const listener of listeners) listener({ v: 1, seq: 1, at: Date.now(), ...event });
}

function say(id, speaker, content, more = {}) {
  const type = speaker === 'max' ? 'ai' : 'human';
  const message = { id, content, speaker: { roleId: speaker, roleName: speaker, type }, timestamp: 0 };
  emit({ type: 'message-added', message, ...more });
}

const work = {
  async stream() {
    const paragraph = `${'A paragraph of `code` and **words**. '.repeat(5)}\n\n`;
    const count = Math.ceil((megabytes * 1_000_000) / paragraph.length);
    emit({ type: 'turn-start', ...turn, triggeredBy: 'msg-1', prompt: {} });
    for (let index = 0; index < count; index++) {
      emit({ type: 'turn-progress', ...turn, event: { type: 'text-delta', text: paragraph } });
      if (index % 50 === 0) await nextTick();
    }
    finishStream(Buffer.from(paragraph.repeat(count)).toString());
  },
  async tools() {
    for (let index = 1; index <= tools; index++) {
      const tool = { toolId: `tool-${index}`, name: 'Bash' };
      emit({
        type: 'turn-activity',
        ...turn,
        event: { type: 'tool-start', ...tool, input: `echo ${index}` },
      });
      emit({
        type: 'turn-activity',
        ...turn,
        event: { type: 'tool-end', ...tool, ok: true, result: 'done' },
      });
      if (index % 10 === 0) await nextTick();
    }
  },
  async settle() {
    const text = await streamed;
    emit({ type: 'turn-end', ...turn, result: { kind: 'completed', messageId: 'msg-2' }, milliseconds: 1 });
    say('msg-2', 'max', text, { turnId: 'turn-1' });
  },
  async messages() {
    for (let index = 1; index <= messages; index++) {
      say(`msg-${index}`, 'kailai', `Message number ${index}.`);
      if (index % 100 === 0) await nextTick();
    }
  },
};

const conversation = {
  id: 'load',
  team: {
    name: 'load',
    members: [
      { id: 'kailai', name: 'kailai', type: 'human' },
      { id: 'max', name: 'max', type: 'ai', agentType: 'claude-code', permission: 'read' },
    ],
    limits: { agentTurns: 20 },
  },
  send: (name) => void work[name](),
  cancel() {},
  pause() {},
  resume() {},
  subscribe(listener) {
    listeners.add(listener);
    return () => listeners.delete(listener);
  },
  snapshot: () => ({
    phase: { kind: 'idle' },
    messages: [],
    teamTask: null,
    state: INITIAL_STATE,
  }),
  settled: async () => ({ kind: 'idle' }),
  close: async () => {},
};

await runTerminal(conversation, { words: english });
console.log(`peak: ${Math.round(process.resourceUsage().maxRSS / 1024)} MB`);
