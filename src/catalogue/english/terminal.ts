import { counted } from '../counted.js';

/** Every sentence of the interactive terminal. Another language is one more object of this shape. */
export const terminalText = {
  unknownSpeaker: (name: string | undefined, people: readonly string[]) =>
    people.length === 0
      ? 'No person in this team; add a member of type "human".'
      : `No person "${name}" in this team. People: ${people.join(', ')}.`,
  notATerminal:
    'The interactive conversation needs a terminal for input and output; `huddle run` works without one.',
  earlierMessages: (count: number) =>
    `${counted(count, 'earlier message')} not shown here; huddle show prints all of them.`,
  moreLines: (count: number) => `[+${counted(count, 'line')}]`,
  welcome: 'Type a message. @ to pick a member, / for commands.',
  /** In the empty editor. */
  placeholder: 'Type a message, or ? for keys',
  /** In the rules around the editor, `arrow` pointing to rows that are out of sight. */
  hiddenRows: (arrow: string, rows: number) => `${arrow} ${rows} more`,
  /** In the editor, for a long paste. No wider than in English. */
  pastedLines: (number: number, lines: number) => `[paste #${number} +${lines} lines]`,
  pastedCharacters: (number: number, characters: number) => `[paste #${number} ${characters} chars]`,
  demoEnded: 'End of the demo. Type to keep chatting with the simulated agents, or press Ctrl-D to exit.',
  teamTask: (task: string) => `Team task: ${task}`,
  renamed: (title: string) => `Renamed: ${title}`,
  nameRemoved: 'Renamed: lists show the first message again.',
  noTask: 'No team task. Set one with /task TEXT.',
  taskCleared: 'The team task was cleared.',

  draftKept: 'The partial reply is kept as a draft; it was not sent to the team.',
  continueHint: 'Enter to continue, or type a message.',
  retryHint: '/retry reruns unfinished turns.',
  stopped: (name: string) => `${name} was stopped. /retry reruns it.`,
  permissionRequest: (number: number, name: string, wish: string) =>
    `Question ${number}: ${name} wants to ${wish}`,
  permissionHint: 'y⏎ allow · n⏎ deny',
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
    unpriced: (names: readonly string[]) => `no price for ${names.join(', ')} (/cost)`,
    turns: (count: number, max: number) => `${count} of ${max} turns in a row`,
    rehearsal: 'dry run',
    speakingAs: (name: string) => `as ${name}`,
    escStops: 'Esc to stop',
    enterContinues: 'Enter to continue',
    retryReruns: '/retry to rerun',
    exitHint: 'Ctrl-C again to exit',
  },

  /** Title of the terminal, by what the team does. */
  titles: {
    idle: (place: string) => `${place} — huddle`,
    working: (names: string, place: string) => `✳ ${names === '' ? '' : `${names} · `}${place} — huddle`,
    approval: (names: string, place: string) => `? ${names} needs approval · ${place} — huddle`,
  },
  /** Messages to the desktop. None may begin with a digit: some terminals take that for a command. */
  calls: {
    yourTurn: (place: string) => `Huddle: your turn (${place})`,
    approval: (names: string, place: string) => `Huddle: ${names} needs approval (${place})`,
    limit: (place: string) => `Huddle: paused at a limit (${place})`,
  },

  commands: {
    task: 'set the team task, or show it',
    next: 'hand off to a member, or show who is next',
    pause: 'pause after the current turn',
    continue: 'continue after a pause',
    cancel: 'stop the current turn (draft kept)',
    retry: 'rerun unfinished turns',
    as: 'speak as another person of the team',
    why: 'explain the last prompt; /why 3 prompt: its text',
    diff: 'show what a turn changed; /diff 4..7, new, all',
    undo: "undo a turn's file changes; /undo undo-1 redoes",
    apply: "apply a turn's changes from its copy",
    expand: 'show more of the last tool call; /expand 2 for another',
    cost: 'tokens and money by member',
    members: 'who is in this team',
    model: 'show the models and how to change them',
    status: 'show session, folder, team, limits and cost',
    new: 'save this session and start a new one; also /clear',
    resume: 'pick another saved session; /resume ID for one',
    fork: 'copy this session; /fork 5 up to message 5',
    rewind: 'go back to a message in a copy; /rewind 5',
    rename: 'give this session another title',
    export: 'write a file: Markdown, or /export page.html',
    compact: 'say what keeps prompts short',
    allow: 'allow what an agent asks for; /allow 2 for question 2',
    deny: 'deny what an agent asks for; /deny 2 for question 2',
    help: 'keys and commands',
    quit: 'exit (the session is saved); also /exit',
  },
  groups: { keys: 'Keys', talk: 'Conversation', look: 'Details', session: 'Session' },
  keys: [
    ['Enter', 'send; on an empty line, continue after a pause'],
    ['Ctrl-J, Alt-Enter', 'a new line'],
    ['Shift-Enter, \\ Enter', 'the same; not every terminal reports Shift-Enter'],
    ['@', 'name the agent to ask, or a file'],
    ['Up, Down', 'your earlier messages'],
    ['Ctrl-R', 'search your earlier messages'],
    ['Ctrl-G', 'write in your own editor ($VISUAL or $EDITOR)'],
    ['?', 'keys and commands, on an empty line'],
    ['Esc, Ctrl-C', 'stop the current turn'],
    ['Ctrl-C twice, Ctrl-D', 'exit'],
  ] as ReadonlyArray<readonly [string, string]>,
  /** Keys of `--plain`. */
  plainKeys: [
    ['Enter', 'send; on an empty line, continue after a pause'],
    ['@', 'name the agent to ask'],
    ['Ctrl-C', 'stop the current turn'],
    ['Ctrl-C twice, Ctrl-D', 'exit'],
  ] as ReadonlyArray<readonly [string, string]>,
  search: (typed: string, found: string) => `(search) ${typed}: ${found}`,
  searchFailed: (typed: string) => `(search) ${typed}: no match`,
  editorFailed: (command: string, exitCode: number | null) =>
    `The editor "${command}" ${exitCode === null ? 'was stopped' : `failed with exit code ${exitCode}`}; your text is unchanged.`,
  editorMissing: (command: string) =>
    `Editor "${command}" not found; your text is unchanged. Set VISUAL or EDITOR to the editor you use.`,
  editorUnusable: (reason: string) => `Your text can't be passed to an editor: ${reason}. It is unchanged.`,
  noEditor: 'No editor can be opened here.',
  historyFailed: (reason: string) => `The history of this folder can't be read or saved: ${reason}`,
  help: 'Keys and commands',
  nothingPaused: 'Nothing is paused.',
  nothingQueued: 'Nothing is queued. /retry reruns unfinished turns.',
  nothingRuns: 'Nothing is running.',
  stillWorking: (names: readonly string[]) =>
    names.length === 1
      ? `${names[0]} is working. Stop it first (/cancel), or wait.`
      : `${names.join(', ')} are working. Stop them first (/cancel), or wait.`,
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
  dryRunCost: 'Dry run: no cost.',
  unreported: (members: ReadonlyArray<readonly [name: string, turns: number]>) =>
    `No usage data: ${members.map(([name, turns]) => `${name} (${counted(turns, 'turn')})`).join(', ')}.`,
  models: 'Models',
  defaultModel: 'default model',
  changeModel: 'To change: huddle --model NAME=MODEL for one session, or "model" in the team file.',
  compact:
    'Nothing to compact: each prompt holds only the latest messages ("window" in the team file) within a budget ("context.maxBytes"). /why shows what went in.',
  session: {
    title: 'Status',
    heads: {
      session: 'session',
      store: 'store',
      folder: 'folder',
      team: 'team',
      queue: 'queue',
      limits: 'limits',
      cost: 'cost',
      data: 'data',
      version: 'version',
    },
    states: { idle: 'idle', queued: 'queued', working: 'working', waiting: 'needs approval' },
    queueEmpty: 'empty',
  },
  noOtherSessions: 'No other saved sessions in this folder.',
};
