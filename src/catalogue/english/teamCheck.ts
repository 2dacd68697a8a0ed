import { counted } from '../counted.js';

/** Sentences of `huddle team check`. */
export const teamCheckText = {
  valid: (file: string, agents: number, people: number) =>
    `${file} is valid: ${counted(agents, 'agent')}, ${counted(people, 'person', 'people')}.`,
  member: (name: string, kind: string, details: readonly string[]) =>
    `  ${name}: ${[kind, ...details].join(', ')}`,
  permission: { read: 'read-only', edit: 'can edit files', full: 'full access (no sandbox)' },
  notHeld: 'runs as you (no sandbox)',
  next: 'Next: huddle rehearse',
};
