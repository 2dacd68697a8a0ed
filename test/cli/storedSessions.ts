import { join } from 'node:path';
import { expect } from 'vitest';
import { loadSqlite } from '../../src/store/sqlite/loadSqlite.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

export const ID = /\b\d{8}-\d{4}-[0-9a-f]{4}\b/u;
export const answering = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Done.' };
const claudeAndCodex = { max: { agentType: 'claude' }, sarah: { agentType: 'codex' } };

export function machineWithTeam(agents: Readonly<Record<string, object>> = claudeAndCodex): Machine {
  const machine = createMachine();
  machine.install('claude', 'codex');
  machine.write('huddle.jsonc', teamFile(agents));
  return machine;
}

/** Runs once, so that something is kept; says under which id. */
export async function keepOne(
  machine: Machine,
  message = 'Go. [NEXT: max, sarah]',
  env = {},
  spawned = false,
): Promise<string> {
  const options = { env: { ...answering, ...env }, spawned };
  const { stderr } = await machine.run(['run', message, '--trust'], options);
  return ID.exec(stderr)?.[0] ?? '';
}

/** What a command that succeeds prints. */
export async function outputOf(machine: Machine, ...args: readonly string[]): Promise<string> {
  const { code, stdout, stderr } = await machine.run(args);
  expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}

export function databaseOf({ folder }: Machine): string {
  return join(folder, 'data', 'conversations.sqlite');
}

/** Everything that is kept is open in a process of another machine from now on. */
export function holdElsewhere(machine: Machine): void {
  const lease = JSON.stringify({ pid: 4711, processStart: null, host: 'elsewhere', since: 1 });
  const database = new (loadSqlite().DatabaseSync)(databaseOf(machine));
  database.prepare('UPDATE conversation SET lease = ?').run(lease);
  database.close();
}
