import { spawn } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { startsProgram } from '../../tier.js';
import { createMachine, type Finished, finished, type Machine, program, scrub } from '../runHuddle.js';
import { answering } from '../storedSessions.js';
import { SCENES, type Scene } from './scenes.js';

/**
 * What is typed, and the exit code it comes to: by page, and there by scene. The lines of a scene are typed one after the
 * other on the same machine, as a shell takes them.
 */
type Table = Readonly<Record<string, Page>>;
type Page = Readonly<Partial<Record<Scene, Readonly<Record<string, number>>>>>;

/** Plays every line of a table. A page is what stands in `pages/` under its name: everything its lines ever said. */
export function playTable(
  table: Table,
  typeLine = typeIn,
  environment: Readonly<Record<string, string>> = {},
): void {
  for (const [name, page] of Object.entries(table)) {
    const scenes = Object.entries(page) as [Scene, Readonly<Record<string, number>>][];
    const played = new Map<Scene, string>();

    describe(`the page ${name}`, { timeout: 120_000 }, () => {
      test.each(scenes)('when %s', async (scene, lines) => {
        const made = createMachine();
        const machine = { ...made, env: { ...made.env, ...environment } };
        installWords(machine);
        await SCENES[scene](machine);
        const results: (readonly [line: string, result: Finished])[] = [];
        for (const line of Object.keys(lines)) results.push([line, await typeLine(line, machine)]);
        const said = results.map(([line, result]) => formatResult(line, result, machine));
        played.set(scene, [`# When ${scene}`, ...said].join('\n\n'));
        expect(Object.fromEntries(results.map(([line, { code }]) => [line, code]))).toEqual(lines);
      });

      test('is as it was', async ({ skip }) => {
        skip(played.size < scenes.length, 'Not all of it was played.');
        const text = scenes.map(([scene]) => `${played.get(scene)}\n`).join('\n');
        await expect(text).toMatchFileSnapshot(`pages/${name}.txt`);
      });
    });
  }
}

/** What lines are made of, beside what every shell has: what it is called by, and the script behind it. */
const WORDS = {
  huddle: `exec node '${program}' "$@"`,
  /** Standard output is a pipe whose reader has gone. */
  unread: openPipe('3<>"$pipe" 4>"$pipe" 3<&-', '>&4 4>&-'),
};

function openPipe(opening: string, use: string): string {
  return `pipe="$TMPDIR/pipe-$$"\n/usr/bin/mkfifo "$pipe"\nexec ${opening}\nexec "$@" ${use}`;
}

function installWords(machine: Machine): void {
  for (const [word, script] of Object.entries(WORDS))
    chmodSync(machine.write(`../bin/${word}`, `#!/bin/sh\n${script}\n`), 0o755);
}

/** With nothing on standard input, and agents that answer `Done.` unless the line says otherwise. */
function typeIn(line: string, machine: Machine): Promise<Finished> {
  const commands = readCommands(line);
  return commands === undefined ? typeInShell(line, machine) : runAll(commands, machine);
}

/** Answered by the entry of the program, before anything is loaded. */
const ANSWERED = /^huddle -v$/u;
const WORD = /\s*(?:"([^"$`\\!]*)"|'([^']*)'|([\w./:@,+%-][\w./:@,+%=-]*))(?=\s|;|$)/uy;

/** The arguments of each Huddle that a line starts, one after the other; undefined: it needs a shell. */
function readCommands(line: string): readonly (readonly string[])[] | undefined {
  if (ANSWERED.test(line)) return undefined;
  const commands: string[][] = [[]];
  for (let at = 0; at < line.length; ) {
    WORD.lastIndex = at;
    const word = WORD.exec(line);
    if (word !== null) commands.at(-1)?.push(word[1] ?? word[2] ?? word[3] ?? '');
    else if (line.startsWith('; ', at)) commands.push([]);
    else return undefined;
    at = word === null ? at + 2 : WORD.lastIndex;
  }
  return commands.every(([program]) => program === 'huddle')
    ? commands.map((words) => words.slice(1))
    : undefined;
}

async function runAll(commands: readonly (readonly string[])[], machine: Machine): Promise<Finished> {
  const all = { code: 0 as number | null, signal: null, stdout: '', stderr: '' };
  for (const args of commands) {
    const { code, stdout, stderr } = await machine.run(args, { env: { ...machine.env, ...answering } });
    Object.assign(all, { code, stdout: all.stdout + stdout, stderr: all.stderr + stderr });
  }
  return all;
}

/** The same through a shell, as a program: it says how it is started itself. */
export function typeInShell(line: string, { project, env }: Machine): Promise<Finished> {
  startsProgram();
  const child = spawn('/bin/sh', ['-c', line], { cwd: project, env: { ...env, ...answering } });
  child.stdin.end();
  return finished(child);
}

function formatResult(line: string, { code, stdout, stderr }: Finished, machine: Machine): string {
  const [out, err] = [mark('out', scrub(stdout, machine)), mark('err', scrub(stderr, machine))];
  return [`$ ${line}`, ...out, ...err, `exit code ${code}`].join('\n');
}

function mark(stream: string, text: string): string[] {
  if (text === '') return [];
  const lines = text.split('\n').map((line) => `${stream}| ${line}`);
  return text.endsWith('\n') ? lines.slice(0, -1) : [...lines, '\\ no line end'];
}
