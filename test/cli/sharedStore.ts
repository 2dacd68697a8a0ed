import { join } from 'node:path';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

/** An environment in which every agent answers `Done.` */
export const DONE = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Done.' };

/** The machine of the one who owns the database, which is a shared store from now on. */
export async function createStore(server: TestPostgres): Promise<Machine> {
  const owner = createMachine();
  await succeed(owner, 'store', 'init', 'work', '--url', server.url());
  return owner;
}

/** A machine of a person who was invited, with a trusted team of two agents, and the store under the name `work`. */
export async function createMember(
  owner: Machine,
  server: TestPostgres,
  role: string,
  more: Readonly<Record<string, unknown>> = {},
): Promise<Machine> {
  await server.createRole(role);
  await succeed(owner, 'store', 'invite', 'work', role);
  const machine = createMachine();
  await succeed(machine, 'store', 'add', 'work', server.url(role));
  machine.install('claude', 'codex');
  const members = [
    ...['kim', 'bob'].map((name) => ({ name, type: 'human' })),
    { name: 'max', type: 'ai', agentType: 'claude' },
    { name: 'sarah', type: 'ai', agentType: 'codex' },
  ];
  machine.write('huddle.jsonc', { ...teamFile({}), members, ...more });
  await machine.trust();
  return machine;
}

/** What a command that succeeds prints; `stderr` is what it says when it does not. */
export async function succeed(machine: Machine, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(args, { env: DONE });
  if (code !== 0) throw new Error(`huddle ${args.join(' ')} ended with ${code}: ${stderr}`);
  return stdout;
}

/** The file of the sessions on a machine, which may not exist. */
export function localSessions({ folder }: Machine): string {
  return join(folder, 'data', 'conversations.sqlite');
}
