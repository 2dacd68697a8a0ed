import { describe, expect, test } from 'vitest';
import type { ConversationFact } from '../../src/models/ConversationEvent.js';
import { loadSqlite } from '../../src/store/sqlite/loadSqlite.js';
import { message } from '../store/facts.js';
import { createFileSession } from './fileSession.js';
import { hasTerminal, openTerminal } from './pty.js';
import type { Machine } from './runHuddle.js';
import {
  answering,
  databaseOf,
  holdElsewhere,
  ID,
  keepOne,
  machineWithTeam,
  outputOf,
} from './storedSessions.js';

/** The id of the fork, as it is printed. */
function forkIn(stdout: string): string {
  return /^Forked: (\S+)\n$/u.exec(stdout)?.[1] ?? '';
}

/** A session of four messages: kim, max, sarah, kim again and max. */
async function keepTwo(machine: Machine): Promise<string> {
  const id = await keepOne(machine);
  await machine.run(['resume', id, 'And now? [NEXT: max]', '--trust'], { env: answering });
  return id;
}

async function eventsOf(machine: Machine, id: string): Promise<ConversationFact[]> {
  const lines = await outputOf(machine, 'export', id, '--format', 'jsonl');
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as ConversationFact);
}

describe('huddle fork', () => {
  test('copies the latest session up to its last message, and says how to continue', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const before = await eventsOf(machine, id);
    const { code, stdout, stderr } = await machine.run(['fork']);
    const fork = forkIn(stdout);
    expect(code).toBe(0);
    expect(fork).toMatch(ID);
    expect(stderr).toBe(`Copied ${id} up to msg-5.\nTo continue: huddle resume ${fork} "message"\n`);
    const copied = await eventsOf(machine, fork);
    expect(copied.slice(1, before.length)).toEqual(before.slice(1));
    expect(copied.at(-1)).toMatchObject({
      type: 'conversation-forked',
      from: id,
      upTo: before.length,
      messageId: 'msg-5',
    });
    expect(await eventsOf(machine, id)).toEqual(before);
    const resumed = await machine.run(['resume', fork, 'In the fork. [NEXT: max]', '--trust'], {
      env: answering,
    });
    expect(resumed.code).toBe(0);
    expect(await eventsOf(machine, id)).toEqual(before);
    expect(await outputOf(machine, 'show', fork)).toContain('In the fork.');
  });

  test('cuts at a message or before one, and drops what waited there unless told not to', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const at = await machine.run(['fork', id, '--at', '2', '--id', 'two']);
    expect(at.stdout).toBe('Forked: two\n');
    expect(at.stderr).toContain(
      `Copied ${id} up to msg-2.\nDropped from the queue: sarah. To keep it: --keep-queue\n`,
    );
    expect(await outputOf(machine, 'export', 'two')).not.toContain('sarah: Done.');
    expect(await outputOf(machine, 'export', 'two')).not.toContain('And now?');
    const before = await machine.run(['fork', id, '--before', 'msg-3', '--keep-queue', '--id', 'kept']);
    expect(before.stderr).toContain('To retry unfinished turns: huddle resume kept --retry');
    expect(before.stderr).not.toContain('Dropped');
    const resumed = await machine.run(['resume', 'kept', '--retry', '--trust'], { env: answering });
    expect(resumed.stderr).toContain('sarah');
    const first = await machine.run(['fork', id, '--before', '1', '--id', 'none']);
    expect(first.stderr).toContain(`Copied the team of ${id}, without messages.`);
  });

  test('works while the session is open elsewhere', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    holdElsewhere(machine);
    expect((await machine.run(['fork', id])).code).toBe(0);
  });

  test('is shown by sessions, show, exports and cost', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    await outputOf(machine, 'fork', id, '--at', '2', '--id', 'wiki-2');
    expect(await outputOf(machine, 'sessions')).toMatch(new RegExp(`forked from.*\\n.*wiki-2 .*${id}`, 'u'));
    const [first, second] = JSON.parse(await outputOf(machine, 'sessions', '--json'));
    expect([first.forkedFrom, second.forkedFrom]).toEqual([id, undefined]);
    const said = `Forked from ${id} after msg-2.`;
    expect((await machine.run(['show', 'wiki-2'])).stderr).toContain(said);
    expect(await outputOf(machine, 'export', 'wiki-2')).toContain(`*${said}*`);
    expect(await outputOf(machine, 'export', 'wiki-2', '--format', 'html')).toContain(said);
    await machine.run(['resume', 'wiki-2', 'And here? [NEXT: max]', '--trust'], { env: answering });
    const cost = JSON.parse(await outputOf(machine, 'cost', 'wiki-2', '--json'));
    expect(cost).toMatchObject({
      forkedFrom: id,
      inherited: { turns: 1 },
      here: { turns: 1 },
      total: { turns: 2 },
    });
    expect(cost.turns).toMatchObject([{ turnId: 'turn-1', isInherited: true }, { turnId: 'turn-3' }]);
    const table = await outputOf(machine, 'cost', 'wiki-2');
    expect(table).toMatch(/\(inherited\) +1 .*\n\(spent here\) +1 .*\ntotal +2 /u);
    expect(await outputOf(machine, 'cost', id)).not.toContain('inherited');
  });

  test.each([
    [['--at', '9'], 2, 'No message "9" in this conversation. The nearest is msg-5.'],
    [['--at', 'mgs-2'], 2, 'The nearest is msg-2.'],
    [['--before', '0'], 2, 'The nearest is msg-1.'],
    [['--at', '1', '--before', '2'], 2, '--at'],
    [['--id', 'a b'], 2, '"a b" cannot be an id'],
  ])('%j is refused with %i', async (args, code, said) => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const refused = await machine.run(['fork', id, ...args]);
    expect(refused).toMatchObject({ code, stdout: '' });
    expect(refused.stderr).toContain(said);
    expect(JSON.parse(await outputOf(machine, 'sessions', '--json'))).toHaveLength(1);
  });

  test('an id that is taken is refused, and a session without messages', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    const taken = await machine.run(['fork', id, '--id', id]);
    expect(taken.code).toBe(2);
    expect(taken.stderr).toContain(`"${id}" already exists. Choose another one with --id.`);
    await outputOf(machine, 'fork', id, '--before', '1', '--id', 'empty');
    const empty = await machine.run(['fork', 'empty']);
    expect(empty.code).toBe(2);
    expect(empty.stderr).toContain('Session empty has no messages to fork at.');
    expect((await machine.run(['fork', 'unknown'])).code).toBe(2);
  });

  test('a damaged log is not forked, and nothing is left behind', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const database = new (loadSqlite().DatabaseSync)(databaseOf(machine));
    database.exec("UPDATE event SET body = replace(body, 'Done.', 'Gone.') WHERE place % 4294967296 = 9");
    database.close();
    const { code, stderr } = await machine.run(['fork', id]);
    expect(code).toBe(65);
    expect(stderr).toContain('is damaged');
    expect(stderr).toContain('huddle export');
    expect(JSON.parse(await outputOf(machine, 'sessions', '--json'))).toHaveLength(1);
  });
});

describe('files that turns changed', () => {
  /** ada writes two, kim asks on, ada writes three. */
  async function sessionOfTwo() {
    const session = await createFileSession({ 'a.txt': 'one\n' });
    await session.turn('ada', () => session.write({ 'a.txt': 'two\n' }));
    await session.append(message(2, 'On.', 'kim'));
    await session.turn('ada', () => session.write({ 'a.txt': 'three\n' }));
    return session;
  }

  test('after the cut stay, and the command that undoes them is named', async () => {
    const { machine, id, read } = await sessionOfTwo();
    const { stderr } = await machine.run(['fork', id, '--at', '2']);
    expect(stderr).toContain(
      `Files stay as they are. To undo what was changed since: huddle undo 2.. --session ${id}`,
    );
    expect(read('a.txt')).toBe('three\n');
    expect((await machine.run(['fork', id, '--at', '1'])).stderr).toContain('huddle undo 1.. --session');
    await outputOf(machine, 'undo', '2..', '--session', id, '--yes');
    expect(read('a.txt')).toBe('two\n');
    expect((await machine.run(['fork', id, '--at', '2'])).stderr).not.toContain('huddle undo');
  });

  test.each(['original', 'fork'])(
    'before it can be undone in the other when the %s is deleted',
    async (gone) => {
      const { machine, id, read } = await sessionOfTwo();
      await outputOf(machine, 'fork', id, '--at', '2', '--id', 'copy');
      await outputOf(machine, 'undo', '2', '--session', id, '--yes');
      await outputOf(machine, 'delete', gone === 'fork' ? 'copy' : id, '--yes');
      await outputOf(machine, 'undo', '1', '--session', gone === 'fork' ? id : 'copy', '--yes');
      expect(read('a.txt')).toBe('one\n');
    },
  );
});

describe('huddle rewind', () => {
  test('forks at a message, and without a terminal says how to continue', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const { code, stdout, stderr } = await machine.run(['rewind', id, '--to', '2']);
    expect(code).toBe(0);
    expect(stderr).toContain(`Copied ${id} up to msg-2.`);
    expect(stderr).toContain(`To continue: huddle resume ${forkIn(stdout)} "message"`);
    expect((await eventsOf(machine, forkIn(stdout))).some(({ type }) => type === 'conversation-forked')).toBe(
      true,
    );
  });

  test('without a message lists the latest', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    const { code, stderr } = await machine.run(['rewind', id]);
    expect(code).toBe(2);
    expect(stderr).toContain('Name the message to go back to:\n');
    expect(stderr).toContain(`For instance: huddle rewind ${id} --to msg-5.`);
    expect(stderr).toMatch(/msg-4 +kim: And now\?/u);
  });

  test.skipIf(!hasTerminal)('opens the fork in a terminal', async () => {
    const machine = machineWithTeam();
    const id = await keepTwo(machine);
    await machine.trust();
    const terminal = openTerminal(machine, { args: ['rewind', id, '--to', '2', '--plain'] });
    await terminal.until(`Copied ${id} up to msg-2.`);
    await terminal.until('Your turn.');
    terminal.type('/quit\n');
    expect(await terminal.ended).toBe(0);
    expect(terminal.shown()).not.toContain('And now?');
    const [latest] = JSON.parse(await outputOf(machine, 'sessions', '--json'));
    expect(latest.forkedFrom).toBe(id);
  });
});
