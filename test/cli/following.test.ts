import { hostname } from 'node:os';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { loadTeamFile } from '../../src/config/loadTeamFile.js';
import { createConversation } from '../../src/createConversation.js';
import { openPostgresStore } from '../../src/store/postgres/PostgresStore.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { describePostgres } from '../postgres/describePostgres.js';
import { createMember, createStore } from './sharedStore.js';

describePostgres('a command that speaks in a conversation which somebody else holds', (server) => {
  /** Bob holds a conversation of the team on kim's machine; agents are simulated. */
  async function setScene(delay = 0) {
    const owner = await createStore(server());
    const kim = await createMember(owner, server(), 'kim');
    await createMember(owner, server(), 'bob');
    const store = await openPostgresStore({ url: server().url('bob') });
    onTestFinished(() => store.close());
    const { team, file: teamFile } = await loadTeamFile(`${kim.project}/huddle.jsonc`);
    const rehearsal = { stateFolder: makeTemporaryFolder(), ...(delay > 0 && { pace: delay }) };
    const held = await createConversation({ team, teamFile, store, rehearsal });
    onTestFinished(() => held.close());
    await held.send('[NEXT: bob] I am bob.');
    return { kim, held };
  }

  test('prints what comes of its message, which is that of its own role', async () => {
    const { kim, held } = await setScene();
    const run = await kim.run(['resume', held.id, '--store', 'work', 'Hello. [NEXT: max]']);
    expect(run).toMatchObject({ code: 0, stdout: 'max here, in rehearsal. I was asked: "Hello.".\n' });
    expect(held.snapshot().messages.map(({ speaker }) => speaker.roleName)).toEqual(['bob', 'kim', 'max']);
    expect(held.presence?.holder).toMatchObject({ role: 'bob', host: hostname(), isHere: true });
  });

  test('says first that the turn which the holder runs is running, and where', async () => {
    const { kim, held } = await setScene(2000);
    const isRunning = new Promise<void>((resolve) => {
      held.subscribe((event) => {
        if (event.type === 'turn-start') resolve();
      });
    });
    await held.send('Go on. [NEXT: max]');
    await isRunning;
    const running = kim.run(['resume', held.id, '--store', 'work', 'Hello. [NEXT: bob]']);
    await new Promise<void>((resolve) => {
      held.subscribe((event) => {
        if (event.type === 'message-added' && event.by === 'kim') resolve();
      });
    });
    await held.cancel();
    const run = await running;
    expect(run.stderr).toContain(`max's turn-1 is running on bob@${hostname()}.`);
    expect(run.stderr).not.toContain('interrupted');
  });

  test('ends soon, with what is in the way, when another role keeps the conversation locked', async () => {
    const { kim, held } = await setScene();
    await held.close();
    const client = new pg.Client({ connectionString: server().url('bob') });
    await client.connect();
    onTestFinished(() => client.end());
    await client.query(
      `BEGIN; SELECT huddle.hold_conversation('${held.id}', huddle.arrive('host', 1, 'v', 15000), false, true, NULL)`,
    );
    const run = await kim.run(['resume', held.id, '--store', 'work', 'hello?']);
    expect(run).toMatchObject({
      code: 74,
      stdout: '',
      stderr: expect.stringMatching(/error\[STORE_OUT_OF_REACH\]: bob has locked .* Nothing was changed\./u),
    });
    await client.query('ROLLBACK');
    expect((await kim.run(['resume', held.id, '--store', 'work', 'hello?'])).code).toBe(0);
  });

  test('ends with the reason when the holder leaves before the answer', async () => {
    const { kim, held } = await setScene(2000);
    const running = kim.run(['resume', held.id, '--store', 'work', 'Hello. [NEXT: max]']);
    await new Promise<void>((resolve) => {
      held.subscribe((event) => {
        if (event.type === 'turn-start') resolve();
      });
    });
    await held.close();
    expect(await running).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('error[TURN_CANCELLED]: max was stopped'),
    });
  });

  test('is refused, with nothing said, if it asks to be somebody else', async () => {
    const { kim, held } = await setScene();
    const run = await kim.run(['resume', held.id, '--take-over', '--store', 'work', 'I am bob now.']);
    expect(run).toMatchObject({ code: 75, stderr: expect.stringContaining('CONVERSATION_LOCKED') });
    expect(held.snapshot().messages).toHaveLength(1);
  });
});
