import { counted } from '../counted.js';

/** Sentences of `huddle team check`. */
export const teamCheckText = {
  valid: (file: string, agents: number, people: number) =>
    `${file} is valid: ${counted(agents, 'agent')}, ${counted(people, 'person', 'people')}.`,
  member: (name: string, kind: string, details: readonly string[]) =>
    `  ${name}: ${[kind, ...details].join(', ')}`,
  permission: { read: 'may read', edit: 'may edit files', full: 'may do everything (unsandboxed)' },
  notHeld: 'runs with your rights',
  next: 'Next: huddle rehearse',
};
