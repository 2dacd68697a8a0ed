import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Machine, program, teamFile } from './runHuddle.js';

const huddle = `'${process.execPath}' '${program}'`;

/** Nothing is said of files here, and to record them takes git ten starts a turn. */
const WITHOUT_RECORD = { files: { record: false } };

/** What a member's shell says to this line, which it runs in its turn; `$huddle` is the program. */
async function inTurn(line: string, machine: Machine = createMachine()): Promise<string> {
  machine.install('claude');
  const script = `huddle="${huddle}"\n${line} 2>&1; echo "exit $?"`;
  machine.write('turn.sh', script.replaceAll('$huddle', huddle));
  const member = { agentType: 'command', command: ['/bin/sh', 'turn.sh'] };
  machine.write('huddle.jsonc', teamFile({ max: member }, WITHOUT_RECORD));
  await machine.trust();
  const { stdout } = await machine.run(['run', 'Go.'], { env: { HOSTILE: 'fixed' } });
  return stdout;
}

describe('inside a turn', () => {
  test.each([
    ['run', '$huddle run Again.'],
    ['run with --trust', '$huddle run Again. --trust'],
    ['resume', 'HUDDLE_HOME="$PWD/../data" $huddle resume --retry'],
    ['replay', 'HUDDLE_HOME="$PWD/../data" $huddle replay log.jsonl'],
    ['acp', 'HUDDLE_HOME="$PWD/../data" $huddle acp < /dev/null'],
    ['web', 'HUDDLE_HOME="$PWD/../data" $huddle web < /dev/null'],
    ['a message on standard input', 'echo Again. | $huddle'],
    [
      'run without the variables of the turn',
      '/usr/bin/env -i PATH="$PATH" HUDDLE_HOME="$PWD/../data" $huddle run Again.',
    ],
    ['run with another data folder', 'HUDDLE_HOME="$PWD/../other" $huddle run Again.'],
  ])('%s is refused, and the turn is named', async (_title, line) => {
    const said = await inTurn(line);
    expect(said).toContain('error[NESTED]');
    expect(said).toMatch(/turn-1 of session \d{8}-\d{4}-[0-9a-f]{4}/u);
    expect(said).toContain('exit 77');
  });

  test('--nested goes past that, and help does not name it', async () => {
    const machine = createMachine();
    const other = machine.write('../other/huddle.jsonc', teamFile({ eve: { agentType: 'claude' } }));
    await machine.run(['trust', join(other, '..'), '--yes']);
    const said = await inTurn(
      `cd ../other && HUDDLE_HOME="$OLDPWD/../data" $huddle run Again. --nested`,
      machine,
    );
    expect(said).toContain('exit 0');
    for (const args of [['--help'], ['run', '--help'], ['resume', '--help']])
      expect((await machine.run(args)).stdout).not.toContain('nested');
    expect((await machine.run(['completion', 'bash', '--', 'run', '--n'])).stdout).not.toContain('nested');
  });

  test.each([
    ['huddle trust', '$huddle trust ../evil --yes'],
    [
      'huddle trust without the variables of the turn',
      '/usr/bin/env -i HUDDLE_HOME="$PWD/../data" $huddle trust ../evil --yes',
    ],
    [
      'huddle trust with the data folder by another name',
      '/bin/ln -s ../data link; HUDDLE_HOME="$PWD/link" $huddle trust ../evil --yes',
    ],
    ['huddle trust with a forged mark', 'HUDDLE_TURN_OF="turn-1 x /nowhere" $huddle trust ../evil --yes'],
    ['huddle trust with another data folder', 'HUDDLE_HOME="$PWD/../other" $huddle trust ../evil --yes'],
    [
      'huddle config set with another data folder',
      'HUDDLE_HOME="$PWD/../other" $huddle config set language zh-CN',
    ],
    ['huddle import', '$huddle import ../evil/huddle.jsonc'],
    ['huddle delete', '$huddle delete wiki-1 --yes'],
    ['huddle fork', '$huddle fork'],
    ['huddle rewind', '$huddle rewind --to 1'],
    ['huddle init', 'cd ../evil && $huddle init --force --yes'],
    ['huddle undo', '$huddle undo 1 --yes'],
    ['huddle apply', '$huddle apply 1 --yes'],
    ['huddle commit', '$huddle commit 1 -m Mine'],
    ['--trust with --nested', 'cd ../evil && $huddle run Again. --nested --trust'],
  ])('%s is for people, and refused', async (_title, line) => {
    const machine = createMachine();
    machine.write('../evil/huddle.jsonc', teamFile({ eve: { agentType: 'claude' } }));
    // Members get none of Huddle's own variables.
    const said = await inTurn(`export HUDDLE_HOME="$PWD/../data"; ${line}`, machine);
    expect(said).toContain('error[NESTED]');
    expect(said).toContain('exit 77');
    expect(readFileSync(join(machine.folder, 'data', 'trust.json'), 'utf8')).not.toContain('evil');
  });

  test('a rehearsal is free', async () => {
    expect(await inTurn('$huddle rehearse Again. --no-prompts')).toContain('exit 0');
  });
});

test('the session variables of a surrounding agent do not reach members', async () => {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }, WITHOUT_RECORD));
  const names = [
    'CLAUDECODE',
    'CLAUDE_CODE_ENTRYPOINT',
    'CLAUDE_CODE_SESSION_ID',
    'CLAUDE_CODE_SESSION_ACCESS_TOKEN',
    'CLAUDE_CODE_SSE_PORT',
    'CLAUDE_CODE_MESSAGING_SOCKET',
    'CLAUDE_CODE_MESSAGING_TOKEN',
    'CLAUDE_PROJECT_DIR',
    'AI_AGENT',
    'GEMINI_CLI',
    'CODEX_THREAD_ID',
    'CODEX_SANDBOX',
    'CODEX_SANDBOX_NETWORK_DISABLED',
  ];
  const host = Object.fromEntries(names.map((name) => [name, '1']));
  const { stdout } = await machine.run(['run', 'Go.', '--trust'], {
    env: { ...host, CLAUDE_CONFIG_DIR: '/kept', HOSTILE: 'env' },
  });
  expect(stdout).toContain('CLAUDE_CONFIG_DIR=');
  expect(names.filter((name) => stdout.includes(`${name}=`))).toEqual([]);
});
