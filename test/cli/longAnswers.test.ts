import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { createMachine, type Machine, program, teamFile } from './runHuddle.js';

const MEGABYTE = 1024 * 1024;
/** What a message keeps of an answer over 1 MB. */
const [KEPT_OF_BEGINNING, KEPT_OF_END] = [128 * 1024, 384 * 1024];
const GO = ['run', 'Go. [NEXT: log]', '--trust', '--output-format', 'json'];

/** A log of so many megabytes: lines of 32 bytes, each with its number. Written by digits, because the longest has two million. */
function linesOf(megabytes: number): Buffer {
  const lines = Buffer.alloc(megabytes * MEGABYTE, `line ${'0'.repeat(26)}\n`);
  for (let start = 0, number = 0; start < lines.length; start += 32, number += 1)
    for (let at = start + 30, rest = number; rest > 0; at -= 1, rest = Math.floor(rest / 10))
      lines[at] = 48 + (rest % 10);
  return lines;
}

const logOf = (megabytes: number): string => linesOf(megabytes).toString('latin1').trimEnd();

/** A program that prints a log of so many megabytes, and then runs this line of shell. */
function printing(megabytes: number, ending = 'exit'): object {
  const file = join(makeTemporaryFolder(), 'log');
  writeFileSync(file, linesOf(megabytes));
  return { agentType: 'command', command: ['/bin/sh', '-c', `/bin/cat '${file}'; ${ending}`] };
}

function machineWith(agents: Readonly<Record<string, object>>, more = {}): Machine {
  const machine = createMachine();
  // Nothing is said of files here, and to record them takes git ten starts a turn.
  machine.write('huddle.jsonc', teamFile(agents, { files: { record: false }, ...more }));
  return machine;
}

interface Printed {
  readonly conversationId: string;
  readonly messages: ReadonlyArray<{
    readonly content: string;
    readonly speaker: { readonly roleName: string };
  }>;
  readonly turns: ReadonlyArray<{ readonly turnId: string; readonly draft?: string }>;
}

async function runJson(machine: Machine, args: readonly string[] = GO): Promise<Printed> {
  const { stdout } = await machine.run(args);
  return JSON.parse(stdout) as Printed;
}

const answersFolder = ({ folder }: Machine): string => join(folder, 'data', 'answers');
const answerOf = ({ messages }: Printed, name = 'log'): string =>
  messages.find(({ speaker }) => speaker.roleName === name)?.content ?? '';
const modeOf = (path: string): number => statSync(path).mode & 0o777;

describe('an answer over 1 MB', () => {
  test('is a message of its beginning and its end; the whole is in a file that the mark names and delete removes', async () => {
    const machine = machineWith({ log: printing(3) });
    const printed = await runJson(machine);
    const whole = logOf(3);
    const file = join(answersFolder(machine), printed.conversationId, 'turn-1');
    const cut = whole.length - KEPT_OF_BEGINNING - KEPT_OF_END;
    const message =
      `${whole.slice(0, KEPT_OF_BEGINNING)}\n\n[… ${cut} bytes cut here; the whole answer: ${file}]\n\n` +
      whole.slice(-KEPT_OF_END);
    expect(answerOf(printed) === message).toBe(true);
    expect(readFileSync(file, 'utf8') === whole).toBe(true);
    expect([file, join(file, '..'), answersFolder(machine)].map(modeOf)).toEqual([0o600, 0o700, 0o700]);

    const shown = await machine.run(['show']);
    expect(shown.stdout).toContain(`[… ${cut} bytes cut here; the whole answer: ${file}]`);
    const copy = join(machine.project, 'copy.jsonl');
    await machine.run(['export', '--format', 'jsonl', '--output', copy]);
    expect(statSync(copy).size).toBeLessThan(MEGABYTE);

    expect((await machine.run(['delete', printed.conversationId, '--yes'])).code).toBe(0);
    expect(readdirSync(answersFolder(machine))).toEqual([]);
    expect((await machine.run(['import', copy])).code).toBe(0);
    expect(readdirSync(answersFolder(machine))).toEqual([]);
  });

  test('in one line of JSON is cut between characters', async () => {
    const record = 'JSON.stringify({ type: "text", text: "xé😀".repeat(500_000) })';
    const command = ['node', '-e', `console.log(${record} + '\\n{"type":"result"}')`];
    const machine = machineWith({ log: { agentType: 'command', output: 'json-lines', command } });
    const answer = answerOf(await runJson(machine));
    expect(answer).toMatch(/[xé😀]\n\n\[… \d+ bytes cut here; the whole answer: .*\]\n\n[xé😀]/u);
    expect(answer).not.toContain('\ufffd');
  });

  test('of exactly 1 MB is a message as it is', async () => {
    const machine = machineWith({ log: printing(1, 'printf x') });
    expect(answerOf(await runJson(machine)).endsWith(`${logOf(1)}\nx`.slice(-60))).toBe(true);
    expect(answerOf(await runJson(machineWith({ log: printing(1) }))) === logOf(1)).toBe(true);
  });

  test('is not saved with --ephemeral, and the mark says so', async () => {
    const machine = machineWith({ log: printing(2) });
    const answer = answerOf(await runJson(machine, [...GO, '--ephemeral']));
    expect(answer).toMatch(/\n\n\[… \d+ bytes cut here and not saved\]\n\n/u);
    expect(answer.endsWith(logOf(2).slice(-100))).toBe(true);
    expect(existsSync(answersFolder(machine))).toBe(false);
  });

  test('has a file of its own in a blind round', async () => {
    const machine = machineWith({ log: printing(2), other: printing(3) }, { routing: { fanout: 'blind' } });
    const printed = await runJson(machine, ['run', 'Go. [NEXT: log, other]', ...GO.slice(2)]);
    const folder = join(answersFolder(machine), printed.conversationId);
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size);
    expect(sizes.sort()).toEqual([logOf(2).length, logOf(3).length].sort());
    for (const name of ['log', 'other']) expect(answerOf(printed, name)).toContain(`${folder}/turn-`);
  });

  test('that was cut off is a draft of the same form, and a retried turn has a file of its own', async () => {
    const machine = machineWith({ log: printing(2, 'kill -9 $$') });
    const { conversationId } = await runJson(machine);
    await machine.run(['resume', '--retry', '--trust']);
    const folder = join(answersFolder(machine), conversationId);
    expect(readdirSync(folder)).toEqual(['turn-1', 'turn-2']);
    const { stdout } = await machine.run(['show']);
    for (const turn of ['turn-1', 'turn-2']) expect(stdout).toContain(`whole answer: ${folder}/${turn}]`);
    expect(stdout.length).toBeLessThan(1.5 * MEGABYTE);
  });

  test('of more than 64 MB is saved up to that, keeps its end, and the mark says what was lost', async () => {
    const machine = machineWith({ log: printing(66) });
    const printed = await runJson(machine);
    const whole = logOf(66);
    const file = join(answersFolder(machine), printed.conversationId, 'turn-1');
    const answer = answerOf(printed);
    const [, cut] = /\[… (\d+) bytes cut here; the whole answer: /u.exec(answer) ?? [];
    const [mark = '', lost] =
      /\n\n\[… (\d+) bytes cut here and not saved: the answer is too long\]\n\n/u.exec(answer) ?? [];
    const size = statSync(file).size;
    expect(size).toBeLessThan(64 * MEGABYTE + 100);
    expect(size - Number(cut)).toBe(KEPT_OF_BEGINNING + KEPT_OF_END);
    expect(size - Buffer.byteLength(mark) + Number(lost)).toBe(whole.length);
    const [, end = ''] = answer.split(mark);
    expect(end.length).toBeGreaterThan(KEPT_OF_END - 8192);
    expect([whole.endsWith(end), readFileSync(file, 'utf8').endsWith(mark + end)]).toEqual([true, true]);
  }, 180_000);
});

describe('an answer over 1 MB that cannot be saved is a message all the same', () => {
  const blocked: ReadonlyArray<readonly [string, (answers: string) => void, RegExp]> = [
    ['a link', (answers) => symlinkSync('/tmp', answers), /data\/answers is a link\]/u],
    ['a file', (answers) => writeFileSync(answers, ''), /\(E(EXIST|NOTDIR)\)\]/u],
    ['a folder open to others', (answers) => mkdirSync(answers, { mode: 0o777 }), /other users/u],
  ];
  test.each(blocked)('where %s is in the way', async (what, block, reason) => {
    const machine = machineWith({ log: printing(2) });
    const old = process.umask(0);
    mkdirSync(join(machine.folder, 'data'), { mode: 0o700 });
    block(answersFolder(machine));
    process.umask(old);
    const { code, stdout } = await machine.run(GO);
    const answer = answerOf(JSON.parse(stdout) as Printed);
    expect({ what, code }).toEqual({ what, code: 0 });
    expect(answer).toMatch(/\n\n\[… \d+ bytes cut here, which could not be saved: /u);
    expect(answer).toMatch(reason);
  });

  test('where the disk is full; nothing half is left', async () => {
    const machine = machineWith({ log: printing(8) });
    // A file may have 4 MB: as on a full disk, the write fails.
    const command = `ulimit -f 8192; exec node '${program}' ${GO.map((word) => `'${word}'`).join(' ')}`;
    const { status, stdout } = spawnSync('/bin/sh', ['-c', command], {
      cwd: machine.project,
      env: machine.env,
      encoding: 'utf8',
      maxBuffer: 64 * MEGABYTE,
    });
    const printed = JSON.parse(stdout) as Printed;
    expect(status).toBe(0);
    expect(answerOf(printed)).toMatch(/bytes cut here, which could not be saved: .*\(EFBIG\)\]/u);
    expect(readdirSync(join(answersFolder(machine), printed.conversationId))).toEqual([]);
  });
});
