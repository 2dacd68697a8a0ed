import { counted } from './counted.js';

/** Every sentence of the interactive terminal. Another language is one more object of this shape. */
export const terminalEnglish = {
  notATerminal:
    'The interactive conversation needs a terminal for input and output; `huddle run` works without one.',
  earlierMessages: (count: number) =>
    `${counted(count, 'earlier message')} not shown here; huddle show prints all of them.`,
  welcome: 'Say something to begin. @ names who is to answer, / lists commands.',
  talkOn: 'That is how it goes. Say something to talk on with the stand-ins, or leave with Ctrl-D.',
  teamTask: (task: string) => `Team task: ${task}`,
  noTask: 'There is no team task. /task followed by a text sets one.',
  taskCleared: 'The team task was cleared.',

  draftKept: 'What had arrived is kept as a draft and was not handed on.',
  continueHint: 'Enter goes on, or say something.',
  retryHint: '/retry asks again for what did not complete.',
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
    severalSpeaking: (names: readonly string[]) => `${names.join(', ')} work at the same time`,
    stopping: (name: string) => `stopping ${name}`,
    pausing: 'pauses after this turn',
    waitingForYou: 'waiting for you',
    waitingFor: (names: readonly string[]) => `waiting for ${names.join(', ')}`,
    next: (names: readonly string[], more: number) =>
      `next ${names.join(', ')}${more > 0 ? ` and ${more} more` : ''}`,
    ofCap: (spent: string, cap: string) => `${spent} of ${cap}`,
    someUnpriced: 'some prices unknown',
    turns: (count: number, max: number) => `${count} of ${max} turns`,
    rehearsal: 'rehearsal',
    speakingAs: (name: string) => `as ${name}`,
    escStops: 'Esc stops',
    enterContinues: 'Enter goes on',
    leaveHint: 'Ctrl-C again leaves',
  },

  commands: {
    task: 'set the team task, or show it',
    next: 'hand over to a member, or show who is next',
    pause: 'wait after the running turn',
    continue: 'go on after a pause',
    cancel: 'stop the running turn, keep its draft',
    retry: 'ask again for turns that did not complete',
    why: 'what the last turn was sent, and why; /why 3 for another',
    cost: 'tokens and money by member',
    members: 'who is in this team',
    as: 'speak as another person of the team',
    expand: 'show more of the last tool call; /expand 2 for another',
    allow: 'allow what an agent asks for; /allow 2 for question 2',
    deny: 'deny what an agent asks for; /deny 2 for question 2',
    help: 'keys and commands',
    quit: 'leave; the conversation is kept',
  },
  keys: [
    ['Enter', 'send; on an empty line, go on after a pause'],
    ['Shift-Enter, \\ Enter', 'a new line'],
    ['@', 'name the agent to ask'],
    ['Up, Down', 'what you said before'],
    ['Esc, Ctrl-C', 'stop the running turn'],
    ['Ctrl-C twice, Ctrl-D', 'leave'],
  ] as ReadonlyArray<readonly [string, string]>,
  help: 'Keys and commands',
  unknownCommand: (name: string, nearest: string | undefined) =>
    `Unknown command /${name}. ${nearest === undefined ? '/help lists them.' : `Did you mean /${nearest}?`} To send it as a message, send it again.`,
  nothingPaused: 'Nothing is paused.',
  nothingRuns: 'Nothing is running.',
  nothingToRetry: 'Every turn since a person last spoke has completed.',
  willPause: 'Waits after the running turn.',
  queueEmpty: 'Nobody is queued.',
  queued: (names: readonly string[]) => `Next: ${names.join(', ')}`,
  nobodyNamed: (name: string, names: readonly string[]) =>
    `There is no member "${name}" in this team. Members: ${names.join(', ')}.`,
  people: (names: readonly string[], current: string) =>
    `You speak as ${current}. People: ${names.join(', ')}.`,
  nowSpeakingAs: (name: string) => `You now speak as ${name}.`,
  noTools: 'No tool has been used yet.',
  noSuchTool: (number: string, last: number) =>
    `There is no tool call ${number} to show; the latest is ${last}.`,
  toolResult: (ok: boolean) => (ok ? 'Result' : 'Result (failed)'),
  cost: 'Cost',
  nothingSpent: 'No turn has been counted yet.',
};
