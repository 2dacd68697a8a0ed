import type { Routing } from '../../models/Team.js';

/** Every sentence of `huddle init`, and the comments of the file it writes. */
export const initText = {
  looking: 'Looking for agent CLIs …',
  found: (names: readonly string[]) => `Installed: ${names.join(', ')}.`,
  nothingFound: [
    'No agent CLI is installed, so this team can only do dry runs for now.',
    'Install at least one:',
  ],
  install: (label: string, hint: string) => `  ${label.padEnd(12)} ${hint}`,
  replaced: (missing: string, role: string, agent: string) =>
    `${missing} is not installed; ${agent} will be the ${role}.`,
  whichPreset: 'How should they work together? (↑↓ to move, Enter to choose)',
  choice: (name: string, summary: string) => `${name.padEnd(9)}${summary}`,
  whatTask: 'What should the team work on?',
  skipTask: 'optional, press Enter to skip',
  mayTest: (names: readonly string[]) =>
    `${names.join(', ')} may run them at any time without asking ("allow" in the team file).`,
  foundTests: (command: string, file: string) =>
    `Tests: ${command} (${file}). They run after each turn that changes files.`,
  noTests:
    'No test command found, so this team has no check. To add one: a member with "agentType": "command", its "command" and "check": true',
  whichTests: 'Which command runs the tests?',
  skipTests: 'such as npm test; press Enter to go without',
  taskTooLong: (bytes: number) =>
    `At most ${bytes} bytes: put the rest into a file, and name that file here.`,
  askOverwrite: (file: string) => `${file} already exists. Overwrite it?`,
  yes: 'Yes',
  no: 'No',
  exists: (file: string) =>
    `${file} already exists and was not changed. To overwrite it: huddle init --force`,
  chosen: (preset: string, others: readonly string[]) =>
    `Using preset ${preset} (others: ${others.join(', ')})`,
  nothingWritten: 'Nothing was written.',
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}; nothing was changed`,
  written: (file: string, schema: string | undefined) =>
    `Created ${file}${schema === undefined ? '' : ` and ${schema} (schema for your editor)`}`,
  noLongerRead: (file: string) => `${file} still exists but is no longer read.`,
  cannotTrust: (file: string, reason: string) =>
    `Created ${file}, but your trust in it could not be saved. ${reason} Then: huddle trust`,
  next: [
    'Next:',
    '  huddle rehearse   dry run with simulated agents, no cost',
    '  huddle            talk to the team',
  ],
  nextRehearsal: ['Next:', '  huddle rehearse   dry run with simulated agents, no cost'],

  comments: {
    preset: (name: string, summary: string) => `The preset "${name}": ${summary}.`,
    hint: 'Edit freely. Check it: huddle team check. Try it: huddle rehearse',
    task: 'Included in every prompt. In the conversation, [TEAM_TASK] replaces it.',
    noTask: 'What the team works on',
    name: (name: string) => `[NEXT: ${name}] hands off to it`,
    agentType: 'or codex, gemini, opencode, qwen, copilot; command and acp need a "command"',
    permission: 'read: read-only; edit: may change files here; full: no sandbox',
    allow: 'runs without asking',
    check: 'runs after each turn that changes files; a failure goes back to its author',
    setup: 'Each author works in a copy of the folder. This prepares a new one.',
    fanout: {
      sequential:
        'A reply without [NEXT: name] comes back to you. When several are asked, each sees the earlier answers.',
      'same-question':
        'A reply without [NEXT: name] comes back to you. When several are asked, all answer the same question.',
      blind:
        "A reply without [NEXT: name] comes back to you. When several are asked, they don't see each other's answers.",
    } satisfies Record<Routing['fanout'], string>,
    /** The comment on a blind round, with who is asked in it. */
    round: (recipients: string) =>
      `A reply without [NEXT: name] comes back to you. [NEXT: ${recipients}] asks ${recipients === 'all' ? 'everyone' : 'them'} at once; they don't see each other's answers.`,
    limits: 'The conversation pauses and asks you at these limits: agent turns in a row, US dollars, tokens.',
  },
};
