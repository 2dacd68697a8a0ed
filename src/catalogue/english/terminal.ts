import { counted } from '../counted.js';

/** Every sentence of the interactive terminal. Another language is one more object of this shape. */
export const terminalText = {
  notATerminal:
    'The interactive conversation needs a terminal for input and output; `huddle run` works without one.',
  earlierMessages: (count: number) =>
    `${counted(count, 'earlier message')} not shown here; huddle show prints all of them.`,
  welcome: 'Type a message. @ to pick a member, / for commands.',
  demoEnded: 'End of the demo. Type to keep chatting with the simulated agents, or press Ctrl-D to exit.',
  teamTask: (task: string) => `Team task: ${task}`,
  renamed: (title: string) => `Renamed: ${title}`,
  nameRemoved: 'Renamed: lists show the first message again.',
  noTask: 'No team task. Set one with /task TEXT.',
  taskCleared: 'The team task was cleared.',

  draftKept: 'The partial reply is kept as a draft; it was not sent to the team.',
  continueHint: 'Enter to continue, or type a message.',
  retryHint: '/retry reruns unfinished turns.',
  permissionRequest: (number: number, name: string, wish: string) =>
    `Question ${number}: ${name} wants to ${wish}`,
  permissionHint: 'y allow · n deny',
  numberedHint: (numbers: readonly number[]) =>
    numbers.length === 1 ? `/allow ${numbers[0]} · /deny ${numbers[0]}` : '/allow N · /deny N',
  openQuestion: (number: number, summary: string) =>
    `question ${number}: ${summary} · /allow ${number} · /deny ${number}`,
  noPermissionAsked: 'No pending permission request.',
  noSuchQuestion: (number: string) => `No question ${number}. Nothing was answered.`,
  questionClosed: (number: number) => `Question ${number} is no longer open. Nothing was answered.`,
  nameTheQuestion: (numbers: readonly number[]) =>
    `Nothing was answered: a short answer counts only for the one question that was on the screen before you typed. ` +
    `Type ${numbers.map((number) => `/allow ${number} or /deny ${number}`).join(', ')}.`,
  questionDecided: (number: number, decision: string) => `Question ${number}: ${decision}`,

  status: {
    ready: 'ready',
    severalSpeaking: (names: readonly string[]) => `${names.join(', ')} are working`,
    stopping: (name: string) => `stopping ${name}`,
    pausing: 'will pause after this turn',
    waitingForYou: 'waiting for you',
    waitingFor: (names: readonly string[]) => `waiting for ${names.join(', ')}`,
    next: (names: readonly string[], more: number) =>
      `next ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    ofCap: (spent: string, cap: string) => `${spent} of ${cap}`,
    someUnpriced: 'some prices unknown',
    turns: (count: number, max: number) => `${count} of ${max} turns`,
    rehearsal: 'dry run',
    speakingAs: (name: string) => `as ${name}`,
    escStops: 'Esc to stop',
    enterContinues: 'Enter to continue',
    exitHint: 'Ctrl-C again to exit',
  },

  commands: {
    task: 'set the team task, or show it',
    next: 'hand off to a member, or show who is next',
    pause: 'pause after the current turn',
    continue: 'continue after a pause',
    cancel: 'stop the current turn (draft kept)',
    retry: 'rerun unfinished turns',
    why: 'show the last prompt and what was left out; /why 3 for turn 3',
    cost: 'tokens and money by member',
    members: 'who is in this team',
    as: 'speak as another person of the team',
    rename: 'give this session another title',
    expand: 'show more of the last tool call; /expand 2 for another',
    allow: 'allow what an agent asks for; /allow 2 for question 2',
    deny: 'deny what an agent asks for; /deny 2 for question 2',
    help: 'keys and commands',
    quit: 'exit (the session is saved)',
  },
  keys: [
    ['Enter', 'send; on an empty line, continue after a pause'],
    ['Shift-Enter, \\ Enter', 'a new line'],
    ['@', 'name the agent to ask'],
    ['Up, Down', 'your earlier messages'],
    ['Esc, Ctrl-C', 'stop the current turn'],
    ['Ctrl-C twice, Ctrl-D', 'exit'],
  ] as ReadonlyArray<readonly [string, string]>,
  help: 'Keys and commands',
  unknownCommand: (name: string, nearest: string | undefined) =>
    `Unknown command /${name}. ${nearest === undefined ? '/help lists them.' : `Did you mean /${nearest}?`} To send it as a message, send it again.`,
  nothingPaused: 'Nothing is paused.',
  nothingRuns: 'Nothing is running.',
  nothingToRetry: 'Nothing to retry.',
  willPause: 'Will pause after this turn.',
  queueEmpty: 'Queue is empty.',
  queued: (names: readonly string[]) => `Next: ${names.join(', ')}`,
  noSuchMember: (name: string, names: readonly string[]) =>
    `No member "${name}" in this team. Members: ${names.join(', ')}.`,
  people: (names: readonly string[], current: string) =>
    `You speak as ${current}. People: ${names.join(', ')}.`,
  nowSpeakingAs: (name: string) => `You now speak as ${name}.`,
  noTools: 'No tool has been used yet.',
  noSuchTool: (number: string, last: number) => `No tool call ${number}; the latest is ${last}.`,
  toolResult: (ok: boolean) => (ok ? 'Result' : 'Result (failed)'),
  cost: 'Cost',
  nothingSpent: 'No usage reported yet.',
};
