// W7: what may not grow with a conversation: a turn without a person, opening it, its costs, its page.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentManager } from '../compiled/agents/AgentManager.js';
import { listUsage, summarizeUsage } from '../compiled/conversation/usage.js';
import { ConversationStarter } from '../compiled/coordinator/ConversationStarter.js';
import { explainTurns } from '../compiled/coordinator/explainTurn.js';
import { loadConversation, loadStatus } from '../compiled/coordinator/loadConversation.js';
import { SqliteStore } from '../compiled/store/sqlite/SqliteStore.js';
import { formatHtml } from '../compiled/transcript/html.js';
import { formatMarkdown } from '../compiled/transcript/markdown.js';
import { createTranscript } from '../compiled/transcript/Transcript.js';
import { goal, growthExponent, table } from './measure.mjs';
import { agentNamed, teamOf } from './team.mjs';

const SIZES = [2000, 4000, 8000, 16_000];
const GROWTH = 1.15;
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(45);
const usage = { inputTokens: 1000, cachedInputTokens: 0, outputTokens: 100, usd: 0.01 };
const team = {
  ...teamOf([agentNamed('max'), agentNamed('sarah', { memory: 'session', visibility: 'addressed' })]),
  limits: { ...teamOf([]).limits, agentTurns: 1e6, pairTurns: 1e6, sameAnswer: 1e6 },
};

export async function growth() {
  console.log('\nW7 growth: CPU time; turns of 2 KB in which no person speaks, SQLite\n');
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  const store = new SqliteStore({ file: join(folder, 'conversations.db') });
  try {
    const costs = { turns: [], open: [], cost: [], html: [], markdown: [] };
    for (const size of SIZES) {
      const id = `bench-${size}`;
      const note = async (name, work) => costs[name].push([size, await cpuMilliseconds(work)]);
      await note('turns', () => talk(store, id, size));
      await note('open', async () => loadConversation(await store.read(id), team));
      await note('cost', async () => {
        const reader = await store.read(id);
        await loadStatus(reader);
        return summarizeUsage(await listUsage(reader.read()));
      });
      await note('html', () => exportHtml(store, id));
      await note('markdown', async () =>
        formatMarkdown(await createTranscript((await store.read(id)).read())),
      );
    }
    report(costs);
  } finally {
    await store.close();
    rmSync(folder, { recursive: true });
  }
}

function report({ turns, open, cost, html, markdown }) {
  const rows = SIZES.map((size, index) => [
    size,
    ((turns[index][1] * 1000) / size).toFixed(0),
    ...[open, cost, html, markdown].map((costs) => costs[index][1].toFixed(0)),
  ]);
  table([['turns', 'µs/turn', 'open ms', 'cost ms', 'html ms', 'md ms'], ...rows]);
  console.log();
  goal('W7 growth of the turns, nobody speaking', growthExponent(turns), GROWTH);
  goal('W7 growth of opening', growthExponent(open), GROWTH);
  goal('W7 growth of the costs', growthExponent(cost), GROWTH);
  goal('W7 growth of the page', growthExponent(html), GROWTH);
  goal('W7 opening 16,000 turns', open.at(-1)[1], 100, ' ms');
  goal('W7 page of 16,000 turns over Markdown', html.at(-1)[1] / markdown.at(-1)[1], 4, 'x');
}

/** Two agents that hand over to each other until the number of turns is reached. */
async function talk(store, id, turns) {
  let left = turns;
  const agents = new AgentManager({
    workingFolder: tmpdir(),
    createAdapter: () => ({
      async *runTurn({ memberName: name }) {
        const next = --left === 0 ? 'kailai' : name === 'max' ? 'sarah' : 'max';
        const text = `${left} ${TEXT}\n[NEXT: ${next}]`;
        yield { type: 'session', sessionId: `session-of-${name}` };
        yield { type: 'end', outcome: { kind: 'completed', text }, usage };
      },
    }),
  });
  const conversation = await new ConversationStarter().start({ team, store, agents, createId: () => id });
  await conversation.send('[NEXT: max] Go.');
  await conversation.settled();
  await conversation.close();
  if (left > 0) throw new Error(`${left} of ${turns} turns did not run`);
}

async function exportHtml(store, id) {
  const reader = await store.read(id);
  const plans = new Map();
  for await (const { turnId, plan, sent, isExact } of explainTurns(reader.read()))
    plans.set(turnId, { plan, sent, isExact });
  return formatHtml(await createTranscript(reader.read()), { plans });
}

async function cpuMilliseconds(work) {
  globalThis.gc?.();
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
