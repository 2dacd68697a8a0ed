import type { Routing } from '../../models/Team.js';

/** Sentences of `huddle acp`, for people in an editor. */
export const acpText = {
  onTerminal:
    'This is for editors, which talk to it over standard input and output; docs/editors.md shows how to set one up.',
  relativeFolder: (folder: string) => `The folder of a session must be an absolute path, not ${folder}.`,
  unknownSession: (id: string) => `No session "${id}" is open here. Load or resume it first.`,
  badCursor: 'This cursor is not from an earlier page. List from the beginning.',
  unknownOption: (id: string, known: readonly string[]) => `No option "${id}". Options: ${known.join(', ')}.`,
  unknownValue: (value: string, id: string, known: readonly string[]) =>
    `"${value}" is not a value of ${id}. Values: ${known.join(', ')}.`,
  blank: 'The prompt is empty.',
  tooLong: (most: string) => `The prompt is too long: at most ${most}. Nothing was sent.`,
  tooMany: (most: number) => `Too many attachments: at most ${most}. Nothing was sent.`,
  tooLarge: (name: string, most: string) => `${name} is too large: at most ${most}. Nothing was sent.`,
  leftOut: (names: readonly string[]) =>
    `Read-only: not asked, because nothing holds them to it: ${names.join(', ')}.`,
  toDo: (command: string) => `To do it: \`${command}\``,
  toOpenFork: (id: string) =>
    `Open it in the list of sessions of your editor, or in a terminal: huddle resume ${id}`,
  /** Arguments of commands. */
  hints: {
    next: 'names: message',
    task: 'what the team works on',
    why: 'number of a turn; "3 prompt" for its text',
    diff: 'turn, 4..7, new, all; default: the newest',
    undo: 'turn; then the same with yes',
    apply: 'turn; then the same with yes',
  },
  commands: {
    next: 'hand off to members, or show who is next',
    task: 'set the team task, or show it',
    continue: 'continue after a pause or a limit',
    retry: 'rerun unfinished turns',
    why: 'show what an agent was sent, and why',
    cost: 'show tokens and cost by member',
    members: 'show who is in this team',
    diff: 'show what a turn changed',
    undo: "undo a turn's file changes",
    apply: "apply a turn's changes from its copy",
    fork: 'copy this session, to continue there',
  },
  options: {
    ask: {
      name: 'Ask',
      description: 'Who replies to a message that names no one',
      automatic: { name: 'Automatic', description: 'The agent that spoke last, or the first one' },
      everyone: { name: 'Everyone', description: 'All agents of the team' },
    },
    mode: {
      name: 'Mode',
      description: 'What agents may do',
      values: {
        team: { name: 'As the team file says', description: 'Each agent has its own permission' },
        read: {
          name: 'Read-only',
          description: 'No agent changes files; agents that cannot be held to it are not asked',
        },
      },
    },
    fanout: {
      name: 'Several recipients',
      description: 'What each of them sees of the other replies',
      values: {
        sequential: { name: 'One after the other', description: 'Each sees the earlier replies' },
        'same-question': { name: 'Same question', description: 'All reply to the same question' },
        blind: { name: 'Blind', description: 'At once, without seeing the other replies' },
      } satisfies Record<Routing['fanout'], { name: string; description: string }>,
    },
  },
};

/** Words of a conversation as editors show it. */
export const acpViewText = {
  /** After an attempt of an agent that it gave up. */
  startsAgain: '(starts again)',
  allowOnce: 'Allow once',
  deny: 'Deny',
  /** Below a pause. */
  toContinue: 'Send /continue to continue, or a new message.',
  afterReader: 'Review the changes with /diff, then send /continue.',
};
