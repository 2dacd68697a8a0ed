import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { finished, saying } from './runHuddle.js';
import { answering, ID, keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('a run', () => {
  test.skipIf(!hasTmux())('is listed on one line, cut where the screen ends', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine, `${'很长的问题'.repeat(9)} [NEXT: max, sarah]`);
    const { env, project: folder } = machine;
    const screen = new TmuxScreen({
      program: '../../../dist/cli/huddle.js',
      args: ['sessions'],
      folder,
      env,
    });
    const [heads, line, end] = await screen.until('code: 0');
    expect(heads).toMatch(/^id +updated +turns +state +title +…$/u);
    expect(line).toMatch(new RegExp(`^${id}  just now +2  done   很长的问题.*…$`, 'u'));
    expect(end).toBe('code: 0');
  });

  test('is listed by what was asked, not by its markers', async () => {
    const machine = machineWithTeam();
    await keepOne(machine, '[TEAM_TASK] Design a sign-in. [NEXT: max, sarah]');
    expect((await machine.run(['sessions'])).stdout).toMatch(/ {2}Design a sign-in\. {2}/u);
  });

  test('is kept, says under which id, and can be listed, shown and gone on with', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    expect(id).toMatch(ID);
    expect(await outputOf(machine, 'show')).toBe(
      '#1 kim:\n  Go. [NEXT: max, sarah]\n\n#2 max:\n  Done.\n\n#3 sarah:\n  Done.\n',
    );
    const { code, stdout } = await machine.run(['resume', id, 'More. [NEXT: max]', '--trust'], {
      env: answering,
    });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Done.\n' });
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

  test('is not kept when it is ephemeral, and neither is a rehearsal', async () => {
    const machine = machineWithTeam();
    await machine.run(['run', 'Go.', '--trust', '--ephemeral'], { env: answering });
    await machine.run(['rehearse', 'Go.']);
    await machine.run(['demo']);
    const { code, stdout, stderr } = await machine.run(['sessions']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: '' });
    expect(stderr).toBe('No saved sessions yet. Every conversation is saved unless you pass --ephemeral.\n');
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
        files: 0o700,
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
    const running = "max's turn-1 was interrupted before any output arrived.";
    expect((await machine.run(['show'])).stderr).toContain(running);
    const exported = "max's turn-1 had not ended when this was exported.";
    expect(await outputOf(machine, 'export', '--format', 'md')).toContain(`*${exported}*`);
    expect(await outputOf(machine, 'export', '--format', 'html')).toContain(exported.replace("'", '&#39;'));
    const { code, stdout, stderr } = await machine.run(['resume', '--retry', '--trust'], { env: answering });
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'max:\n  Done.\n\nsarah:\n  Done.\n' });
    expect(stderr).toContain("max's turn was interrupted when Huddle exited.");
    const starts = (await outputOf(machine, 'export', '--format', 'jsonl'))
      .split('\n')
      .filter((line) => line.includes('"turn-start"'))
      .map((line) => JSON.parse(line).turnId);
    expect(starts).toEqual(['turn-1', 'turn-3', 'turn-2']);
  });
});

test('a turn that another process runs is said to run there, by every command', async () => {
  const machine = machineWithTeam();
  const child = machine.start(['run', 'Go.', '--trust', '--output-format', 'stream-json'], {
    env: { HOSTILE: 'hang' },
  });
  child.stdin.end();
  const ending = finished(child);
  await saying(child.stdout, /"turn-start"/u);
  const running = `max's turn-1 is running in process ${child.pid}.`;
  const [shown, continued] = [
    await machine.run(['show']),
    await machine.run(['run', '-c', 'And?', '--trust']),
  ];
  expect(shown).toMatchObject({ code: 0, stderr: expect.stringContaining(running) });
  expect(continued).toMatchObject({ code: 75, stderr: expect.stringContaining(running) });
  expect(shown.stderr + continued.stderr).not.toContain('interrupted');
  child.kill('SIGINT');
  await ending;
});

test('a session is "stopped" after a signal', async () => {
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
