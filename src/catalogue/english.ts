import type { LimitName } from '../models/ConversationEvent.js';
import { truncateToBytes } from '../utils/bytes.js';
import { formatNumber } from '../utils/formatNumber.js';
import { counted } from './counted.js';

const NAMES_SHOWN = 5;
const NAME_BYTES = 60;

interface UnknownName {
  readonly name: string;
  readonly nearest?: string;
}

/** Every sentence shown to people. Another language is one more object of this shape. */
export const english = {
  unknownAddressees: (unknown: readonly UnknownName[]) => {
    const shown = unknown.slice(0, NAMES_SHOWN).map(quoteUnknown).join(', ');
    const more = unknown.length > NAMES_SHOWN ? ` and ${unknown.length - NAMES_SHOWN} more` : '';
    return `Nobody in this team is called ${shown}${more}.`;
  },
  selfAddressed: (name: string) => `${name} handed over to itself; that part was left out.`,
  tooManyAddressees: (count: number, max: number, names: readonly string[]) =>
    `${count} addressees are more than the limit of ${max}; not asked: ${names.join(', ')}.`,
  queueFull: (max: number, names: readonly string[]) =>
    `The queue is full (${counted(max, 'turn waits', 'turns wait')}); not queued: ${names.join(', ')}.`,
  markerInOpenFence: () => 'A marker did nothing, because the code block before it was never closed.',
  claimedFrom: (speaker: string, claimed: string) =>
    `${speaker} wrote as "${claimed}"; it counts as ${speaker}.`,
  taskFromAgent: (speaker: string) => `${speaker} tried to set the team task; only people can.`,
  emptyReply: (name: string) => `${name} replied with nothing.`,
  usageUnknown: (name: string) =>
    `${name} reported usage that cannot be right. Huddle ignores those figures, so limits.tokens and limits.usd may miss this turn.`,
  promptTrimmed: (name: string, bytes: number) =>
    `The message was too large for ${name}'s budget: the last ${counted(bytes, 'byte was', 'bytes were')} cut.`,
  unknownSpeaker: (name: string | undefined, people: readonly string[]) =>
    people.length === 0
      ? 'There is no person in this team who could say that; add a member of type "human".'
      : `There is no person "${name}" in this team. People: ${people.join(', ')}.`,
  unknownPermissionRequest: (requestId: string) =>
    `The permission request "${requestId}" is no longer pending.`,
  turnName: (turnId: string, conversationId: string) => `${turnId} of session ${conversationId}`,
  decisions: {
    words: { allowed: 'allowed', denied: 'denied', cancelled: 'not answered before the turn ended' },
    makers: {
      person: (name: string) => ` by ${name}`,
      'team-file': " by the team file's allow/deny list",
      permission: " by the member's permission",
      nobody: ' (no one to ask)',
      size: ' (too long to show whole)',
    },
  },
  emptyMessage: () => 'There is nothing in this message; write something to send.',
  agentBroke: (name: string, reason: string) => `${name}: the turn could not be run (${reason})`,
  agentBrokeHint: () => 'Check this member in the team file, then send the message again.',
  endedWithoutEnd: () => 'it stopped without saying how it ended',
  conversationClosed: () => 'This conversation is closed; open it again to go on.',
  noAgent: () => 'There is no agent to answer.',
  promptBudgetHint: () => 'Shorten it, or raise context.maxBytes in the team file.',
  leaseTakenOver: (pid: number, host: string) =>
    `The conversation was open in process ${pid} on ${host}, which is gone; it goes on here.`,
  turnInterrupted: (name: string) =>
    `${name} was in the middle of a turn when Huddle ended. That turn did not complete.`,
  membersGone: (names: readonly string[]) =>
    `Turns were dropped, because these members left the team: ${names.join(', ')}.`,
  sessionLost: (name: string) =>
    `${name} could not go on in its own session; the whole prompt is sent in a new one.`,
  sessionNotForked: (name: string) =>
    `${name} starts a new session: this is a copy, and the session before belongs to the original. The whole prompt is sent.`,
  sessionLeft: (name: string) =>
    `${name} was cut off, and it is unclear what its own session holds of that turn; its next turn starts a new session with the whole prompt.`,
  unknownTurn: (turnId: string) => `There is no turn "${turnId}" in this conversation, or it never started.`,
  unknownMember: (memberId: string) =>
    `There was no agent "${memberId}" in this conversation at that moment.`,
  limits: {
    agentTurns: (max: number) => `${counted(max, 'agent turn')} in a row without a person`,
    pairTurns: (max: number) => `${counted(max, 'turn')} back and forth between the same two agents`,
    sameAnswer: (max: number) => `the same answer ${counted(max, 'time')}`,
    tokens: (max: number) => `${counted(formatNumber(max), 'token')} used`,
    usd: (max: number) => `${counted(max, 'US dollar')} spent`,
  } satisfies Record<LimitName, (max: number) => string>,
  /** How a conversation is printed. */
  print: {
    team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
    human: 'human',
    unsandboxed: 'unsandboxed',
    draft: 'draft, not handed on',
    startsAgain: '[the agent starts its answer again]',
    working: (name: string, seconds: number) => `${name} is working · ${seconds} s · Ctrl-C stops`,
    promptFor: (name: string, bytes: number) => `what ${name} is sent: ${counted(bytes, 'byte')}`,
    besidePrompt: 'as system text:',
    asPrompt: 'as prompt:',
    tool: (name: string, tool: string, input: string) => `${name} uses ${tool}${input && `: ${input}`}`,
    toolFailed: (name: string, tool: string, result: string) =>
      `${name}: ${tool} failed${result && `: ${result}`}`,
    fileChange: { add: 'created', update: 'changed', delete: 'deleted' },
    plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
    asksLeave: (name: string, request: string) => `${name} asks for permission: ${request}`,
    retry: (name: string, message: string, details: readonly string[]) =>
      `${name} tries again: ${message}${details.length > 0 ? ` (${details.join(', ')})` : ''}`,
    attempt: (attempt: number, max: number | undefined) =>
      max === undefined ? `attempt ${attempt}` : `attempt ${attempt} of ${max}`,
    inSeconds: (seconds: number) => `in ${seconds} s`,
    keptNothing: 'nothing had arrived',
    keptDraft: (characters: number) =>
      `${counted(characters, 'character is', 'characters are')} kept as a draft, not handed on`,
    stopped: (name: string) => `${name} was stopped`,
    interrupted: (name: string) => `${name}: Huddle ended during the turn`,
    sendAgain: 'Send the message again to go on.',
    timeLimits: {
      idle: (name: string, seconds: number) => `${name}: no output for ${seconds} s`,
      total: (name: string, seconds: number) => `${name}: not finished after ${seconds} s`,
      progress: (name: string, seconds: number) => `${name}: nothing but retries for ${seconds} s`,
    },
    timeLimitHints: {
      idle: 'Send the message again, or raise limits.idleMinutes in the team file.',
      total: 'Ask for less at once, or raise limits.turnMinutes in the team file.',
      progress: 'The service does not answer: try again later.',
    },
    paused: (limit: string, count: number) =>
      `Paused at a limit: ${limit} (${formatNumber(count, 4)} reached).`,
    goOn: {
      agentTurns:
        'To go further, run again with a larger --max-turns, or raise limits.agentTurns in the team file.',
      pairTurns: 'If they were getting somewhere, raise limits.pairTurns in the team file and run again.',
      sameAnswer: 'They repeat themselves: ask something else, or raise limits.sameAnswer in the team file.',
      tokens: 'To spend more, raise limits.tokens in the team file and run again.',
      usd: 'To spend more, run again with a larger --max-usd, or raise limits.usd in the team file.',
    } satisfies Record<LimitName, string>,
    noRecipient: 'No agent was asked. Name one with @name or [NEXT: name].',
    notRun: (names: readonly string[]) => `Not asked any more: ${names.join(', ')}.`,
    waiting: (names: readonly string[]) =>
      `The agents wait for ${names.join(' and ')}. They go on with an answer.`,
    turns: (turns: number, seconds: string) => `${counted(turns, 'turn')} in ${seconds} s`,
    tokens: (input: string, output: string) => `${counted(input, 'token')} in, ${output} out`,
    money: (usd: string, isEstimated: boolean) => `$${usd}${isEstimated ? ' (estimated)' : ''}`,
    unpriced: (names: readonly string[]) => `price of ${names.join(', ')} unknown`,
    nothingSpent: 'a rehearsal, nothing was spent',
  },
  /** What commands say. */
  cli: {
    error: (code: string, message: string) => `error[${code}]: ${message}`,
    warning: (message: string) => `warning: ${message}`,
    seeHelp: (command: string) => `See: ${command} --help`,
    unknownCommand: (word: string, nearest: string | undefined) =>
      nearest === undefined
        ? `There is no command "${word}".`
        : `There is no command "${word}". Did you mean huddle ${nearest}?`,
    continueAlone:
      '-c stands alone here. To say something in the latest session of this folder: huddle run -c "your message"',
    textWithSpaces: 'Text with spaces goes in quotes.',
    messageAsCommand: (message: string) => `To say that to the team: huddle run "${message}"`,
    unexpected: (message: string) =>
      `${message}; this is a fault in Huddle. Run again with DEBUG=1 to see more`,
    noMessage: 'There is no message. Give it in quotes, with --file FILE, or on standard input.',
    nothingToDo:
      'No message. Type huddle in a terminal, pipe a message into it, or run: huddle run "your message". To see a demo: huddle demo',
    emptyMessage: (source: string) => `The message ${source} is empty; nothing was started.`,
    fromArgument: 'in the argument',
    fromFile: (file: string) => `in ${file}`,
    fromStandardInput: 'on standard input',
    withInput: 'with its input',
    standardInput: 'Standard input',
    pipedInput: (bytes: number) => `Standard input (${counted(bytes.toLocaleString('en'), 'byte')}):`,
    readingInput: 'Reading standard input … If there is nothing to read, add < /dev/null.',
    nothingOnInput: (seconds: number) =>
      `Nothing came on standard input for ${seconds} s; continuing without it.`,
    twoMessages: 'Give the message either in quotes or with --file, not both.',
    cannotRead: (file: string, reason: string) => `${file} cannot be read: ${reason}.`,
    messageTooLarge: (source: string, megabytes: number) =>
      `The message ${source} is larger than ${megabytes} MB; put it into a file and ask the team to read that.`,
    notSent: (text: string) => `What you typed meanwhile reached nobody:\n${text}`,
    notUtf8: (source: string) =>
      `The message ${source} is not UTF-8 text; save it as UTF-8. Nothing was started.`,
    binary: (source: string) => `The message ${source} is binary, not text. Nothing was started.`,
    wholeNumber: 'It must be a whole number of at least 1.',
    money: 'It must be an amount in US dollars above 0.',
    cannotWrite: (reason: string) =>
      `The output could not be written: ${reason}. What was running was stopped; what is kept: huddle sessions`,
    cannotWriteDebug: (file: string, reason: string) => `The debug file ${file} cannot be written: ${reason}`,
    debugFile: (file: string) => `Debug output goes to ${file}`,
    installedTeam: 'No team file here, so the team is made of what is installed.',
    notLoggedIn: (label: string, hint: string) => `${label} says that nobody is logged in. ${hint}`,
    rehearsalTeam:
      'This is a rehearsal: no agent CLI is installed, so stand-ins answer and nothing is spent. See: huddle doctor',
    trustedOnce: (folder: string) => `Trusted for this run only: ${folder}`,
    unpriced: (names: readonly string[]) =>
      `The limit on dollars cannot count ${names.join(', ')}: add "prices" or limits.tokens to the team file.`,
    noAgentCli: (programs: ReadonlyArray<{ readonly label: string; readonly installHint: string }>) =>
      [
        'No agent CLI found on PATH. Install one:',
        ...programs.map(({ label, installHint }) => `  ${label.padEnd(12)} ${installHint}`),
        'To see a demo with simulated agents: huddle demo',
      ].join('\n'),
    noTeamFile:
      'There is no huddle.jsonc here or in a folder above; without one the team is what is installed, which needs no check. To write one: huddle init',
  },
  /** Stored conversations. */
  sessions: {
    kept: (id: string) => `Kept as ${id}. To go on: huddle resume ${id} "your message"`,
    notKept: 'Nothing was said, so nothing is kept.',
    none: 'No session is kept yet. Every huddle run keeps one, unless it is --ephemeral.',
    noneHere: (id: string, folder: string) =>
      `No session was held in this folder. The latest elsewhere: ${id}, in ${folder}. All of them: huddle sessions --all`,
    elsewhere: (count: number) =>
      `${counted(count, 'session was', 'sessions were')} held in other folders: huddle sessions --all`,
    noneHereYet: 'No session was held in this folder.',
    unknown: (word: string, near: string | undefined, latest: readonly string[]) =>
      `There is no session "${word}". ${near === undefined ? `The latest: ${latest.join(', ')}` : `The nearest: ${near}`}. All of them: huddle sessions --all`,
    ambiguous: (word: string, count: number, ids: readonly string[]) =>
      `"${word}" could be ${count} sessions: ${ids.join(', ')}${count > ids.length ? ', …' : ''}. Give more of the id.`,
    unavailable: (reason: string) => `${reason} For that: huddle run --ephemeral "your message"`,
    unusable: (reason: string) =>
      `${reason} Mend that, or set HUDDLE_HOME to another folder. To keep nothing: huddle run --ephemeral "your message"`,
    otherTeam: (id: string, names: readonly string[], folder: string | undefined) =>
      `Session ${id} was held with ${names.join(', ')}, and none of them is in the team here. Go to its folder${folder === undefined ? '' : `, ${folder}`}, or name its team file with --team.`,
    membersGone: (names: readonly string[]) =>
      `No longer in the team: ${names.join(', ')}. What they said stays; they are not asked any more.`,
    openElsewhere: (reason: string, id: string) =>
      `${reason} If that process is gone for good: huddle resume ${id} --take-over, with your message.`,
    goesOn: (id: string, messages: number, title: string) =>
      `Session ${id}, ${counted(messages, 'message')}: ${title}`,
    toGoOn: (id: string) => `To go on: huddle resume ${id} "your message"`,
    openNow:
      'Another process has it open. Go on there, or close it first; it can be read meanwhile: huddle show',
    toRetry: (id: string) => `To run what is left: huddle resume ${id} --retry`,
    messageAsId: (message: string) =>
      `The id comes first. To say that in the latest session here: huddle run -c "${message}"`,
    messageOrRetry: 'Give either a message or --retry, not both.',
    toDelete: (id: string, messages: number, title: string) =>
      `This deletes session ${id} for good, ${counted(messages, 'message')}: ${title}`,
    askDelete: 'Delete it? Type yes to delete: ',
    deleteUnasked: (id: string) => `Nobody is here to ask. To delete ${id} for good, add --yes.`,
    notDeleted: 'Not deleted.',
    deleted: (id: string) => `Deleted: ${id}`,
    exported: (id: string, file: string) => `Session ${id} is written to ${file}`,
    cannotExport: (file: string, reason: string) =>
      `${file} cannot be written: ${reason}. The session is kept as it was; to write it elsewhere: --output FILE`,
    imported: (id: string) => `Imported: ${id}`,
    unsafeId: (id: string) => `"${id}" cannot be an id: 1 to 64 letters, digits and hyphens, such as wiki-1.`,
    exists: (reason: string) => `${reason} To keep both: huddle import FILE --as <another id>`,
    notALog: (reason: string) => `${reason} What can be imported is what huddle export --format jsonl wrote.`,
    unreadable: (id: string, seq: number, fault: string) =>
      `Session ${id} cannot be read: event ${seq} is not one that Huddle writes (${fault}). It was left as it is; to look at it: huddle export ${id} --format jsonl`,
    damaged: (reason: string, id: string) =>
      `${reason} To save what can be read: huddle export ${id} --format jsonl --output saved.jsonl, then huddle import saved.jsonl --as saved`,
    heads: {
      id: 'id',
      when: 'last change (UTC)',
      team: 'team',
      members: 'members',
      turns: 'turns',
      state: 'state',
      title: 'first words',
      folder: 'folder',
    },
    states: {
      open: 'open elsewhere',
      interrupted: 'interrupted',
      paused: 'paused',
      stopped: 'stopped',
      failed: 'failed',
      waiting: 'waiting',
      done: 'done',
      empty: 'empty',
      damaged: 'damaged',
    },
    atLimit: 'paused: limit',
    waitingFor: (names: readonly string[]) => `waiting for ${names.join(', ')}`,
  },
  /** Where a stored conversation stands. */
  standing: {
    interrupted: (turnId: string, name: string) =>
      `${turnId} of ${name} was running when this was written; nothing of it came in.`,
    unfinished: (turnId: string, name: string) => `${turnId} of ${name} did not complete.`,
    queue: (names: readonly string[]) => `Waiting to speak: ${names.join(', ')}.`,
    awaited: (names: readonly string[]) => `The agents wait for ${names.join(' and ')}.`,
    pauses: {
      asked: 'Paused because somebody asked for it.',
      reopened: 'Paused because it was opened again while turns were waiting.',
      cancelled: 'Paused because somebody stopped it.',
    },
    nothing: 'Nothing is left to run; it is your turn.',
  },
  cost: {
    nothing: (id: string) => `No turn of session ${id} has said what it took.`,
    heads: {
      turn: 'turn',
      member: 'member',
      turns: 'turns',
      input: 'tokens in',
      cached: 'cached',
      output: 'tokens out',
      money: 'cost',
      price: 'price',
      all: 'all',
    },
    prices: { reported: 'reported', estimated: 'estimated', unknown: 'unknown' },
  },
  /** Why a member was sent what it was sent. */
  why: {
    unknownTurn: (turnId: string, started: readonly string[]) =>
      `There is no turn "${turnId}" in this session. ${started.length === 0 ? 'No turn has started in it' : `The latest: ${started.slice(-NAMES_SHOWN).reverse().join(', ')}`}.`,
    unknownMember: (name: string, known: readonly string[]) =>
      `There was no agent "${name}" in this session at that moment. There were: ${known.join(', ')}.`,
    title: (turnId: string, name: string, messageId: string) =>
      `${turnId}: what ${name} was sent when ${messageId} was the latest message`,
    sent: (bytes: number, max: number, session: string) =>
      `${formatNumber(bytes)} of ${formatNumber(max)} bytes, ${session}`,
    sessions: {
      new: 'in a new session of the agent',
      resume: 'in the session the agent had',
      fork: 'in a copy of the session the agent had',
    },
    hash: (sha256: string, isExact: boolean) =>
      `sha256 ${sha256}${isExact ? ', made again from the log byte for byte' : ''}`,
    notExact:
      'What was sent cannot be made again exactly: another version of Huddle made it. What follows is how this one would.',
    beside: (name: string) => `Beside it what ${name} would have been sent at the same moment:`,
    cut: (bytes: number) =>
      `${counted(formatNumber(bytes), 'byte was', 'bytes were')} cut off the end of the current message`,
    noTurnYet: 'No turn has started yet.',
    systemBeside: 'System text went beside the prompt; to see it: --system',
    noSystemText: 'No system text went beside the prompt.',
    heads: {
      section: 'section',
      bytes: 'bytes',
      first: 'messages',
      count: 'count',
      fate: 'in the prompt',
      all: 'all',
    },
    fates: {
      kept: 'yes',
      pinned: 'yes, because it made this turn happen',
      current: 'yes, as the current message',
      window: 'no: older than the window',
      budget: 'no: over the byte budget',
      duplicate: 'no: the same as the one before',
      seen: 'no: already in the session of the agent',
      'not-addressed': 'no: addressed to others',
    },
  },
  /** An exported page. */
  page: {
    rehearsal: 'rehearsal',
    task: 'Team task',
    taskCleared: 'cleared',
    failed: 'failed',
    requests: (count: number) => `${counted(count, 'request')} for leave`,
    toolCalls: (count: number) => counted(count, 'tool call'),
    changedFiles: (count: number) => counted(count, 'changed file'),
    prompt: (bytes: string, max: string) => `Prompt: ${bytes} of ${max} bytes`,
    ledger: (turns: number, money: string) => `Ledger: ${counted(turns, 'turn')}${money && `, ${money}`}`,
  },
  rehearsal: {
    noStateFolder: (folder: string, reason: string) =>
      `No temporary folder can be made in ${folder}: ${reason}. Set TMPDIR to a folder of yours.`,
    opening: (names: readonly string[]) =>
      `This is a rehearsal. Say in one sentence what you would do first. [NEXT: ${names.join(', ')}]`,
    demoTitle: 'Demo: simulated agents. No CLI is called and nothing is spent.',
    demoOpening:
      '[TEAM_TASK] Design a sign-in for the team wiki\n\nHow would you build it, and where is it weak? [NEXT: claude]',
    demoScript: {
      claude: [
        {
          text: [
            'I look at what the wiki has today.',
            'A signed cookie that holds a session id, and the sessions on the server. Codex, where does that break?',
          ],
          tools: [{ name: 'Read', input: 'src/server.ts', result: '120 lines' }],
          next: ['codex'],
        },
      ],
      codex: [
        {
          text: 'Where the signing key leaks. Change the key every week and accept the last two. Gemini, what would a user notice?',
          next: ['gemini'],
        },
      ],
      gemini: [{ text: 'Nothing, as long as the old key is accepted while the new one spreads.' }],
    },
    next: [
      'Next:',
      '  huddle init                a team file for this folder',
      '  huddle doctor              what is installed, and what is missing',
      '  huddle run "your message"  one conversation with your own agents',
      '  huddle --help              all commands',
    ],
  },
  teamCheck: {
    valid: (file: string, agents: number, people: number) =>
      `${file} is valid: ${counted(agents, 'agent')}, ${counted(people, 'person', 'people')}.`,
    member: (name: string, kind: string, details: readonly string[]) =>
      `  ${name}: ${[kind, ...details].join(', ')}`,
    permission: { read: 'may read', edit: 'may edit files', full: 'may do everything (unsandboxed)' },
    notHeld: 'runs with your rights',
    next: 'Next: huddle rehearse',
  },
  trust: {
    question: (folder: string) => `The team file in ${folder} starts these programs with your rights:`,
    builtIn: (folder: string) =>
      `There is no team file in ${folder}: Huddle starts these programs there, and they load the settings of that folder:`,
    worksIn: (folder: string) => `Agents work in ${folder}, and load the settings of that folder.`,
    programInside: (file: string) => `Starts a program that is inside this project: ${file}`,
    passedOver: (file: string) => `Not started, because it is inside this project: ${file}`,
    fileOutside: (folder: string, file: string) => `Reads a file outside ${folder}: ${file}`,
    noFolder: (folder: string) => `There is no folder ${folder}.`,
    howTo: (commands: readonly string[]) =>
      `Nobody has trusted that yet. Look through it, then run ${commands.join(' and ')}, or add --trust for this run only.`,
    changed: (date: string) => `Changed since you trusted it on ${date}:`,
    ask: 'Trust this folder? Type yes to trust: ',
    done: (folder: string) => `Trusted: ${folder}. You are asked again if the team changes.`,
    already: (folder: string, date: string) => `${folder} is trusted already, since ${date}.`,
    refused: 'Not trusted; nothing was started or changed',
    notInteractive: 'Nobody is here to ask. Look through the list, then run: huddle trust --yes',
    variables: (name: string, names: readonly string[]) =>
      `${name} gets these credentials if they are set: ${names.join(', ')}`,
  },
  /** Huddle inside a turn of Huddle. */
  nested: {
    noAgents: (turn: string) =>
      `This runs inside ${turn}, and a member cannot start agents of its own. To ask another member, hand over to it.`,
    onlyPeople: (turn: string) => `This runs inside ${turn}, and only people can do that.`,
    someTurn: 'a turn of Huddle',
  },
  doctor: {
    versions: (huddle: string, node: string, platform: string) =>
      `Huddle ${huddle}, Node ${node}, ${platform}`,
    found: (label: string, version: string | undefined, file: string) =>
      `${label} ${version ?? '(version unknown)'} at ${file}`,
    tested: (version: string) => `tested with ${version}`,
    older: (label: string, version: string) =>
      `Older than the tested ${version}: update ${label} if a turn fails.`,
    noVersion: (command: string) => `It did not say its version. Run \`${command} --version\` to see why.`,
    missing: (label: string) => `${label} is not installed`,
    install: (hint: string) => `To install: ${hint}`,
    login: { yes: 'logged in', no: 'not logged in', unknown: 'login unknown until its first turn' },
    team: (file: string, name: string, agents: number) =>
      `Team file ${file}: "${name}", ${counted(agents, 'agent')}`,
    noTeam: 'No team file: the team is what is installed',
    badTeam: (file: string, problems: number) =>
      `Team file ${file} has ${counted(problems, 'problem')}: huddle team check`,
    memberMissing: (name: string, command: string) => `Member ${name} needs ${command}, which is not on PATH`,
    trusted: (date: string) => `Folder trusted since ${date}`,
    notTrusted: 'Folder not trusted yet: programs would be started here',
    lookAndTrust: 'To look through them and allow them: huddle trust',
    dataFolder: (folder: string) => `Data folder ${folder}`,
    noDataFolder: (folder: string, reason: string) => `Data folder ${folder} cannot be used: ${reason}`,
    next: (command: string) => `Next: ${command}`,
  },
  help: {
    program: 'One conversation, every coding agent you already use, and you in the chair.',
    afterProgram: [
      'With no command, huddle opens an interactive conversation. With piped input it',
      'runs that as the message. The team is in huddle.jsonc here or in a folder above;',
      'without that file it is made of what is installed.',
      '',
      'Exit codes: 0 done, 1 failed, 2 usage, 3 waiting for a human, 4 not logged in,',
      '  5 limit reached, 65 session unreadable or newer, 69 agent missing,',
      '  74 cannot write, 75 session open elsewhere, 77 folder not trusted,',
      '  78 team file invalid, 128+n ended by signal n',
    ],
    examples: (lines: readonly string[]) => ['Examples:', ...lines.map((line) => `  ${line}`)],
    version: 'print the version',
    help: 'show help',
    helpCommand: 'show help of a command',
    message: 'what to say to the team; piped input is added',
    run: 'hold one conversation to its end',
    runExamples: [
      'huddle run "Where is the session cookie set?"',
      'huddle run "@codex Review the last commit" --max-turns 4 --max-usd 0.50',
      'git diff | huddle run "Review this" --output-format json > review.json',
      'huddle run -c "And what about the tests?"',
    ],
    rehearse: 'the same with stand-ins, showing every prompt',
    rehearseExamples: [
      'huddle rehearse',
      'huddle rehearse "[NEXT: max, sarah] What would you do first?"',
      'huddle rehearse --script replies.json --no-prompts',
    ],
    demo: 'show a short demo with simulated agents',
    init: 'write a first team file',
    presets: (presets: readonly (readonly [name: string, summary: string])[]) => [
      'Presets:',
      ...presets.map(([name, summary]) => `  ${name.padEnd(8)} ${summary}`),
    ],
    initExamples: ['huddle init', 'huddle init --preset review', 'huddle init --preset council --yes'],
    team: 'check the team file: huddle team check',
    teamCheck: 'check a team file and say everything that is wrong with it',
    teamCheckExamples: ['huddle team check', 'huddle team check teams/review.jsonc --json'],
    teamFile: 'the team file; default: huddle.jsonc here or in a folder above',
    doctor: 'say what works, what does not, what to do',
    doctorExamples: ['huddle doctor', "huddle doctor --json | jq '.agents[] | select(.file)'"],
    trust: 'let a team file start its programs',
    trustExamples: ['huddle trust', 'huddle trust ~/work/wiki --yes'],
    folder: 'the folder of the team file; default: where the nearest one is',
    sessions: 'list stored conversations',
    sessionsExamples: [
      'huddle sessions',
      'huddle sessions --all',
      "huddle sessions --json | jq -r '.[0].id'",
    ],
    show: 'print a stored conversation',
    showExamples: ['huddle show', 'huddle show 20261115-0212-9f3c'],
    resume: 'go on with a stored conversation',
    resumeExamples: [
      'huddle resume',
      'huddle resume 9f3c "Use the second design. [NEXT: max]"',
      'huddle resume 9f3c --retry',
    ],
    resumeMessage: 'what to say; without it a terminal opens the conversation',
    delete: 'delete a stored conversation for good',
    deleteExamples: ['huddle delete 20261115-0212-9f3c', 'huddle delete 9f3c --yes'],
    export: 'write a stored conversation down',
    exportExamples: [
      'huddle export > conversation.md',
      'huddle export 9f3c --format html --output review.html',
      'huddle export 9f3c --format jsonl | gzip > 9f3c.jsonl.gz',
    ],
    import: 'keep a conversation that was exported',
    importExamples: ['huddle import conversation.jsonl', 'huddle import old.jsonl --as wiki-1'],
    importFile: 'a file that huddle export --format jsonl wrote',
    cost: 'say what a stored conversation took',
    costExamples: ['huddle cost', "huddle cost 9f3c --json | jq '.total.usd'"],
    why: 'say what a member was sent in a turn',
    whyExamples: [
      'huddle why 3',
      'huddle why turn-3 --session 9f3c --prompt > prompt.txt',
      'huddle why 3 --beside sarah',
    ],
    completion: 'print a script that completes words with Tab',
    shell: 'your shell',
    completionWords: 'what is typed so far; with it the script asks how to go on',
    completionExamples: [
      'source <(huddle completion bash)     # in ~/.bashrc',
      'source <(huddle completion zsh)      # in ~/.zshrc, after compinit',
      'huddle completion fish | source      # in ~/.config/fish/config.fish',
    ],
    turn: 'the turn: turn-3, or 3',
    session: 'its id, or as much of it as only one has; default: the latest here',
    sessionRequired: 'its id, or as much of it as only one has',
    options: {
      file: 'read the message from a file',
      format: 'how to print the conversation',
      maxTurns: 'pause after this many agent turns in a row',
      maxUsd: 'pause when this much money is spent',
      team: 'use this team file',
      trust: 'trust what the team file starts, for this run only',
      ephemeral: 'keep nothing of the conversation',
      continue: 'go on with the latest session of this folder',
      all: 'those of other folders too',
      retry: 'run again what did not complete, and what was waiting',
      takeOver: 'whoever has it open is gone, on another machine for instance',
      exportFormat: 'how to write it',
      output: 'write to this file',
      as: 'keep it under this id',
      prompt: 'print the prompt, byte for byte',
      system: 'print the system text that went beside the prompt',
      beside: 'what this member would have been shown at the same moment',
      plain: 'lines only: for screen readers and dumb terminals',
      debugFile: 'write debug lines to this file',
      noPrompts: 'do not show what each member is sent',
      script: 'what the stand-ins answer: JSON, a list of turns for each member',
      preset: 'how the members work together',
      force: 'write over a team file that is there',
      json: 'print JSON',
      yes: 'do not ask',
    },
  },
};

function quoteUnknown({ name, nearest }: UnknownName): string {
  const short = truncateToBytes(name, NAME_BYTES);
  const quoted = `"${short}${short === name ? '' : '…'}"`;
  return nearest === undefined ? quoted : `${quoted} (did you mean ${nearest}?)`;
}
