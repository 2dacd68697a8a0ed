import { counted } from '../counted.js';

/** Sentences of `huddle team check`. */
export const teamCheckText = {
  valid: (file: string, agents: number, people: number) =>
    `${file} is valid: ${counted(agents, 'agent')}, ${counted(people, 'person', 'people')}.`,
  member: (name: string, facts: readonly string[]) => `  ${name}: ${facts.join(', ')}`,
  next: 'Next: huddle rehearse',
};
