import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startsProgram } from '../tier.js';
import { createMachine, finished, type Machine, program, teamFile } from './runHuddle.js';

/** Says a text, whatever it is asked. */
const speaking = (text: string): object => ({
  agentType: 'command',
  command: ['/bin/echo', text],
});

async function createPair(ada = 'Ask bob. [NEXT: bob]', bob = 'Done.'): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: speaking(ada), bob: speaking(bob) }));
  await machine.trust();
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
  expect(shown.match(/^#\d \w+:$/gmu)).toEqual(['#1 kim:', '#2 ada:', '#3 kim:', '#4 bob:']);
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

test('asks for each turn once, with the recorded past, whatever it hands off to', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done? [NEXT: ada]', 'Thanks. [NEXT: bob]');
  // Says whether it was shown what ada said at that time, and hands off.
  const recalls = `
    const { appendFileSync, readFileSync } = require('node:fs');
    appendFileSync(process.env.HOME + '/asked', '.');
    console.log(readFileSync(0, 'utf8').includes('Ask bob.') + ' [NEXT: cat]');`;
  const again = { agentType: 'command', command: ['node', '-e', recalls] };
  machine.write('other.jsonc', teamFile({ bob: again, cat: again }));
  const args = ['replay', id, '--against', 'other.jsonc', '--trust', '--each-turn'];

  const { code, stdout, stderr } = await machine.run([...args, '--json']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('Not in the team: ada. Left out: turn-1.\n'),
  });
  const { mode, rows, runs, missingMembers, leftOut } = JSON.parse(stdout);
  expect({ mode, runs, missingMembers, leftOut }).toEqual({
    mode: 'turns',
    runs: [],
    missingMembers: ['ada'],
    leftOut: ['turn-1'],
  });
  expect(rows).toMatchObject([
    { id: 'turn-2', question: 'Ask bob. [NEXT: bob]', after: [{ answer: 'true [NEXT: cat]' }] },
    { id: 'turn-3', question: 'Thanks. [NEXT: bob]', after: [{ answer: 'true [NEXT: cat]' }] },
  ]);
  expect(readFileSync(join(machine.folder, 'asked'), 'utf8')).toBe('..');
  expect(await latest(machine)).toBe(id);
});

test('asks a member of a blind round by itself: it sees no answer of the others', async () => {
  const machine = createMachine();
  const member = (text: string) => ({
    agentType: 'command',
    command: [
      'node',
      '-e',
      `console.log('${text}', /alpha|beta/u.test(require('node:fs').readFileSync(0, 'utf8')))`,
    ],
  });
  machine.write(
    'huddle.jsonc',
    teamFile({ one: member('alpha'), two: member('beta') }, { routing: { fanout: 'blind' } }),
  );
  await machine.trust();
  const id = await hold(machine, 'Which? [NEXT: one, two]');
  const { stdout } = await machine.run(['replay', id, '--each-turn', '--json']);
  const answers = JSON.parse(stdout).rows.map(
    ({ after }: { after: [{ answer: string }] }) => after[0].answer,
  );
  expect(answers).toEqual(['alpha false', 'beta false']);
});

test('the money limit holds over all runs together, and what was done is shown', async () => {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  await machine.trust();
  const env = { HOSTILE: 'fixed' };
  await machine.run(['run', 'Go.'], { env });
  // A turn costs $0.0123.
  const args = ['replay', await latest(machine), '--repeat', '4', '--max-usd', '0.02'];
  const { code, stdout, stderr } = await machine.run(args, { env });
  expect({ code, stderr }).toEqual({
    code: 5,
    stderr: expect.stringMatching(
      /2 of 4 asked\. To ask everything, rerun with a larger --max-usd.*\nSaved as \S+, \S+\. /u,
    ),
  });
  expect(stdout).toMatch(/^min +max +done .*\$0\.01/mu);
});

test('a check is told what was asked and answered, knows no keys, and decides the exit code', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?');
  machine.write(
    'check.mjs',
    `import { readFileSync } from 'node:fs';
     const { question, before, after } = JSON.parse(readFileSync(0, 'utf8'));
     const { OPENAI_API_KEY, HUDDLE_TURN } = process.env;
     console.log([question, before.answer, after.turns.length, OPENAI_API_KEY, HUDDLE_TURN !== undefined].join(' | '));
     console.log('not shown');
     process.exit(question.includes('?') ? 1 : 0);`,
  );
  const env = { OPENAI_API_KEY: 'sk-1' };
  const { code, stdout } = await machine.run(['replay', id, '--check', 'node check.mjs'], { env });
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('\ncheck   failed: Is it done? | Done. | 2 | | true\n'),
  });
  expect(stdout).not.toContain('not shown');
});

test('a check cannot start agents', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?');
  startsProgram();
  const { code, stdout } = await machine.run(['replay', id, '--check', `node ${program} run Again.`]);
  expect({ code, stdout }).toEqual({
    code: 1,
    stdout: expect.stringContaining('check   failed: error[NESTED]'),
  });
});

test('the messages of a file are shown before they are sent, those of an own session are known', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it \u001b[2Jdone?\nAnd what else?');
  const { stdout: log } = await machine.run(['export', id, '--format', 'jsonl']);
  machine.write('given.jsonl', log);
  const { stderr } = await machine.run(['replay', 'given.jsonl']);
  expect(stderr).toContain('Messages of given.jsonl, sent in your name:\n  Is it ␛[2Jdone? And what else?');
  expect(stderr.indexOf('sent in your name')).toBeLessThan(stderr.indexOf('(1/1)'));
  expect((await machine.run(['replay', id])).stderr).not.toContain('sent in your name');
});

test('Ctrl-C stops it; what was done is saved and shown, and no check is left', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?', 'And now?');
  // In the program's own words: what Huddle is about to start has for a moment the words of Huddle itself.
  const waits = `import { writeFileSync } from 'node:fs';\nwriteFileSync('waiting', '');\nsetInterval(() => {}, 1000);`;
  machine.write('wait.mjs', waits);
  const child = machine.start(['replay', id, '--check', 'node wait.mjs'], {});
  child.stdin.end();
  const running = finished(child);
  await expect.poll(() => existsSync(join(machine.project, 'waiting')), { timeout: 20_000 }).toBe(true);
  expect(childrenOf(child.pid)).toContain('wait.mjs');
  child.kill('SIGINT');
  const { code, stdout, stderr } = await running;
  expect({ code, stderr }).toEqual({
    code: 130,
    stderr: expect.stringContaining('Stopped, 1 of 2 asked.\nSaved as '),
  });
  expect(stdout).toMatch(/^now +ada, bob +done/mu);
  expect(stdout).toContain('\ncheck   stopped\n');
  await expect.poll(() => childrenOf(child.pid), { timeout: 5000 }).toBe('');
});

test('members that can edit work in copies; --in-place lets them edit the folder', async () => {
  const machine = createMachine();
  const writes = `require('node:fs').writeFileSync('made.txt', 'made\\n'); console.log('Made. [NEXT: bob]')`;
  const ada = { agentType: 'command', permission: 'edit', command: ['node', '-e', writes] };
  machine.write('huddle.jsonc', teamFile({ ada, bob: speaking('Good.') }));
  machine.write('unrecorded.jsonc', teamFile({ ada, bob: speaking('Good.') }, { files: { record: false } }));
  await machine.trust();
  const id = await hold(machine, 'Make it.');
  const made = join(machine.project, 'made.txt');
  rmSync(made);

  const { code, stderr } = await machine.run(['replay', id]);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(
      'Can edit files: ada. Each works in a copy; this folder stays as it is.\n',
    ),
  });
  expect(existsSync(made)).toBe(false);
  expect((await machine.run(['diff', '--names'])).stdout).toBe('made.txt\n');

  const refused = await machine.run(['replay', id, '--against', 'unrecorded.jsonc', '--trust']);
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('Add --read-only, or --in-place'),
  });
  expect(existsSync(made)).toBe(false);

  const inPlace = await machine.run(['replay', id, '--in-place']);
  expect(inPlace).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Can edit files in this folder: ada.'),
  });
  expect(existsSync(made)).toBe(true);
});

test('without git there are no copies: nothing is edited, and the ways out are named', async () => {
  const machine = createMachine({ hasGit: false });
  const writes = `require('node:fs').writeFileSync('made.txt', ''); console.log('Made.')`;
  const ada = { agentType: 'command', permission: 'edit', command: ['node', '-e', writes] };
  machine.write('huddle.jsonc', teamFile({ ada }));
  await machine.trust();
  const id = await hold(machine, 'Make it.');
  rmSync(join(machine.project, 'made.txt'));
  const { code, stderr } = await machine.run(['replay', id]);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringContaining('Add --read-only, or --in-place'),
  });
  expect(existsSync(join(machine.project, 'made.txt'))).toBe(false);
});

test('a turn limit, a person who is waited for, and people who are gone are told', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?', 'Thanks. [NEXT: bob]');
  machine.write('other.jsonc', {
    version: 1,
    members: [
      { name: 'lee', type: 'human' },
      { name: 'ada', type: 'ai', ...speaking('Ask bob. [NEXT: bob]') },
      { name: 'bob', type: 'ai', ...speaking('Which one? [NEXT: lee]') },
    ],
    limits: { agentTurns: 1 },
  });
  const { code, stdout, stderr } = await machine.run(['replay', id, '--against', 'other.jsonc', '--trust']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining(
      'Not in the team: kim. Their messages are sent as the first person of the team.\n',
    ),
  });
  expect(stdout).toMatch(/^now +ada +limit/mu);
  expect(stdout).toContain('\nnote    Paused: 1 agent turn in a row.\nnote    Skipped: bob.\n');
});

test('the last question may wait for a person', async () => {
  const machine = await createPair('Which one? [NEXT: kim]');
  const { code } = await machine.run(['run', 'Go.']);
  expect(code).toBe(3);
  const { stdout, ...ended } = await machine.run(['replay', await latest(machine)]);
  expect(ended).toMatchObject({ code: 0 });
  expect(stdout).toMatch(/^now +ada +waiting/mu);
  expect(stdout).toContain('\nnote    Waiting for kim to reply.\n');
});

test('a session of another team is refused, unless a team is named', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?');
  machine.write('huddle.jsonc', teamFile({ eve: speaking('Yes.') }));
  await machine.trust();
  const refused = await machine.run(['replay', id]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('error[OTHER_TEAM]') });
  const asked = await machine.run(['replay', id, '--against', 'huddle.jsonc']);
  expect(asked).toMatchObject({
    code: 0,
    stderr: expect.stringContaining('Not in the team: ada, bob. Messages'),
  });
  const turns = await machine.run(['replay', id, '--against', 'huddle.jsonc', '--each-turn']);
  expect(turns).toMatchObject({ code: 2, stderr: expect.stringContaining('error[NOTHING_TO_REPLAY]') });
});

test('a masked recording is sent with its masks, and that is said', async () => {
  const machine = await createPair();
  const id = await hold(machine, 'Is it done?');
  expect(await machine.run(['cassette', id, '--output', 'cassette.jsonl'])).toMatchObject({ code: 0 });
  const { code, stderr } = await machine.run(['replay', 'cassette.jsonl']);
  expect({ code, stderr }).toEqual({
    code: 0,
    stderr: expect.stringContaining('its messages are sent with the masks.\n'),
  });
});

/** The command lines of the processes below one. */
function childrenOf(pid = 0): string {
  const list = execFileSync('/bin/ps', ['-eo', 'ppid,args'], { encoding: 'utf8' });
  return list
    .split('\n')
    .filter((line) => Number(line.trim().split(' ')[0]) === pid && line.includes('wait.mjs'))
    .join('\n');
}
