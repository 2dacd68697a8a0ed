import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readEverything, runTestGit } from '../files/repository.js';
import { createMachine, teamFile } from './runHuddle.js';

/** Asks the three at once; with their work before it, names one. */
const JUDGE = `
const asked = require('node:fs').readFileSync(0, 'utf8');
console.log(asked.includes('own copy') ? 'Apply alpha.' : 'The tests decide. [NEXT: alpha, beta, gamma]');`;

/** Writes its first idea, and after a failed check the right thing. */
const AUTHOR = `
const { readFileSync, writeFileSync } = require('node:fs');
const isSentBack = readFileSync(0, 'utf8').trimEnd().slice(-200).includes('exit code 1');
writeFileSync('answer.txt', isSentBack ? 'right\\n' : process.argv[1] + '\\n');
console.log((isSentBack ? 'Corrected' : process.argv[1]) + '. [NEXT: judge]');`;

/** Fails on wrong answers, and where the setup of copies was left out. */
const TESTS = `
const { existsSync, readFileSync } = require('node:fs');
const isWrong = readFileSync('answer.txt', 'utf8') === 'wrong\\n';
console.log(isWrong ? 'wrong answer' : 'fine');
process.exit(isWrong || !existsSync('installed') ? 1 : 0);`;

const run = (program: string, ...args: readonly string[]): readonly string[] => [
  process.execPath,
  '-e',
  program,
  ...args,
];

test('a contest: three work unseen in copies, the tests send one back, one judges, a person applies', async () => {
  const machine = createMachine();
  const author = (idea: string) => ({
    agentType: 'command',
    command: run(AUTHOR, idea),
    permission: 'edit',
  });
  machine.write(
    'huddle.jsonc',
    teamFile(
      {
        judge: { agentType: 'command', command: run(JUDGE) },
        alpha: author('wrong'),
        beta: author('good'),
        gamma: author('fair'),
        tests: { agentType: 'command', command: run(TESTS), check: true },
      },
      {
        routing: { fanout: 'blind' },
        files: { setup: run("require('node:fs').writeFileSync('installed', '')") },
      },
    ),
  );
  machine.write('answer.txt', 'none\n');
  machine.write('.gitignore', 'installed\nnode_modules\n');
  runTestGit(machine.project, ['init', '-q', '-b', 'main']);
  runTestGit(machine.project, ['add', '-A']);
  runTestGit(machine.project, ['commit', '-q', '-m', 'first']);
  const before = readEverything(machine.project);
  await machine.trust();

  const { code, stdout, stderr } = await machine.run(['run', 'Answer it.']);
  expect({ code, stderr }).toEqual({ code: 0, stderr: expect.stringContaining("in gamma's copy · 1 file") });
  expect(stdout.match(/^\w+:$|Check \w+/gmu)?.join(' ')).toBe(
    [
      'judge: alpha: beta: gamma:',
      'tests: Check passed tests: Check passed tests: Check failed alpha: tests: Check passed',
      'judge:',
    ].join(' '),
  );
  expect(readEverything(machine.project)).toEqual(before);

  const turn = [...stderr.matchAll(/turn-(\d+) · in alpha's copy/gu)].at(-1)?.[1] ?? '';
  expect(await machine.run(['apply', turn, '--yes'])).toMatchObject({ code: 0 });
  expect(readFileSync(join(machine.project, 'answer.txt'), 'utf8')).toBe('right\n');
}, 60_000);
