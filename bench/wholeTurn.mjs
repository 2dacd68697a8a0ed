// W5: a turn as a user pays it: prompt, store, process, answer, clean-up; over spawning the same program directly.
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createConversation } from '../compiled/createConversation.js';
import { SqliteStore } from '../compiled/store/sqlite/SqliteStore.js';
import { bareEnvironment, goal, median } from './measure.mjs';
import { agentNamed, teamOf } from './team.mjs';
import { programs, runDirectly, timed } from './turn.mjs';

const ROUNDS = 61;
const MESSAGES = 1000;
const FILES = 1000;
const TEXT = 'The quick brown fox jumps over the lazy dog. '.repeat(7).slice(0, 300);
const LIMITS = { 'Node agent': 1.1, 'sh agent': 2 };

export async function wholeTurn() {
  for (const name of Object.keys(process.env)) if (!(name in bareEnvironment)) delete process.env[name];
  console.log(
    `\nW5 a turn until the conversation has settled, over spawn + read + exit: SQLite, ${MESSAGES} messages of ${TEXT.length} B in the window, median of ${ROUNDS}\n`,
  );
  for (const [name, { command }] of Object.entries(programs)) {
    const folder = mkdtempSync(join(tmpdir(), 'huddle-bench-'));
    const store = new SqliteStore({ file: join(folder, 'conversations.db') });
    try {
      await measure(name, command, store, folder);
    } finally {
      await store.close();
      rmSync(folder, { recursive: true });
    }
  }
  await blindRound();
}

/** Eight agents that each wait for a second, as for a network. */
async function blindRound() {
  const names = Array.from({ length: 8 }, (_, index) => `agent${index}`);
  const agents = names.map((name) =>
    agentNamed(name, { agentType: 'command', command: ['sh', '-c', 'cat >/dev/null; sleep 1; echo done'] }),
  );
  const limits = { ...teamOf([]).limits, sameAnswer: 1e6 };
  const team = { ...teamOf(agents), limits, routing: { fallback: 'human', fanout: 'blind' } };
  const conversation = await createConversation({ team, workingFolder: tmpdir() });
  const milliseconds = await timed(async () => {
    await conversation.send('[NEXT: all] Which?');
    await conversation.settled();
  });
  await conversation.close();
  goal('W5 blind round of eight agents that take a second', milliseconds / 1000, 1.5, ' s');
}

/** A repository with files of which nothing changes. */
function makeRepository(folder) {
  for (let number = 0; number < FILES; number++) {
    const path = join(folder, `src/${number % 40}`);
    mkdirSync(path, { recursive: true });
    writeFileSync(join(path, `${number}.ts`), `${TEXT}${number}\n`);
  }
  const user = ['-c', 'user.name=bench', '-c', 'user.email=bench@example.org'];
  for (const args of [
    ['init', '-q'],
    ['add', '-A'],
    [...user, 'commit', '-qm', 'files'],
  ])
    execFileSync('git', args, { cwd: folder });
  return folder;
}

async function measure(name, command, store, folder) {
  const max = agentNamed('max', { agentType: 'command', command, window: MESSAGES });
  const team = { ...teamOf([max]), limits: { ...teamOf([]).limits, sameAnswer: 1e6 } };
  const workingFolder = makeRepository(join(folder, 'repository'));
  const open = async (dataFolder) => {
    const conversation = await createConversation({ team, store, workingFolder, dataFolder });
    for (let number = 0; number < MESSAGES; number++) await conversation.send(`[NEXT: kailai] ${TEXT}`);
    return conversation;
  };
  const [conversation, recorded] = [await open(), await open(join(folder, 'data'))];
  const ours = [];
  const withRecords = [];
  const direct = [];
  const ask = async (asked) => {
    await asked.send(`[NEXT: max] ${TEXT}`);
    const { kind } = await asked.settled();
    if (kind === 'paused') throw new Error('The turn did not complete.');
  };
  await ask(conversation);
  await ask(recorded);
  const prompt = `${TEXT}\n`.repeat(MESSAGES);
  for (let round = 0; round < ROUNDS; round++) {
    const runs = [
      async () => direct.push(await timed(() => runDirectly(command, prompt))),
      async () => ours.push(await timed(() => ask(conversation))),
      async () => withRecords.push(await timed(() => ask(recorded))),
    ];
    for (const run of round % 2 === 0 ? runs : runs.reverse()) await run();
  }
  await conversation.close();
  await recorded.close();
  console.log(
    `       ${name}: ${median(ours).toFixed(2)} ms, with records of ${FILES} files ${median(withRecords).toFixed(2)} ms (${(median(withRecords) / median(ours)).toFixed(1)}x), directly ${median(direct).toFixed(2)} ms`,
  );
  goal(`W5 whole turn, ${name}`, median(ours) / median(direct), LIMITS[name], 'x');
}
