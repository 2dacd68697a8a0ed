// W9: playing a cassette: 100 turns in this process, and a whole `huddle run --cassette` over `huddle --version`.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { AgentManager } from '../compiled/agents/AgentManager.js';
import { diffPrompts } from '../compiled/cassette/diffPrompts.js';
import { playCassette } from '../compiled/cassette/playCassette.js';
import { loadTeamFile } from '../compiled/config/loadTeamFile.js';
import { ConversationStarter } from '../compiled/coordinator/ConversationStarter.js';
import { MemoryStore } from '../compiled/store/memory/MemoryStore.js';
import { bareEnvironment, goal, median } from './measure.mjs';

const program = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const ROUNDS = 21;
const TEAM = {
  version: 1,
  limits: { agentTurns: 1000, pairTurns: 1000, sameAnswer: 1000 },
  members: [
    { name: 'kim', type: 'human' },
    ...['max', 'sarah'].map((name) => ({ name, type: 'ai', agentType: 'command', command: ['true'] })),
  ],
};

export async function cassette() {
  console.log(`\nW9 cassettes; wall time, median of ${ROUNDS}\n`);
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  try {
    const file = join(folder, 'huddle.jsonc');
    writeFileSync(file, JSON.stringify(TEAM));
    const { team } = await loadTeamFile(file);
    await playing(team);
    await running(team, folder);
    comparing();
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function playing(team) {
  const events = await record(team, 100);
  const times = [];
  for (let round = 0; round < ROUNDS; round++) {
    const start = performance.now();
    const { differences } = await playCassette({ team, events });
    times.push(performance.now() - start);
    if (differences.length > 0) throw new Error('The cassette differs.');
  }
  goal('W9 100 turns played', median(times), 200, 'ms');
}

async function running(team, folder) {
  const lines = (await record(team, 20)).map((event) => `${JSON.stringify(event)}\n`);
  writeFileSync(join(folder, 'a.jsonl'), lines.join(''));
  const options = { cwd: folder, env: { ...bareEnvironment, HUDDLE_HOME: join(folder, 'home') } };
  const [version, play] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    version.push(timeRun(['--version'], options));
    play.push(timeRun(['run', '--cassette', 'a.jsonl'], options));
  }
  console.log(`       20 turns: ${median(play).toFixed(1)} ms, --version ${median(version).toFixed(1)} ms`);
  goal('W9 huddle run --cassette over --version', median(play) / median(version), 3, 'x');
}

/** Two prompts of the largest size: with one line changed, and with nothing in common. */
function comparing() {
  const lines = (word) => Array.from({ length: 12_000 }, (_, index) => `${word} ${index} `.padEnd(64, '.'));
  const [before, changed, other] = [lines('line'), lines('line'), lines('other')];
  changed[6000] = 'changed';
  for (const [name, now] of Object.entries({ 'one line': changed, everything: other })) {
    const start = performance.now();
    diffPrompts(before.join('\n'), now.join('\n'));
    goal(`W9 two prompts of 768 KB, ${name} changed`, performance.now() - start, 500, 'ms');
  }
}

async function record(team, turns) {
  const wide = { ...team, limits: { ...team.limits, agentTurns: turns } };
  const store = new MemoryStore();
  const runTurn = async function* ({ memberName }) {
    yield { type: 'tool-start', toolId: 'a', name: 'Read', input: 'src/server.ts' };
    yield { type: 'tool-end', toolId: 'a', name: 'Read', ok: true, result: '120 lines' };
    const text = `Something to say. [NEXT: ${memberName === 'max' ? 'sarah' : 'max'}]`;
    yield { type: 'end', outcome: { kind: 'completed', text } };
  };
  const agents = new AgentManager({ workingFolder: '.', createAdapter: () => ({ runTurn }) });
  const conversation = await new ConversationStarter().start({ team: wide, store, agents });
  await conversation.send('Go. [NEXT: max]');
  await conversation.settled();
  const events = [];
  for await (const event of conversation.history()) events.push(event);
  await conversation.close();
  // The limit of the recording is not one of the team: it ends before its pause, with a turn that waits.
  return events.slice(
    0,
    events.findIndex(({ type }) => type === 'conversation-pause'),
  );
}

function timeRun(args, options) {
  const start = performance.now();
  const { status, stderr } = spawnSync(process.execPath, [program, ...args], options);
  if (status !== 0) throw new Error(`huddle ${args.join(' ')} ended with ${status}: ${stderr}`);
  return performance.now() - start;
}
