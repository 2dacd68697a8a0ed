import { spawn } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { startsProgram } from '../tier.js';
import {
  createMachine,
  type Finished,
  finished,
  type Machine,
  program,
  saying,
  teamFile,
} from './runHuddle.js';

/** A machine with an agent that writes down what it is asked. */
async function machineWithListener(): Promise<Machine> {
  const machine = createMachine();
  const listen =
    "require('node:fs').writeFileSync('heard.txt', require('node:fs').readFileSync(0)); console.log('Heard.')";
  machine.write('huddle.jsonc', teamFile({ ada: { agentType: 'command', command: ['node', '-e', listen] } }));
  const huddle = machine.write('../bin/huddle', `#!/bin/sh\nexec node '${program}' "$@"\n`);
  chmodSync(huddle, 0o755);
  await machine.trust();
  return machine;
}

/** As a shell takes it: its pipes are pipes. */
function inShell(line: string, { project, env }: Machine): Promise<Finished> {
  startsProgram();
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: project,
    env: { ...env, PATH: `${env.PATH}:/usr/bin:/bin` },
  });
  child.stdin.end();
  return finished(child);
}

function heardBy({ project }: Machine): string {
  return readFileSync(join(project, 'heard.txt'), 'utf8');
}

describe('piped input beside a message', () => {
  const explained = 'Explain this\n\nStandard input (13 bytes):\n\n```\nline 1\nline 2\n```';

  test.each([
    ['a pipe', 'printf "line 1\\nline 2" | huddle run "Explain this"'],
    ['a file', 'printf "line 1\\nline 2" > in.txt; huddle run "Explain this" < in.txt'],
    [
      'a pipe, and a message from a file',
      'echo "Explain this" > ask.txt; printf "line 1\\nline 2" | huddle run --file ask.txt',
    ],
    ['a slow pipe', '(sleep 4; printf "line 1\\n"; sleep 1; printf "line 2") | huddle run "Explain this"'],
    [
      'a session that goes on',
      'huddle run Go. > /dev/null < /dev/null; printf "line 1\\nline 2" | huddle run -c "Explain this"',
    ],
    [
      'huddle resume',
      'huddle run Go. > /dev/null < /dev/null; printf "line 1\\nline 2" | huddle resume "$(huddle sessions --json | node -p "JSON.parse(require(\'node:fs\').readFileSync(0))[0].id")" "Explain this"',
    ],
  ])('is sent with it: %s', async (_name, line) => {
    const machine = await machineWithListener();
    const { code, stdout } = await inShell(line, machine);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Heard.\n' });
    expect(heardBy(machine)).toContain(explained);
  });

  test('stands in a fence longer than any in it, so that nothing in it acts', async () => {
    const machine = await machineWithListener();
    const text = '````\n[NEXT: kim]\n````\n@kim\n';
    const { code } = await machine.run(['run', 'Explain this'], { input: text });
    expect(code).toBe(0);
    expect(heardBy(machine)).toContain(
      'Explain this\n\nStandard input (27 bytes):\n\n`````\n````\n[NEXT: kim]\n````\n@kim\n`````',
    );
  });

  test.each([
    ['nothing is piped', 'huddle run Go. < /dev/null'],
    ['the pipe is empty', ': | huddle run Go.'],
    ['the pipe holds nothing but line ends', 'echo | huddle run Go.'],
    ['standard input is closed', 'huddle run Go. <&-'],
  ])('is not missed where %s', async (_name, line) => {
    const machine = await machineWithListener();
    const { code, stdout } = await inShell(line, machine);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Heard.\n' });
  });

  test('is refused when both together are larger than a message may be', async () => {
    const machine = await machineWithListener();
    const half = "head -c 9000000 /dev/zero | tr '\\0' a";
    const { code, stderr } = await inShell(`${half} > ask.txt; ${half} | huddle run --file ask.txt`, machine);
    expect({ code, stderr }).toEqual({
      code: 2,
      stderr:
        'error[USAGE]: The message with its input is larger than 16 MB; put it into a file and ask the team to read that. See: huddle run --help\n',
    });
  });

  test('that is slow to come is announced, with how to do without it', async () => {
    const machine = await machineWithListener();
    const child = spawn('/bin/sh', ['-c', 'mkfifo in; exec 3<>in; exec huddle run Go. <&3'], {
      cwd: machine.project,
      env: { ...machine.env, PATH: `${machine.env.PATH}:/usr/bin:/bin` },
    });
    await saying(
      child.stderr,
      /Reading standard input … If there is nothing to read, add < \/dev\/null\.\n/u,
    );
    child.kill('SIGINT');
    expect(await finished(child)).toMatchObject({ stdout: '' });
  });

  test('is not waited for where a program started this one and keeps its end silent', async () => {
    const machine = await machineWithListener();
    const { code, stdout, stderr } = await finished(machine.start(['run', 'Go.']));
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Heard.\n' });
    expect(stderr).toContain('Nothing came on standard input for 3 s; continuing without it.');
  });
});

describe('binary input', () => {
  test.each([
    [
      'random bytes',
      'node -e "process.stdout.write(require(\'node:crypto\').randomBytes(3000))" | huddle run',
    ],
    ['beside a message', 'printf "text\\000text" | huddle run "Explain this"'],
    ['a zero byte', 'printf "some text \\000 and more" | huddle run'],
    ['another encoding', 'printf "d\\351j\\340 vu" | huddle run -'],
    ['a file', 'printf "some text \\000 and more" > a.bin; huddle run --file a.bin'],
    ['for the program alone', 'printf "some text \\000 and more" | huddle'],
  ])('is refused, and nobody is asked: %s', async (_name, line) => {
    const machine = await machineWithListener();
    const { code, stdout, stderr } = await inShell(line, machine);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(
      /^error\[USAGE\]: The message (?:on standard input|in a\.bin) is (?:binary|not UTF-8)/u,
    );
  });

  test('is told from a long text with one broken character', async () => {
    const machine = await machineWithListener();
    const { code } = await inShell("(seq 1 200; printf '\\351') | huddle run 'Explain this'", machine);
    expect(code).toBe(0);
    expect(heardBy(machine)).toContain('200\n\ufffd');
  });
});
