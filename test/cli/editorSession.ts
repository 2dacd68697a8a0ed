import { expect } from 'vitest';
import { type OpenTerminal, openTerminal, type TerminalOrder } from './pty.js';
import { createMachine, type Machine, teamFile } from './runHuddle.js';

const answers = (name: string) => ({
  agentType: 'command',
  command: ['/bin/echo', `${name} was asked.`],
});

export interface Session {
  readonly machine: Machine;
  readonly terminal: OpenTerminal;
}

/** kim at the keys, maybe others; bob and max to answer. */
export async function openSession(
  people: readonly string[] = [],
  order: TerminalOrder = {},
  opened = 'ready',
): Promise<Session> {
  const machine = createMachine();
  const { members, ...team } = teamFile({ bob: answers('Bob'), max: answers('Max') }) as {
    readonly members: readonly object[];
  };
  const others = people.map((name) => ({ name, type: 'human' }));
  machine.write('huddle.jsonc', { ...team, members: [...members, ...others] });
  await machine.trust();
  return openAgain(machine, order, opened);
}

/** One more session on the same machine. */
export async function openAgain(
  machine: Machine,
  order: TerminalOrder = {},
  opened = 'ready',
): Promise<Session> {
  const terminal = openTerminal(machine, order);
  await terminal.until(opened);
  return { machine, terminal };
}

/** What was said by people, and to whom, in the order of the log. */
export async function sentIn({ machine, terminal }: Session): Promise<readonly string[]> {
  terminal.type('\x04');
  expect(await terminal.ended).toBe(0);
  const { stdout } = await machine.run(['export', '--format', 'jsonl']);
  return stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line))
    .filter(({ type, message }) => type === 'message-added' && message.speaker.type === 'human')
    .map(({ message }) => {
      const { content, speaker, routing } = message;
      return `${speaker.roleName} → ${routing.resolvedAddressees?.join(', ') ?? '?'}: ${content}`;
    });
}

/** What is typed in one read, and what is waited for before the next. */
export type Read = readonly [typed: string, shown: string];

export async function typeIn({ terminal }: Session, reads: readonly Read[]): Promise<void> {
  for (const [typed, shown] of reads) {
    terminal.type(typed);
    await terminal.until(shown);
  }
}
