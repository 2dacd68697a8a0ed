import type { ChildProcessWithoutNullStreams } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { createMachine, type Machine, root, saying, teamFile } from '../../../cli/runHuddle.js';

const AGENT = join(root, 'test', 'frontends', 'web', 'browser', 'scenery', 'sceneAgent.mjs');
const ADDRESS = /http:\/\/\S+#code=\S+/u;

/** A machine with a team of two agents that play scenes, and a person or two. */
export async function createScene(more: Readonly<Record<string, unknown>> = {}): Promise<Machine> {
  const machine = createMachine();
  const agent = (name: string, peer: string) => ({
    agentType: 'acp',
    command: [process.execPath, AGENT, name, peer],
    permission: 'edit',
  });
  machine.write(
    'huddle.jsonc',
    teamFile({ ann: agent('ann', 'bob'), bob: agent('bob', 'ann') }, { name: 'uploads', ...more }),
  );
  await machine.trust();
  return machine;
}

/** `huddle web` as a process of its own. */
export class WebServer {
  readonly process: ChildProcessWithoutNullStreams;
  #said = '';

  private constructor(process: ChildProcessWithoutNullStreams) {
    this.process = process;
    for (const stream of [process.stdout, process.stderr])
      stream.on('data', (chunk) => {
        this.#said += String(chunk);
      });
  }

  /** Started and ready; stopped with the test. */
  static async start(machine: Machine, args: readonly string[] = []): Promise<WebServer> {
    const server = new WebServer(machine.start(['web', ...args]));
    onTestFinished(() => server.stop());
    await saying(server.process.stdout, ADDRESS);
    return server;
  }

  /** The address that was printed last, with a code that nobody has used. */
  get address(): string {
    return this.#said.match(new RegExp(ADDRESS, 'gu'))?.at(-1) ?? '';
  }

  get origin(): string {
    return new URL(this.address).origin;
  }

  get said(): string {
    return this.#said;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<void> {
    const { exitCode, signalCode } = this.process;
    if (exitCode !== null || signalCode !== null) return;
    const ended = once(this.process, 'exit');
    this.process.kill(signal);
    await ended;
  }
}
