// W4: a durable append over write + fdatasync of the same bytes, and opening a long conversation over loading all of it.
import { closeSync, fdatasyncSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AgentManager } from '../compiled/agents/AgentManager.js';
import { ContextManager } from '../compiled/context/ContextManager.js';
import { applyToStatus, INITIAL_STATUS } from '../compiled/conversation/ConversationStatus.js';
import { ConversationStarter } from '../compiled/coordinator/ConversationStarter.js';
import { loadConversation } from '../compiled/coordinator/loadConversation.js';
import { createProfile } from '../compiled/coordinator/memberProfile.js';
import { preparePrompt } from '../compiled/coordinator/prepareTurn.js';
import { forkConversation } from '../compiled/store/forkConversation.js';
import { importConversation, readChunks } from '../compiled/store/importConversation.js';
import { SqliteStore } from '../compiled/store/sqlite/SqliteStore.js';
import { formatEventLines } from '../compiled/transcript/exportFormats.js';
import { goal, median, table } from './measure.mjs';
import { agentNamed, teamOf } from './team.mjs';

const MESSAGES = 100_000;
/** As many as a short run has. */
const FRESH = 60;
const ID = 'bench';
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(6);
const max = agentNamed('max');
const team = teamOf([max]);

export async function store() {
  console.log('\nW4 store: wall time, contenders in turns, medians\n');
  const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
  const keeper = new SqliteStore({ file: join(folder, 'conversations.db') });
  try {
    await appends(folder, keeper);
    await resuming(keeper);
    await forking(keeper);
  } finally {
    await keeper.close();
    rmSync(folder, { recursive: true });
  }
}

async function appends(folder, keeper) {
  const floorFile = openSync(join(folder, 'floor'), 'w', 0o600);
  const log = await keeper.create(ID);
  log.append([
    {
      type: 'conversation-start',
      conversationId: ID,
      team: { name: 'squad', members: [] },
      isRehearsal: false,
    },
  ]);
  const rows = [['messages', 'append µs', 'write + fdatasync µs', 'ratio']];
  const costs = [];
  let number = 0;
  // A new file first, from its first append on: the room that its WAL gets is not there yet.
  for (const length of [FRESH, 1000, 10_000, MESSAGES]) {
    const rounds = Math.min(length, 600);
    fill(log, number, length - rounds);
    number = length - rounds;
    const ours = [];
    const floor = [];
    for (let round = 0; round < rounds; round++) {
      const message = createMessage(++number);
      const line = `${JSON.stringify({ type: 'message-added', message, v: 1, seq: number, at: number })}\n`;
      ours.push(milliseconds(() => log.append([{ type: 'message-added', message }])));
      floor.push(
        milliseconds(() => {
          writeSync(floorFile, line);
          fdatasyncSync(floorFile);
        }),
      );
    }
    costs.push({ ours: median(ours), ratio: median(ours) / median(floor) });
    rows.push([
      length,
      (median(ours) * 1000).toFixed(0),
      (median(floor) * 1000).toFixed(0),
      (median(ours) / median(floor)).toFixed(2),
    ]);
  }
  closeSync(floorFile);
  await log.close();
  table(rows);
  console.log();
  goal('W4 durable append over write + fdatasync', median(costs.map(({ ratio }) => ratio)), 1.5, 'x');
  goal(`W4 the first ${FRESH} durable appends over write + fdatasync`, costs[0].ratio, 1.5, 'x');
  goal('W4 append at 100,000 messages over append at 1,000', costs[3].ratio / costs[1].ratio, 1.2, 'x');
}

/** Forks the whole conversation, which has to read it, over importing its export, which has to check it. */
async function forking(keeper) {
  const log = join(tmpdir(), `huddle-bench-${process.pid}.jsonl`);
  const exported = openSync(log, 'w', 0o600);
  for await (const line of formatEventLines((await keeper.read(ID)).read())) writeSync(exported, line);
  closeSync(exported);
  const times = { imported: [], forked: [] };
  const work = {
    imported: () => importConversation(keeper, readChunks(log), { as: 'copy' }),
    forked: () => forkConversation(keeper, ID, { as: 'copy' }),
  };
  for (let round = 0; round < 5; round++)
    for (const name of ['imported', 'forked']) {
      times[name].push(await spent(work[name]));
      await keeper.delete('copy');
    }
  rmSync(log);
  const [imported, forked] = [median(times.imported), median(times.forked)];
  console.log(`import of ${MESSAGES} events: ${imported.toFixed(0)} ms; fork: ${forked.toFixed(0)} ms\n`);
  goal('W4 fork of 100,000 events over its import', forked / imported, 1.3, 'x');
}

async function resuming(keeper) {
  const agents = new AgentManager({ workingFolder: tmpdir() });
  const opened = () => new ConversationStarter().resume({ id: ID, team, store: keeper, agents });
  // The first opening reads everything and leaves a checkpoint behind, as closing a conversation does.
  await (await opened()).close();
  const whole = [];
  const tail = [];
  const complete = [];
  for (let round = 0; round < 5; round++) {
    whole.push(await spent(async () => firstPrompt(await loadWhole(await keeper.read(ID)))));
    for (let call = 0; call < 5; call++) {
      tail.push(await spent(async () => firstPrompt(await loadConversation(await keeper.read(ID), team))));
      let conversation;
      complete.push(
        await spent(async () => {
          conversation = await opened();
        }),
      );
      await conversation.close();
    }
  }
  console.log(`\nloading all of ${MESSAGES} messages to the first prompt: ${median(whole).toFixed(0)} ms`);
  console.log(`opening by the tail to the first prompt: ${median(tail).toFixed(2)} ms`);
  console.log(`opening for writing, with lease: ${median(complete).toFixed(2)} ms\n`);
  goal(
    'W4 first prompt of a resumed conversation over loading it all',
    median(tail) / median(whole),
    0.01,
    'x',
  );
}

async function loadWhole(reader) {
  let standing = INITIAL_STATUS;
  const messages = [];
  for await (const event of reader.read()) {
    standing = applyToStatus(standing, event);
    if (event.type === 'message-added') messages.push(event.message);
  }
  return { ...standing, messages };
}

function firstPrompt({ messages, teamTask }) {
  const context = new ContextManager({ logger: {} });
  context.importSnapshot({ messages, teamTask, timestamp: 0, version: 1 });
  const turn = { turnId: 'turn-1', memberId: 'max', triggeredBy: context.getLatestMessage().id };
  return preparePrompt(context, { profile: createProfile(team, max), turn });
}

function fill(log, from, to) {
  for (let first = from; first < to; first += 5000) {
    const count = Math.min(5000, to - first);
    log.append(
      Array.from({ length: count }, (_, index) => ({
        type: 'message-added',
        message: createMessage(first + index + 1),
      })),
    );
  }
}

function createMessage(number) {
  const isHuman = number % 2 === 1;
  return {
    id: `msg-${number}`,
    content: `${number} ${TEXT}`,
    speaker: {
      roleId: isHuman ? 'kailai' : 'max',
      roleName: isHuman ? 'kailai' : 'max',
      type: isHuman ? 'human' : 'ai',
    },
    timestamp: number,
  };
}

async function spent(work) {
  const began = performance.now();
  await work();
  return performance.now() - began;
}

function milliseconds(work) {
  const began = performance.now();
  work();
  return performance.now() - began;
}
