import { counted } from '../counted.js';

/** Sentences about saved sessions. */
export const sessionsText = {
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
  exists: (reason: string) => `${reason} To keep both: huddle import FILE --id <another id>`,
  notALog: (reason: string) => `${reason} What can be imported is what huddle export --format jsonl wrote.`,
  unreadable: (id: string, seq: number, fault: string) =>
    `Session ${id} cannot be read: event ${seq} is not one that Huddle writes (${fault}). It was left as it is; to look at it: huddle export ${id} --format jsonl`,
  damaged: (reason: string, id: string) =>
    `${reason} To save what can be read: huddle export ${id} --format jsonl --output saved.jsonl, then huddle import saved.jsonl --id saved`,
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
};
