import type { Routing } from '../models/Team.js';

/** Every sentence of `huddle init`, and the comments of the file it writes. */
export const initEnglish = {
  looking: 'Looking for agent CLIs …',
  found: (names: readonly string[]) => `Installed: ${names.join(', ')}.`,
  nothingFound: [
    'No agent CLI is installed, so for now this team can only be rehearsed.',
    'One of these is enough to begin:',
  ],
  install: (label: string, hint: string) => `  ${label.padEnd(12)} ${hint}`,
  replaced: (missing: string, seat: string, agent: string) =>
    `${missing} is not installed, so ${agent} takes the seat of the ${seat}.`,
  whichPreset: 'How should they work together?',
  choice: (name: string, summary: string) => `${name.padEnd(9)}${summary}`,
  whatTask: 'What is the team to work on?',
  skipTask: 'Enter leaves it open',
  taskTooLong: (bytes: number) =>
    `At most ${bytes} bytes: put the rest into a file, and name that file here.`,
  askOverwrite: (file: string) => `${file} is there already. Write another one over it?`,
  exists: (file: string) =>
    `${file} is there already and was left as it is. To write another one over it: huddle init --force`,
  chosen: (preset: string, others: readonly string[]) =>
    `The preset is ${preset}; with --preset there are also ${others.join(', ')}.`,
  nothingWritten: 'Nothing was written.',
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}; nothing was changed`,
  written: (file: string, schema: string | undefined) =>
    `Written: ${file}${schema === undefined ? '' : `, and for your editor ${schema}`}`,
  noLongerRead: (file: string) => `${file} is still there, and is no longer read.`,
  cannotTrust: (file: string, reason: string) =>
    `${file} is written, but that you trust it could not be recorded. ${reason} Then: huddle trust`,
  next: [
    'Next:',
    '  huddle rehearse   see the team play with stand-ins; nothing is spent',
    '  huddle            talk to the team',
  ],
  nextRehearsal: ['Next:', '  huddle rehearse   see the team play with stand-ins; nothing is spent'],

  comments: {
    preset: (name: string, summary: string) => `The preset "${name}": ${summary}.`,
    hint: 'Change what you like. To check it: huddle team check. To see it play: huddle rehearse',
    task: 'Every agent is told in every turn. In the conversation, [TEAM_TASK] replaces it.',
    noTask: 'What the team works on',
    name: (name: string) => `[NEXT: ${name}] hands over`,
    agentType: 'or codex, gemini; command and acp need a "command"',
    permission: 'read: look; edit: change files here; full: everything',
    fanout: {
      sequential:
        'A reply that names nobody comes back to you. Of several who are asked, each sees the answers before.',
      'same-question':
        'A reply that names nobody comes back to you. Several who are asked all answer the same question.',
      blind:
        'A reply that names nobody comes back to you. [NEXT: all] asks everybody at once, unseen by each other.',
    } satisfies Record<Routing['fanout'], string>,
    limits: 'Where the conversation pauses and asks you: agent turns in a row, US dollars, tokens.',
  },
};
