import { describe, expect, test } from 'vitest';
import { checksumOf } from '../../src/store/sqlite/ConversationTable.js';
import { loadSqlite } from '../../src/store/sqlite/loadSqlite.js';
import { type Machine, teamFile } from './runHuddle.js';
import { answering, databaseOf, keepOne, machineWithTeam } from './storedSessions.js';

/** Of each conversation; see the schema of the store. */
const PLACES = 2 ** 32;
const COMMANDS: ReadonlyArray<readonly string[]> = [
  ['show'],
  ['sessions'],
  ['cost'],
  ['cost', '--json'],
  ['why', '1'],
  ['export', '--format', 'md'],
  ['export', '--format', 'html'],
  ['export', '--format', 'jsonl'],
  ['resume'],
  ['run', '-c', 'More. [NEXT: max]', '--trust'],
];

type Fields = Record<string, unknown>;

/** Puts nonsense into a stored log as if Huddle had written it: with the right checksums. */
function rewrite(machine: Machine, id: string, change: (event: Fields) => unknown): void {
  const database = new (loadSqlite().DatabaseSync)(databaseOf(machine));
  for (const { place, body } of database.prepare('SELECT place, body FROM event').all()) {
    const changed = JSON.stringify(change(JSON.parse(String(body))));
    const checksum = checksumOf(changed, id, Number(place) % PLACES);
    database
      .prepare('UPDATE event SET body = ?, checksum = ? WHERE place = ?')
      .run(changed, checksum, Number(place));
  }
  database.close();
}

/** From now on nothing is known of a session but its log. */
function forgetCheckpoints(machine: Machine): void {
  const database = new (loadSqlite().DatabaseSync)(databaseOf(machine));
  database.exec('DELETE FROM checkpoint');
  database.close();
}

/** A session that was paused at a limit. */
async function stagePaused(): Promise<{ machine: Machine; id: string }> {
  const machine = machineWithTeam();
  const agents = { max: { agentType: 'claude' }, sarah: { agentType: 'claude' } };
  machine.write('huddle.jsonc', teamFile(agents, { limits: { tokens: 1 } }));
  return { machine, id: await keepOne(machine) };
}

/** All numbers of an event but its place in the log. */
function replaceNumbers(value: unknown, nonsense: unknown): unknown {
  if (typeof value === 'number') return nonsense;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((item) => replaceNumbers(item, nonsense));
  const entries = Object.entries(value).map(([key, field]) => [
    key,
    key === 'seq' || key === 'v' ? field : replaceNumbers(field, nonsense),
  ]);
  return Object.fromEntries(entries);
}

describe('a stored session whose numbers are all', () => {
  test.each([null, 'many', 1e308])('%j can be used: nothing fails but with a sentence', async (nonsense) => {
    const { machine, id } = await stagePaused();
    rewrite(machine, id, (event) => replaceNumbers(event, nonsense));
    forgetCheckpoints(machine);
    for (const command of COMMANDS) {
      const { code, stderr } = await machine.run(command, { env: answering });
      expect({ command, code, stderr }).not.toMatchObject({
        stderr: expect.stringContaining('UNEXPECTED'),
      });
    }
  });
});

describe('a stored session in which a number is missing that an older version lost', () => {
  test('is shown, continued and exported', async () => {
    const { machine, id } = await stagePaused();
    rewrite(machine, id, (event) => {
      if (event.type === 'conversation-pause')
        return { ...event, reason: { ...(event.reason as Fields), count: null } };
      return event.type === 'turn-end'
        ? { ...event, usage: { ...(event.usage as Fields), inputTokens: null } }
        : event;
    });
    forgetCheckpoints(machine);
    for (const command of COMMANDS.slice(0, -1)) {
      const { code, stderr } = await machine.run(command, { env: answering });
      expect({ command, code, stderr }).toMatchObject({ code: 0 });
    }
  });
});

describe('a stored session that is no log', () => {
  test.each<readonly [string, (event: Fields) => unknown]>([
    ['messages', (event) => (event.type === 'message-added' ? { ...event, message: null } : event)],
    ['members', (event) => (event.type === 'conversation-start' ? { ...event, team: { name: 7 } } : event)],
    ['events', (event) => (event.seq === 2 ? { seq: 2, v: 1 } : event)],
  ])('ends with a sentence that names the first event that is wrong: %s', async (_, change) => {
    const { machine, id } = await stagePaused();
    rewrite(machine, id, change);
    const outcomes = await Promise.all(
      COMMANDS.map(async (command) => ({ command, ...(await machine.run(command, { env: answering })) })),
    );
    for (const { command, code, stderr } of outcomes) {
      expect({ command, stderr }).not.toMatchObject({ stderr: expect.stringContaining('UNEXPECTED') });
      if (code === 65) expect(stderr).toMatch(/error\[STORE_DAMAGED\]: .*event \d+ /u);
    }
    expect(outcomes.map(({ code }) => code)).toContain(65);
  });
});
