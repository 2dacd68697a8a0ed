import { expect, test } from 'vitest';
import { ID, machineWithTeam, outputOf } from './storedSessions.js';

type Fields = Readonly<Record<string, unknown>>;

test('a copy never continues the native session of the original, tells you once, and then has a session of its own', async () => {
  const machine = machineWithTeam({ max: { agentType: 'claude', memory: 'session' } });
  /** What one run was about: its events, and the arguments that the agent got, which are its answer. */
  const say = async (...args: readonly string[]) => {
    const format = ['--trust', '--output-format', 'stream-json'];
    const { stdout, stderr } = await machine.run([...args, ...format], { env: { HOSTILE: 'argv' } });
    const events = stdout
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as Fields);
    return { stdout, stderr, isResumed: stdout.includes('--resume'), events };
  };
  const noticesIn = (events: readonly Fields[]) =>
    events
      .filter(({ code }) => String(code).startsWith('session-'))
      .map(({ code, memberId }) => ({ code, memberId }));

  const first = await say('run', 'The password is tulip.');
  const id = ID.exec(first.stderr)?.[0] ?? '';
  machine.write('log.jsonl', await outputOf(machine, 'export', id, '--format', 'jsonl'));
  await outputOf(machine, 'import', 'log.jsonl', '--id', 'copy');

  const inCopy = await say('resume', 'copy', 'And now?');
  expect(inCopy.isResumed).toBe(false);
  expect(noticesIn(inCopy.events)).toEqual([{ code: 'session-not-forked', memberId: 'max' }]);
  expect(await outputOf(machine, 'why', '2', '--session', 'copy', '--prompt')).toContain('tulip');

  const again = await say('resume', 'copy', 'And then?');
  expect({ isResumed: again.isResumed, notices: noticesIn(again.events) }).toEqual({
    isResumed: true,
    notices: [],
  });
  expect((await say('resume', id, 'Still there?')).isResumed).toBe(true);
});
