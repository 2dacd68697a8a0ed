import { spawnSync } from 'node:child_process';
import { chmodSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import { createMachine, type Machine, program, teamFile } from './runHuddle.js';

/** Lets a client in as a server does that asks for no password; of statements it hears nothing. */
function answerLogin(socket: Socket): void {
  const [authenticated, ready] = [
    [0x52, 0, 0, 0, 8, 0, 0, 0, 0],
    [0x5a, 0, 0, 0, 5, 0x49],
  ];
  socket.once('data', () => socket.write(Buffer.from([...authenticated, ...ready])));
}

describe('huddle completion', () => {
  const answer = async (machine: Machine, shell: string, ...words: readonly string[]): Promise<string> =>
    (await machine.run(['completion', shell, '--', ...words])).stdout;

  test('takes a value behind = for the same as one behind a space', async () => {
    const machine = createMachine();
    for (const words of [['--output-format', 's'], ['--output-format=s'], ['--output-format', '=', 's']])
      expect(await answer(machine, 'bash', 'run', ...words)).toBe('stream-json\n');
  });

  test('names the agents of the team and the sessions that are kept', async () => {
    const machine = createMachine();
    machine.write('huddle.jsonc', teamFile({ 小明: { agentType: 'command', command: ['node', '-e', '1'] } }));
    expect(await answer(machine, 'bash', 'why', '1', '--compare', '')).toBe('小明\n');
    expect(await answer(machine, 'bash', 'show', '')).toBe('');
    const { stderr } = await machine.run(['run', 'Is it done?', '--trust']);
    const id = /Saved as ([\w-]+)\./u.exec(stderr)?.[1];
    expect(await answer(machine, 'fish', 'show', '')).toBe(`${id}\tIs it done?\n`);
    expect(await answer(machine, 'fish', 'import', 'old.jsonl', '--id', '')).toBe('');
    expect(await answer(machine, 'bash', 'fork', '')).toBe(`${id}\n`);
    for (const words of [
      ['fork', `${id}`, '--at'],
      ['rewind', '--to'],
    ])
      expect(await answer(machine, 'fish', ...words, '')).toContain('msg-1\tkim: Is it done?\n');
    expect(await answer(machine, 'bash', 'commit', '--message', '')).toBe('');
  });

  test.each([
    ['takes no answer', (socket: Socket) => socket.resume()],
    ['takes the connection and answers nothing more', answerLogin],
  ])('gives up soon on a shared store that %s, and names what is known without it', async (_, serve) => {
    const lasted: number[] = [];
    const server = createServer((socket) => {
      const began = performance.now();
      socket.on('error', () => undefined);
      socket.on('close', () => lasted.push(performance.now() - began));
      serve(socket);
    });
    onTestFinished(() => void server.close());
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const machine = createMachine();
    const { port } = server.address() as AddressInfo;
    await machine.run(['store', 'add', 'away', `postgres://kim@127.0.0.1:${port}/huddle`]);
    const here = ['--store', 'away'];
    expect(await machine.run(['completion', 'bash', '--', 'show', ...here, ''])).toMatchObject({
      code: 0,
      stdout: '',
      stderr: '',
    });
    expect(await answer(machine, 'bash', 'diff', ...here, '')).toBe('new\nall\n');
    expect(await answer(machine, 'bash', 'rewind', ...here, '--to', '')).toBe('');
    await expect.poll(() => lasted.length).toBe(3);
    // The connection itself may take five seconds, and an answer a minute.
    expect(Math.max(...lasted)).toBeLessThan(2000);
  });
});

/** How each shell is started without anybody's configuration, and what its users put into theirs. */
const SHELLS = {
  bash: { args: ['--norc', '--noprofile', '-i'], setUp: 'source <(huddle completion bash)' },
  zsh: {
    args: ['-f', '-i'],
    setUp: 'autoload -Uz compinit; compinit -u -D; source <(huddle completion zsh)',
  },
  fish: { args: ['--no-config', '-i'], setUp: 'huddle completion fish | source' },
};

describe.skipIf(!hasTmux())('Tab', { timeout: 60_000 }, () => {
  for (const [shell, { args, setUp }] of Object.entries(SHELLS)) {
    const isThere = spawnSync(shell, ['--version']).status === 0;
    if (!isThere) console.info(`Skipped: ${shell} is not installed; its completion is not tried.`);

    test.runIf(isThere)(`completes in ${shell}, and runs nothing of what is typed`, async () => {
      const machine = createMachine();
      const huddle = machine.write('../bin/huddle', `#!/bin/sh\nexec node '${program}' "$@"\n`);
      chmodSync(huddle, 0o755);
      machine.write('notes.md', '');
      const starter = machine.write(
        '../shell.mjs',
        `import { spawnSync } from 'node:child_process';
spawnSync('${shell}', ${JSON.stringify(args)}, { stdio: 'inherit', cwd: ${JSON.stringify(machine.project)} });`,
      );
      const PATH = `${machine.env.PATH}:/usr/local/bin:/usr/bin:/bin`;
      const screen = new TmuxScreen({
        columns: 200,
        program: starter,
        args: [],
        env: { ...machine.env, PATH },
      });
      screen.type(`${setUp} && echo is""there`);
      screen.press('Enter');
      await screen.until('isthere');
      screen.type('huddle ru');
      screen.press('Tab');
      await screen.until('huddle run');
      screen.type('"$(touch ran)" --output-f');
      screen.press('Tab');
      await screen.until('--output-format');
      screen.type('st');
      screen.press('Tab');
      await screen.until('--output-format stream-json');
      screen.type(' --file no');
      screen.press('Tab');
      await screen.until('--file notes.md');
      expect(spawnSync('ls', [machine.project], { encoding: 'utf8' }).stdout).toBe('notes.md\n');
    });
  }
});
