import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { onTestFinished } from 'vitest';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

export type AcpLine = Readonly<Record<string, unknown>>;

/** `huddle acp` as a process, and a client that may write anything. */
export interface AcpProcess {
  readonly machine: Machine;
  readonly child: ChildProcessWithoutNullStreams;
  /** Where its agents write down their processes. */
  readonly pidFile: string;
  /** Every line on standard output so far; one that is not JSON fails the test. */
  readonly lines: readonly AcpLine[];
  /** Everything on standard error so far. */
  said(): string;
  write(text: string | Buffer): Promise<void>;
  request(method: string, params: object): Promise<AcpLine>;
  /** Resolves with the first line, also of those that came already, that fits. */
  line(fits: (line: AcpLine) => boolean): Promise<AcpLine>;
  initialize(): Promise<AcpLine>;
  /** A new session, by its id. */
  create(): Promise<string>;
  readonly ended: Promise<{ readonly code: number | null; readonly signal: NodeJS.Signals | null }>;
}

export async function startAcp(
  behaviour: string,
  args: readonly string[] = ['--trust'],
): Promise<AcpProcess> {
  const machine = createMachine();
  machine.install('claude');
  machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
  return startAcpOn(machine, args, { HOSTILE: behaviour });
}

/** The same on a machine that has a team. */
export function startAcpOn(
  machine: Machine,
  args: readonly string[] = ['--trust'],
  env: Readonly<Record<string, string>> = {},
): AcpProcess {
  const pidFile = join(machine.folder, 'pids');
  const child = machine.start(['acp', ...args], { env: { ...env, HOSTILE_PIDFILE: pidFile } });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: AcpLine[] = [];
  const waiting = new Set<() => void>();
  createInterface({ input: child.stdout }).on('line', (line) => {
    lines.push(JSON.parse(line));
    for (const look of waiting) look();
  });
  let said = '';
  child.stderr.on('data', (chunk) => (said += String(chunk)));
  const ended: AcpProcess['ended'] = new Promise((resolve) => {
    child.on('close', (code, signal) => resolve({ code, signal }));
  });
  const line: AcpProcess['line'] = (fits) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const found = lines.find(fits);
        if (found === undefined) return;
        waiting.delete(look);
        resolve(found);
      };
      waiting.add(look);
      look();
      void ended.then(() => reject(new Error(`It ended without the line. ${said}`)));
    });
  const write: AcpProcess['write'] = (text) =>
    new Promise((resolve, reject) => {
      child.stdin.write(text, (error) => (error ? reject(error) : resolve()));
    });
  let id = 0;
  const request: AcpProcess['request'] = async (method, params) => {
    const own = ++id;
    await write(`${JSON.stringify({ jsonrpc: '2.0', id: own, method, params })}\n`);
    return line((answer) => answer.id === own && answer.method === undefined);
  };
  return {
    ...{ machine, child, pidFile, lines, said: () => said, write, request, line, ended },
    initialize: () => request('initialize', { protocolVersion: 1 }),
    create: async () => {
      const { result } = await request('session/new', { cwd: machine.project, mcpServers: [] });
      return (result as { sessionId: string }).sessionId;
    },
  };
}
