import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { finished, saying, scrub } from './runHuddle.js';
import { answering, holdElsewhere, ID, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('a run', () => {
  test('is kept, says under which id, and can be listed, shown and gone on with', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    expect(id).toMatch(ID);
    const listed = await outputOf(machine, 'sessions');
    await expect(scrub(listed, machine)).toMatchFileSnapshot('golden/sessions.txt');
    expect(await outputOf(machine, 'show')).toBe(
      'kim:\nGo. [NEXT: max, sarah]\n\nmax:\nDone.\n\nsarah:\nDone.\n',
    );
    const { code, stdout, stderr } = await machine.run(['resume', id, 'More. [NEXT: max]', '--trust'], {
      env: answering,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nMore. [NEXT: max]\n\nmax:\nDone.\n' });
    await expect(scrub(stderr, machine)).toMatchFileSnapshot('golden/resume-stderr.txt');
    const [summary] = JSON.parse(await outputOf(machine, 'sessions', '--json'));
    expect(summary).toMatchObject({
      id,
      messages: 5,
      turns: 3,
      state: 'done',
      folder: machine.project,
      members: [{ name: 'kim' }, { name: 'max' }, { name: 'sarah' }],
    });
  });

  test('goes on with the latest session with -c', async () => {
    const machine = machineWithTeam();
    await keepOne(machine, 'First.');
    const latest = await keepOne(machine, 'Second.');
    const { code, stderr } = await machine.run(['run', '-c', 'Third.', '--trust'], { env: answering });
    expect(code).toBe(0);
    expect(stderr).toContain(`Session ${latest}, 2 messages: Second.`);
    expect(await outputOf(machine, 'show', latest)).toContain('kim:\nThird.\n');
  });

  test('is not kept when it is ephemeral, and neither is a rehearsal', async () => {
    const machine = machineWithTeam();
    await machine.run(['run', 'Go.', '--trust', '--ephemeral'], { env: answering });
    await machine.run(['rehearse', 'Go.']);
    await machine.run([]);
    const { code, stdout, stderr } = await machine.run(['sessions']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe('No session is kept yet. Every huddle run keeps one, unless it is --ephemeral.\n');
    expect(readdirSync(machine.folder)).not.toContain('data');
  });

  test('keeps what it is told in files only their owner can read, whatever the umask', async () => {
    const machine = machineWithTeam();
    const umask = process.umask(0);
    try {
      const child = machine.start(['run', 'Go.', '--trust', '--output-format', 'stream-json'], {
        env: { HOSTILE: 'hang' },
      });
      child.stdin.end();
      const ending = finished(child);
      await saying(child.stdout, /"turn-start"/u);
      const data = join(machine.folder, 'data');
      const modes = readdirSync(data).map((file) => [file, statSync(join(data, file)).mode & 0o777]);
      expect(Object.fromEntries(modes)).toEqual({
        'conversations.sqlite': 0o600,
        'conversations.sqlite-shm': 0o600,
        'conversations.sqlite-wal': 0o600,
      });
      expect(statSync(data).mode & 0o777).toBe(0o700);
      child.kill('SIGTERM');
      await ending;
    } finally {
      process.umask(umask);
    }
  });
});

describe('a session that was cut off', () => {
  test('says what was running, does not run it by itself, and does so when asked', async () => {
    const machine = machineWithTeam();
    const child = machine.start(
      ['run', 'Go. [NEXT: max, sarah]', '--trust', '--output-format', 'stream-json'],
      {
        env: { HOSTILE: 'hang' },
      },
    );
    child.stdin.end();
    const ending = finished(child);
    await saying(child.stdout, /"turn-start"/u);
    child.kill('SIGKILL');
    await ending;
    expect(await outputOf(machine, 'sessions')).toContain('interrupted');
    const stood = await outputOf(machine, 'resume');
    await expect(scrub(stood, machine)).toMatchFileSnapshot('golden/resume-interrupted.txt');
    const running = 'turn-1 of max was running when this was written; nothing of it came in.';
    expect((await machine.run(['show'])).stderr).toContain(running);
    expect(await outputOf(machine, 'export', '--format', 'md')).toContain(`*${running}*`);
    expect(await outputOf(machine, 'export', '--format', 'html')).toContain(running);
    const { code, stdout, stderr } = await machine.run(['resume', '--retry', '--trust'], { env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'max:\nDone.\n\nsarah:\nDone.\n' });
    expect(stderr).toContain('max was in the middle of a turn when Huddle ended.');
    const starts = (await outputOf(machine, 'export', '--format', 'jsonl'))
      .split('\n')
      .filter((line) => line.includes('"turn-start"'))
      .map((line) => JSON.parse(line).turnId);
    expect(starts).toEqual(['turn-1', 'turn-3', 'turn-2']);
  });

  test('runs nothing again when nothing is left, and says so', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const before = await outputOf(machine, 'export', '--format', 'jsonl');
    expect(scrub(await outputOf(machine, 'resume', '--retry', '--trust'), machine)).toBe(
      'Session <session>, 3 messages: Go. [NEXT: max, sarah]\nNothing is left to run; it is your turn.\n',
    );
    expect(await outputOf(machine, 'export', '--format', 'jsonl')).toBe(before);
  });

  test('is said to be one that can be run again by the run it was cut off in', async () => {
    const machine = machineWithTeam();
    const { code, stderr } = await machine.run(['run', 'Go.', '--trust'], { env: { HOSTILE: 'exit0error' } });
    expect(code).toBe(1);
    expect(scrub(stderr, machine)).toMatch(
      /^Kept as <session>\. .*\nTo run what is left: huddle resume <session> --retry\n$/mu,
    );
  });

  test('that paused at a limit says so, and goes on after a word of a person', async () => {
    const machine = machineWithTeam({ max: { agentType: 'claude' }, sarah: { agentType: 'claude' } });
    const env = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Over. [NEXT: max, sarah]' };
    await machine.run(['run', 'Go.', '--trust', '--max-turns', '2'], { env });
    const stood = await outputOf(machine, 'resume');
    await expect(scrub(stood, machine)).toMatchFileSnapshot('golden/resume-paused.txt');
    const { code } = await machine.run(['resume', '2', 'Go on.', '--trust', '--max-turns', '1'], { env });
    expect(code).toBe(5);
  });
});

describe('an open session', () => {
  test('cannot be gone on with or deleted, with the process that has it, but can be read', async () => {
    const machine = machineWithTeam();
    const child = machine.start(['run', 'Go.', '--trust', '--output-format', 'stream-json'], {
      env: { HOSTILE: 'hang' },
    });
    child.stdin.end();
    const ending = finished(child);
    await saying(child.stdout, /"turn-start"/u);
    for (const args of [
      ['resume', '2', 'More.', '--trust'],
      ['run', '-c', 'More.', '--trust'],
      ['delete', '2', '--yes'],
    ]) {
      const { code, stderr } = await machine.run(args, { env: answering });
      expect(code).toBe(75);
      expect(stderr).toMatch(new RegExp(`^error\\[CONVERSATION_LOCKED\\]: .* process ${child.pid} `, 'mu'));
    }
    expect(await outputOf(machine, 'sessions')).toContain('  open elsewhere ');
    expect(await outputOf(machine, 'resume')).toContain('Another process has it open.');
    expect(await outputOf(machine, 'show')).toBe('kim:\nGo.\n');
    expect(await outputOf(machine, 'why', '1', '--prompt')).toContain('Go.');
    expect(await outputOf(machine, 'export', '--format', 'md')).toContain('Go.');
    await outputOf(machine, 'cost');
    child.kill('SIGTERM');
    expect((await ending).code).toBe(143);
  });
});

describe('a session that is open on another machine', () => {
  test('is taken over only when somebody says that nobody is there, and that is written down', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    holdElsewhere(machine);
    const more = ['resume', id, 'More. [NEXT: max]', '--trust'];
    const refused = await machine.run(more, { env: answering });
    expect({ code: refused.code, stdout: refused.stdout }).toEqual({ code: 75, stdout: '' });
    await expect(scrub(refused.stderr, machine)).toMatchFileSnapshot('golden/resume-open-elsewhere.txt');
    const { code, stdout, stderr } = await machine.run([...more, '--take-over'], { env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'kim:\nMore. [NEXT: max]\n\nmax:\nDone.\n' });
    expect(stderr).toContain('The conversation was open in process 4711 on elsewhere');
    expect(await outputOf(machine, 'export', '--format', 'jsonl')).toContain('"code":"lease-taken-over"');
    expect((await machine.run(more, { env: answering })).code).toBe(0);
  });
});

describe('the state in the list', () => {
  const states: readonly (readonly [string, readonly string[], Readonly<Record<string, string>>])[] = [
    ['done', [], answering],
    ['waiting for kim', [], { HOSTILE: 'fixed', HOSTILE_TEXT: 'Which one? [NEXT: kim]' }],
    ['paused: limit', ['--max-turns', '1'], { HOSTILE: 'fixed', HOSTILE_TEXT: 'You. [NEXT: max, sarah]' }],
    ['failed', [], { HOSTILE: 'exit0error' }],
  ];
  test.each(states)('is "%s" where it is', async (state, options, env) => {
    const machine = machineWithTeam();
    await machine.run(['run', 'Go.', '--trust', ...options], { env });
    expect(await outputOf(machine, 'sessions')).toContain(`  ${state}  `);
  });

  test('is "stopped" after a signal', async () => {
    const machine = machineWithTeam();
    const child = machine.start(['run', 'Go.', '--trust', '--output-format', 'stream-json'], {
      env: { HOSTILE: 'hang' },
    });
    child.stdin.end();
    const ending = finished(child);
    await saying(child.stdout, /"turn-start"/u);
    child.kill('SIGINT');
    await ending;
    expect(await outputOf(machine, 'sessions')).toContain('  stopped  ');
  });
});

test('secrets that an agent says are in the transcript and nowhere else', async () => {
  const machine = machineWithTeam();
  const secret = /FAKEFAKE|FAKEpass|Bearer FAKE/u;
  const ran = await machine.run(['run', 'Go.', '--trust', '--debug-file', 'debug.log'], {
    env: { HOSTILE: 'secret', DEBUG: '1' },
  });
  expect(ran.stdout).toMatch(secret);
  expect(ran.stderr).not.toMatch(secret);
  expect(readFileSync(join(machine.project, 'debug.log'), 'utf8')).not.toMatch(secret);
  for (const args of [['sessions'], ['cost'], ['why', '1'], ['resume'], ['show', 'nothing']]) {
    const { stdout, stderr } = await machine.run(args, { env: { DEBUG: '1' } });
    expect(stdout + stderr).not.toMatch(secret);
  }
  const shown = await machine.run(['show'], { env: { DEBUG: '1' } });
  expect(shown.stdout).toMatch(secret);
  expect(shown.stderr).not.toMatch(secret);
});
