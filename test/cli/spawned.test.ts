import { describe, expect, test } from 'vitest';
import { PROGRAM } from '../../src/cli/commands.js';
import type { CliCommand } from '../../src/cli/start/command.js';
import { createMachine, type Machine, scrub, teamFile } from './runHuddle.js';

/** A line for each command, after `BEFORE` on the same machine, that shows that the command works. */
const LINES: Readonly<Record<string, readonly string[]>> = {
  run: ['run', 'Is it done?'],
  rehearse: ['rehearse', 'Is it done?', '--no-prompts'],
  demo: ['demo', '--plain'],
  init: ['init', '--yes', '--force'],
  'team check': ['team', 'check'],
  doctor: ['doctor', '--json'],
  config: ['config'],
  'config set': ['config', 'set', 'language', 'zh-CN'],
  'config unset': ['config', 'unset', 'language'],
  'config path': ['config', 'path'],
  trust: ['trust', '--yes'],
  sessions: ['sessions', '--json'],
  show: ['show'],
  resume: ['resume', 'talk', 'And now?'],
  fork: ['fork', 'talk', '--id', 'branch'],
  rewind: ['rewind', 'talk', '--to', '1'],
  delete: ['delete', 'talk', '--yes'],
  rename: ['rename', 'talk', 'A title'],
  export: ['export', 'talk', '--format', 'md'],
  import: ['import', 'talk.jsonl', '--id', 'again'],
  cassette: ['cassette', 'talk', '--output', 'talk.cassette.jsonl'],
  cost: ['cost', 'talk'],
  replay: ['replay', 'nothing.jsonl'],
  mcp: ['mcp'],
  why: ['why', '1'],
  diff: ['diff', 'all', '--stat'],
  undo: ['undo', '--dry-run'],
  apply: ['apply', '1', '--dry-run'],
  commit: ['commit', '1', '-m', 'x'],
  acp: ['acp'],
  web: ['web', '--port', 'none'],
  'store init': ['store', 'init', 'work'],
  'store add': ['store', 'add', 'work', 'postgres://kim@localhost/huddle'],
  'store invite': ['store', 'invite', 'work', 'bob'],
  'store remove': ['store', 'remove', 'work'],
  'store upgrade': ['store', 'upgrade', 'work'],
  'store check': ['store', 'check', 'work'],
  'store list': ['store', 'list'],
  worker: ['worker', 'worker.jsonc'],
  key: ['key'],
  completion: ['completion', 'bash'],
};

/** Lines that only some commands need before theirs. */
const TALK = ['export', 'talk', '--format', 'jsonl', '--output', 'talk.jsonl'];

async function prepare(): Promise<Machine> {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile({ ada: { agentType: 'command', command: ['/bin/echo', 'Done.'] } }));
  await machine.trust();
  const { stderr } = await machine.run(['run', 'Go.']);
  const id = /Saved as ([\w-]+)\./u.exec(stderr)?.[1] ?? '';
  await machine.run(['fork', id, '--id', 'talk']);
  await machine.run(TALK);
  return machine;
}

function namesOf({ commands }: CliCommand, before: readonly string[] = []): readonly string[] {
  return commands.flatMap((command) => {
    const name = [...before, command.name];
    const own = command.load === undefined ? [] : [name.join(' ')];
    return [...own, ...namesOf(command, name)];
  });
}

describe('a command in a process of its own', () => {
  test('is one of these', () => {
    expect(Object.keys(LINES).toSorted()).toEqual(namesOf(PROGRAM).toSorted());
  });

  test.each(Object.entries(LINES))('says the same as in this one: %s', async (_, line) => {
    const [here, there] = [await prepare(), await prepare()];
    const run = async (machine: Machine, spawned: false | 'smoke') => {
      const { code, stdout, stderr } = await machine.run(line, { spawned });
      return { code, stdout: scrub(stdout, machine), stderr: scrub(stderr, machine) };
    };
    const said = await run(here, false);
    expect(await run(there, 'smoke')).toEqual(said);
  });
});
