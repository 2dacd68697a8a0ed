import { describe, expect, test } from 'vitest';
import { alivePids, registeredProcesses, until } from '../agents/process/hostileAgent.js';
import { type AcpProcess, startAcp } from './acpProcess.js';
import { hasTerminal, runInTerminal } from './pty.js';
import { createMachine } from './runHuddle.js';

const MEGABYTE = 1024 * 1024;

function prompt(acp: AcpProcess, sessionId: string, text = 'Go.') {
  return acp.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
}

/** A turn of an agent that never ends by itself. */
async function hang(behaviour: string): Promise<AcpProcess & { readonly answer: Promise<unknown> }> {
  const acp = await startAcp(behaviour);
  await acp.initialize();
  const answer = prompt(acp, await acp.create());
  answer.catch(() => undefined);
  await until(() => registeredProcesses(acp.pidFile).length > 0);
  return { ...acp, answer };
}

describe('huddle acp', () => {
  test('answers a client over standard input and output, and ends with its input', async () => {
    const acp = await startAcp('fixed');
    expect(await acp.initialize()).toMatchObject({ result: { protocolVersion: 1 } });
    const sessionId = await acp.create();
    expect(await prompt(acp, sessionId)).toMatchObject({ result: { stopReason: 'end_turn' } });
    expect(JSON.stringify(acp.lines)).toContain('A complete and correct answer.');
    acp.child.stdin.end();
    expect(await acp.ended).toEqual({ code: 0, signal: null });
    expect(acp.said()).toBe('');
  });

  test('answers what was asked before the end of input', async () => {
    const acp = await startAcp('fixed');
    const place = { cwd: acp.machine.project, mcpServers: [] };
    const answers = [acp.initialize(), acp.request('session/new', place)];
    acp.child.stdin.end();
    expect(await Promise.all(answers)).toMatchObject([
      { result: { protocolVersion: 1 } },
      { result: { sessionId: expect.any(String) } },
    ]);
    expect(await acp.ended).toEqual({ code: 0, signal: null });
  });

  test.runIf(hasTerminal)('names the page to read on a terminal', async () => {
    const { code, screen } = await runInTerminal(createMachine(), { args: ['acp'] });
    expect({ code, screen }).toEqual({
      code: 2,
      screen: expect.stringMatching(/error\[USAGE\].*docs\/editors\.md/su),
    });
  });
});

describe('a hostile client', () => {
  test('is answered with errors, and the process lives on', async () => {
    const acp = await startAcp('fixed');
    expect(await acp.request('session/new', { cwd: '/', mcpServers: [] })).toMatchObject({
      error: { code: -32600 },
    });
    await acp.initialize();
    const errors = () => acp.lines.filter(({ id, error }) => id === null && error !== undefined);
    const garbage = [
      'hello\n',
      '{"jsonrpc":"2.0","id":\n',
      Buffer.from([0xff, 0xfe, 0x00, 0x80, 0x0a]),
      '[]\n',
      '42\n',
      'null\n',
      '{}\n',
      `${'['.repeat(5000)}${']'.repeat(5000)}\n`,
      '\n\r\n \n',
      '{"jsonrpc":"2.0","id":99,"result":{}}\n',
      '{"jsonrpc":"2.0","method":"session/cancel","params":{"sessionId":"../.."}}\n',
      '{"jsonrpc":"2.0","method":"no/such/notification"}\n',
      '{"jsonrpc":"2.0","id":{"a":1},"method":"session/list"}\n',
    ];
    for (const line of garbage) await acp.write(line);
    await until(() => errors().length >= 9);
    expect(await acp.request('no/such/request', {})).toMatchObject({ error: { code: -32601 } });
    expect(await acp.request('session/list', { cursor: 7 })).toMatchObject({ error: { code: -32602 } });
    expect(await prompt(acp, '../../etc')).toMatchObject({ error: { code: -32002 } });
    expect(errors()).toHaveLength(9);
    expect(await prompt(acp, await acp.create())).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test('may write half a line and the rest later', async () => {
    const acp = await startAcp('fixed');
    const line = JSON.stringify({
      jsonrpc: '2.0',
      id: 'é',
      method: 'initialize',
      params: { protocolVersion: 1 },
    });
    const bytes = Buffer.from(`${line}\n`);
    const middle = bytes.indexOf('é') + 1;
    await acp.write(bytes.subarray(0, middle));
    await acp.write(bytes.subarray(middle));
    expect(await acp.line(({ id }) => id === 'é')).toMatchObject({ result: { protocolVersion: 1 } });
  });

  test('may write lines of 40 and 80 MB: the request is refused, by its id, and nothing is lost', async () => {
    const acp = await startAcp('fixed');
    await acp.initialize();
    const sessionId = await acp.create();
    const refused = await prompt(acp, sessionId, 'x'.repeat(40 * MEGABYTE));
    expect(refused).toMatchObject({ error: { code: -32602 } });
    expect(await prompt(acp, sessionId, 'x'.repeat(80 * MEGABYTE))).toMatchObject({
      error: { code: -32600 },
    });
    await acp.write('y'.repeat(80 * MEGABYTE));
    await acp.write('\n');
    await acp.line(({ id, error }) => id === null && error !== undefined);
    expect(await prompt(acp, sessionId)).toMatchObject({ result: { stopReason: 'end_turn' } });
  });

  test('may be gone in the middle of an answer', async () => {
    const acp = await hang('hang');
    acp.child.stdout.destroy();
    acp.child.stdin.end();
    await acp.ended;
    await expect.poll(() => alivePids(acp.pidFile), { timeout: 5000 }).toEqual([]);
  });
});

describe('the end of a turn that runs', () => {
  test.each(['hang', 'ignoreterm', 'granddeaf'])(
    'end of input: %s, and nothing is left running',
    async (behaviour) => {
      const acp = await hang(behaviour);
      const before = Date.now();
      acp.child.stdin.end();
      expect(await acp.ended).toEqual({ code: 0, signal: null });
      expect(Date.now() - before).toBeLessThan(5_000);
      expect(acp.lines.at(-1)).toMatchObject({ result: { stopReason: 'cancelled' } });
      await expect.poll(() => alivePids(acp.pidFile), { timeout: 5000 }).toEqual([]);
    },
  );

  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('%s ends it with %i, and nothing is left running', async (signal, code) => {
    const acp = await hang('hang');
    acp.child.kill(signal);
    expect(await acp.ended).toEqual({ code, signal: null });
    await expect.poll(() => alivePids(acp.pidFile), { timeout: 5000 }).toEqual([]);
  });

  test('a killed process takes its agents along', async () => {
    const acp = await hang('ignoreterm');
    acp.child.kill('SIGKILL');
    await acp.ended;
    await expect.poll(() => alivePids(acp.pidFile), { timeout: 10_000 }).toEqual([]);
  });
});
