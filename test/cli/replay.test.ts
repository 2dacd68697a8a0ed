import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

/** Says a text, whatever it is asked. */
const speaking = (text: string): object => ({
  agentType: 'command',
  command: ['node', '-e', `console.log(${JSON.stringify(text)})`],
});

async function createPair(ada = 'Ask bob. [NEXT: bob]', bob = 'Done.'): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: speaking(ada), bob: speaking(bob) }));
  await machine.run(['trust', '--yes']);
  return machine;
}

/** Holds a session, and gives its id. */
async function hold(machine: Machine, ...messages: readonly string[]): Promise<string> {
  for (const [index, message] of messages.entries()) {
    const { code } = await machine.run(['run', message, ...(index === 0 ? [] : ['-c'])]);
    expect(code).toBe(0);
  }
  return latest(machine);
}

async function latest(machine: Machine): Promise<string> {
  const { stdout } = await machine.run(['sessions', '--json']);
  return JSON.parse(stdout)[0].id;
}

test("says people's messages again to a changed team, saved as a replay, and shows before and now", async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?', 'And the tests? [NEXT: bob]');
  machine.write(
    'other.jsonc',
    teamFile({ ada: speaking('It is all done, thank you.'), bob: speaking('Yes.') }),
  );

  const { code, stdout, stderr } = await machine.run(['replay', id, '--against', 'other.jsonc', '--trust']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(`Replay of ${id}: 2 messages, 3 turns`),
  });
  expect(stdout).toContain('msg-1  Is it done?\n');
  expect(stdout).toMatch(/^before +ada, bob +done +3 /mu);
  expect(stdout).toMatch(/^now +ada +done +6 /mu);
  expect(stdout).toMatch(/^before +bob +done +1 /mu);
  expect(stdout).toContain('total\n');

  const replayed = await latest(machine);
  expect(replayed).not.toBe(id);
  expect((await machine.run(['sessions'])).stdout).toContain(`replay of ${id.slice(-4)}: Is it done?`);
  expect((await machine.run(['show', replayed])).stderr).toContain(`Replay of ${id}.`);
  const { stdout: shown } = await machine.run(['show', replayed]);
  expect(shown.match(/^\w+:$/gmu)).toEqual(['kim:', 'ada:', 'kim:', 'bob:']);
});

test('replays an exported file, and prints everything as JSON', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?');
  await machine.run(['export', id, '--format', 'jsonl', '--output', 'talk.jsonl']);
  await machine.run(['delete', id, '--yes']);

  const { code, stdout } = await machine.run(['replay', 'talk.jsonl', '--repeat', '2', '--json']);
  expect(code).toBe(0);
  const { replayOf, rows, runs, stop } = JSON.parse(stdout);
  expect({ replayOf, stop, runs: runs.length }).toEqual({ replayOf: id, stop: null, runs: 2 });
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    id: 'msg-1',
    question: 'Is it done?',
    before: { result: 'done', answer: 'Done.', words: 3 },
    after: [{ result: 'done', answer: 'Done.' }, { result: 'done' }],
  });
  expect(rows[0].after[0].turns).toMatchObject([
    { member: 'ada', result: 'completed', answer: 'Ask bob. [NEXT: bob]', handoff: ['bob'] },
    { member: 'bob', result: 'completed', answer: 'Done.', handoff: [] },
  ]);
  expect(readFileSync(join(machine.project, 'talk.jsonl'), 'utf8')).toContain(id);
});
