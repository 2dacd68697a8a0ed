import { chmodSync, copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createMachine, type Finished, type Machine, root } from '../cli/runHuddle.js';
import { runTestGit } from '../files/repository.js';
import { bundleVendorAgent } from '../simulators/vendorCommand.js';

/** Files that members write in their first turn, by example and member: what they change is a part of the recording. */
const CHANGES: Readonly<Record<string, Readonly<Record<string, readonly [file: string, text: string]>>>> = {
  review: { author: ['src/upload.js', 'export const mostBytes = 10_000_000;\n'] },
  pair: { driver: ['src/parseDate.js', 'export const parseDate = (y, m, d) => new Date(y, m - 1, d);\n'] },
  contest: {
    alpha: ['src/upload.js', 'export const isTooLarge = (headers) => headers.length > 10_000_000;\n'],
    beta: ['src/upload.js', 'export const isTooLarge = (bytesSoFar) => bytesSoFar > 10_000_000;\n'],
    gamma: ['src/upload.js', "export { isTooLarge } from 'a-small-package';\n"],
  },
};

const PROJECT = {
  'package.json': '{ "name": "uploads", "private": true }\n',
  'src/upload.js': 'export const mostBytes = Infinity;\n',
  'src/parseDate.js': 'export const parseDate = (y, m, d) => new Date(y, m, d);\n',
  '.gitignore': 'node_modules\n',
};

const bundling = bundleVendorAgent();

/** The message that the team file of an example says to try. */
export function messageOf(name: string): string {
  const text = readFileSync(join(root, 'examples', name, 'huddle.jsonc'), 'utf8');
  return /huddle rehearse .* "(.+)"$/mu.exec(text)?.[1] ?? '';
}

/** Holds the conversation of an example with simulated CLIs in a small project, and records it to `target`. */
export async function recordExample(
  name: string,
  target: string,
): Promise<{ readonly machine: Machine; readonly finished: Finished }> {
  const machine = createMachine();
  const state = join(machine.folder, 'state');
  mkdirSync(state);
  for (const [file, text] of Object.entries(PROJECT)) machine.write(file, text);
  copyFileSync(join(root, 'examples', name, 'huddle.jsonc'), join(machine.project, 'huddle.jsonc'));
  runTestGit(machine.project, ['init', '-q', '-b', 'main']);
  runTestGit(machine.project, ['add', '-A']);
  runTestGit(machine.project, ['commit', '-q', '-m', 'first']);
  const simulator = await bundling;
  const put = (program: string, lines: readonly string[]): void => {
    const file = join(machine.folder, 'bin', program);
    writeFileSync(file, ['#!/bin/sh', ...lines, ''].join('\n'));
    chmodSync(file, 0o755);
  };
  put('npm', ['[ "$1" = ci ] || echo "2 passed"']);
  for (const [program, members] of Object.entries(membersByProgram(name))) {
    put(program, [
      ...members.map((member, at) =>
        at === 0 ? `member=${member}` : `case "$*" in *"You are ${member}"*) member=${member};; esac`,
      ),
      ...members.flatMap((member) => writeOnce(name, member, state)),
      `export HUDDLE_REHEARSAL_MEMBER=$member HUDDLE_REHEARSAL_SCRIPT_FILE='${join(root, 'examples', name, 'replies.json')}'`,
      `export HUDDLE_REHEARSAL_STATE='${state}'`,
      `exec '${process.execPath}' '${simulator}' --dialect ${program} "$@"`,
    ]);
  }
  await machine.trust();
  const finished = await machine.run(['run', '--record', target, '--force', messageOf(name)]);
  return { machine, finished };
}

/** A member that changes a file does so once, however often it is asked. */
function writeOnce(name: string, member: string, state: string): readonly string[] {
  const [file, text] = CHANGES[name]?.[member] ?? [];
  if (file === undefined) return [];
  const done = join(state, `${member}-wrote`);
  const write = `printf '%s' "$text" > ${file}; : > '${done}'`;
  return [
    `text='${text?.replaceAll("'", "'\\''") ?? ''}'`,
    `if [ "$member" = ${member} ] && [ "$1" != --version ] && [ ! -e '${done}' ]; then ${write}; fi`,
  ];
}

interface ExampleTeam {
  readonly members: readonly { readonly name: string; readonly agentType?: string }[];
}

function membersByProgram(name: string): Readonly<Record<string, readonly string[]>> {
  const text = readFileSync(join(root, 'examples', name, 'huddle.jsonc'), 'utf8');
  const { members }: ExampleTeam = JSON.parse(
    text.replaceAll(/^\s*\/\/.*$/gmu, '').replaceAll(/ \/\/ .*$/gmu, ''),
  );
  const programs: Record<string, string[]> = {};
  for (const { name: member, agentType } of members)
    if (agentType !== undefined && agentType !== 'command') {
      programs[agentType] ??= [];
      programs[agentType].push(member);
    }
  return programs;
}
