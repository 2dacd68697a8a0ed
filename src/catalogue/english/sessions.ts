import type { LimitName } from '../../models/ConversationEvent.js';
import { counted } from '../counted.js';
import { tellingText } from './telling.js';

/** Sentences about saved sessions. */
export const sessionsText = {
  /** `huddle` is what to type for it here: `huddle`, or with the store that the command line names. */
  kept: (id: string, huddle: string) =>
    `Saved as ${id}. To continue: ${huddle} -c (in scripts: ${huddle} resume ${id} "message")`,
  closed: (id: string, huddle: string) => `Saved as ${id}. To continue: ${huddle} -c`,
  left: (id: string) => `Saved as ${id}. To return: /resume ${id}`,
  newSession: 'New session.',
  sameSession: 'This is that session.',
  notRehearsed: (id: string) =>
    `Session ${id} ran real agents, and this is a dry run. Exit, then: huddle resume ${id}`,
  notKept: 'No messages, so nothing was saved.',
  none: 'No saved sessions yet. Every conversation is saved unless you pass --ephemeral.',
  noneHere: (id: string, folder: string | undefined) =>
    `No saved sessions in this folder. The latest elsewhere: ${id}${folder === undefined ? '' : `, in ${folder}`}. List all: huddle sessions --all`,
  elsewhere: (count: number) => `${counted(count, 'session')} in other folders: huddle sessions --all`,
  ofOthers: (huddle: string) => `Other sessions of the shared store: ${huddle} sessions --all`,
  onlyLatest: (count: number) =>
    `The latest ${count} are shown. To find others: huddle sessions --search "text"`,
  noneHereYet: 'No saved sessions in this folder.',
  unknown: (word: string, near: string | undefined, latest: readonly string[]) =>
    `No session "${word}". ${near === undefined ? `The latest: ${latest.join(', ')}.` : `Did you mean ${near}?`} List all: huddle sessions --all`,
  ambiguous: (word: string, count: number, ids: readonly string[]) =>
    `"${word}" matches ${count} sessions: ${ids.join(', ')}${count > ids.length ? ', …' : ''}. Type more of the id.`,
  unavailable: (reason: string) => `${reason} To run without saving: huddle run --ephemeral "your message"`,
  unusable: (reason: string) =>
    `${reason} Fix this, or set HUDDLE_HOME to another folder. To run without saving: huddle run --ephemeral "your message"`,
  otherTeam: (id: string, names: readonly string[], folder: string | undefined) =>
    `Session ${id} used ${names.join(', ')}; none of them is in this team. Go to its folder${folder === undefined ? '' : `, ${folder}`}, or name its team file with --team.`,
  membersGone: (names: readonly string[]) =>
    `No longer in the team: ${names.join(', ')}. Their messages stay; they are no longer asked.`,
  roleChanged: (name: string, before: string, now: string) =>
    `${name} had the role "${before}" when this session began, and has "${now}" in the team file now. Messages sent as ${now} will not be shown as ${name}'s here. Start a new session, or set "role" of ${name} back to "${before}".`,
  openElsewhere: (reason: string, id: string) =>
    `${reason} If that process is dead: huddle resume ${id} --take-over, with your message.`,
  continuing: (id: string, messages: number, title: string) =>
    `Session ${id}, ${counted(messages, 'message')}: ${title}`,
  toContinue: (id: string, huddle: string) => `To continue: ${huddle} resume ${id} "message"`,
  openNow: 'Open in another process. Continue there or close it; huddle show still works.',
  toRetry: (id: string, huddle: string) => `To retry unfinished turns: ${huddle} resume ${id} --retry`,
  picker: {
    question: 'Resume which session?',
    asked: (question: string, filter: string) => (filter === '' ? question : `${question} ${filter}`),
    keys: (marked: number, count: number) =>
      `  ↑↓ to move, type to filter, Enter to open, Esc to cancel (${marked}/${count})`,
    noMatch: 'No matching session',
    askNumber: (count: number) => `Resume which session? [1-${count}, Enter for 1] `,
    noSuchNumber: (word: string) => `No number "${word}" in this list.`,
  },
  messageAsId: (message: string) =>
    `The id comes first. To send that in the latest session here: huddle run -c "${message}"`,
  messageOrRetry: 'Give either a message or --retry, not both.',
  notFound: (text: string) => `No saved session mentions "${text}".`,
  notFoundHere: (text: string) =>
    `No saved session in this folder mentions "${text}". To search all folders: huddle sessions --all --search "${text}"`,
  renamed: (id: string, title: string) => `Renamed ${id}: ${title}`,
  deleteWhat: 'Give either the id of a session or --older-than, such as --older-than 30d.',
  nothingOld: (age: string, isEverywhere: boolean) =>
    isEverywhere
      ? `No saved sessions older than ${age}.`
      : `No saved sessions older than ${age} in this folder. All folders: add --all`,
  toDeleteOld: (count: number, age: string, isEverywhere: boolean) =>
    `Permanently delete ${counted(count, 'session')} older than ${age} in ${isEverywhere ? 'all folders' : 'this folder'}? [y/N]`,
  deleteOldUnasked: (count: number) =>
    `Can't ask here (no terminal). Add --yes to delete ${counted(count, 'session')}.`,
  toDelete: (id: string, messages: number, title: string) =>
    `Permanently delete session ${id} (${counted(messages, 'message')}: ${title})? [y/N]`,
  deleteUnasked: (id: string) => `Can't ask here (no terminal). Add --yes to delete ${id}.`,
  notDeleted: 'Not deleted.',
  deleted: (id: string) => `Deleted: ${id}`,
  exported: (id: string, file: string) => `Exported session ${id} to ${file}`,
  exportedTo: (file: string) => `Exported to ${file}`,
  exportExists: (file: string) => `${file} already exists. Choose another name.`,
  cannotExportHere: (file: string, reason: string) =>
    `${file} cannot be written: ${reason}. Choose another name.`,
  unknownFormat: (extension: string, known: readonly string[]) =>
    `Cannot export as ${extension}. Use ${known.slice(0, -1).join(', ')} or ${known.at(-1)}.`,
  cannotExport: (file: string, reason: string) =>
    `${file} cannot be written: ${reason}. The session is unchanged. To write elsewhere: --output FILE`,
  imported: (id: string) => `Imported: ${id}`,
  unsafeId: (id: string) => `"${id}" cannot be an id: 1 to 64 letters, digits and hyphens, such as wiki-1.`,
  exists: (reason: string) => `${reason} To keep both: huddle import FILE --id <another id>`,
  notALog: (reason: string) => `${reason} Huddle imports only what huddle export --format jsonl wrote.`,
  unreadable: (id: string, seq: number, fault: string) =>
    `Session ${id} cannot be read: event ${seq} is not one that Huddle writes (${fault}). Nothing was changed. To look at it: huddle export ${id} --format jsonl`,
  damaged: (reason: string, id: string) =>
    `${reason} To save the readable part: huddle export ${id} --format jsonl --output saved.jsonl, then huddle import saved.jsonl --id saved`,
  heads: {
    id: 'id',
    when: 'updated',
    team: 'team',
    members: 'members',
    turns: 'turns',
    state: 'state',
    title: 'title',
    folder: 'folder',
    holder: 'held by',
    origin: 'forked from',
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
  /** In a list, before its title. */
  replayOf: (id: string, title: string) => `replay of ${id}: ${title}`,
  isReplayOf: (id: string) => `Replay of ${id}.`,
  atLimit: 'paused: limit',
  waitingFor: (names: readonly string[]) => `waiting for ${names.join(', ')}`,
};

/** Sentences about forks of sessions. */
export const forksText = {
  forked: (id: string) => `Forked: ${id}`,
  copied: (from: string, messageId: string | undefined) =>
    messageId === undefined
      ? `Copied the team of ${from}, without messages.`
      : `Copied ${from} up to ${messageId}.`,
  /** A blind round is never cut apart. */
  moved: (asked: string) =>
    `${asked} is in the middle of a blind round, so the cut is where the whole round is included or left out.`,
  dropped: (names: readonly string[]) =>
    `Dropped from the queue: ${names.join(', ')}. To keep it: --keep-queue`,
  droppedInChat: (names: readonly string[]) => `Dropped from the queue: ${names.join(', ')}.`,
  toUndo: (commands: readonly string[]) =>
    `Files stay as they are. To undo what was changed since: ${commands.join(', then ')}`,
  toSwitch: (id: string) => `To switch to it: /resume ${id}`,
  exists: (reason: string) => `${reason} Choose another one with --id.`,
  empty: (id: string) => `Session ${id} has no messages to fork at.`,
  nothingSaid: 'No messages yet.',
  whichMessage: 'Name the message to go back to:',
  rewindWith: (command: string) => `For instance: ${command}.`,
};

/** Sentences of a printed conversation. */
export const printText = {
  team: (members: readonly string[]) => `Team: ${members.join(', ')}.`,
  startsAgain: '[the agent restarts its reply]',
  working: (doing: string, duration: string) => `${doing} · ${duration} · Ctrl-C to stop`,
  promptFor: (name: string, bytes: number) => `prompt for ${name}: ${counted(bytes, 'byte')}`,
  systemPrompt: 'system prompt:',
  asPrompt: 'prompt:',
  tool: (name: string, tool: string, input: string) =>
    `${tellingText.doing.running(name, tool)}${input && `: ${input}`}`,
  ranTool: (name: string, tool: string, input: string) => `${name} ran ${tool}${input && `: ${input}`}`,
  toolFailed: (name: string, tool: string, result: string) =>
    `${name}: ${tool} failed${result && `: ${result}`}`,
  plan: (name: string, done: number, all: number) => `${name}'s plan: ${done} of ${all} done`,
  permissionRequest: (name: string, request: string) => `${name} asks for permission: ${request}`,
  /** A failure of a turn, what is left of its reply, and what to do. */
  trouble: (what: string, draftCharacters: number, hint: string) =>
    `${what}; ${draftCharacters === 0 ? 'no reply received' : `draft kept (${counted(draftCharacters, 'character')}), not delivered`}. ${hint}`.trimEnd(),
  toContinue: {
    agentTurns: 'To continue, rerun with a larger --max-turns, or raise limits.agentTurns in the team file.',
    pairTurns: 'To continue, raise limits.pairTurns in the team file and rerun.',
    sameAnswer: 'They repeat themselves: ask something else, or raise limits.sameAnswer in the team file.',
    checkRounds: 'The check keeps failing: look at it, or raise limits.checkRounds in the team file.',
    tokens: 'To spend more, raise limits.tokens in the team file and rerun.',
    usd: 'To spend more, rerun with a larger --max-usd, or raise limits.usd in the team file.',
  } satisfies Record<LimitName, string>,
  toResume: (id: string) => `To continue: huddle resume ${id}`,
  afterReader: 'Review the changes with huddle diff, then continue.',
  noRecipient: 'No agent was asked. Name one with @name or [NEXT: name].',
  notRun: (names: readonly string[]) => `Skipped: ${names.join(', ')}.`,
  waiting: (names: readonly string[]) => `Waiting for ${names.join(' and ')} to reply.`,
  turns: (turns: number, duration: string) => `${counted(turns, 'turn')} in ${duration}`,
  unpriced: (what: readonly string[]) => `no price for ${what.join(', ')}`,
  nothingSpent: 'dry run, no cost',
  played: 'played, no cost',
};
