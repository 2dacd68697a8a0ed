import type { FileReason } from '../../utils/fileReason.js';
import { quoteForShell } from '../../utils/quoteForShell.js';
import { cassetteErrorText } from './cassetteErrors.js';
import { companyErrorText } from './company.js';
import { fileErrorText } from './fileErrors.js';
import { fleetErrorText } from './fleetErrors.js';
import { type ImportFault, importFaultText } from './importFaults.js';
import { reasonText, wordReason } from './reasons.js';
import { sharedErrorText } from './sharedErrors.js';
import { webErrorText } from './web.js';
import { workerErrorText } from './workerErrors.js';

export type { EventFault, ImportFault } from './importFaults.js';
export type { StoreDistrust, StoreLack, StoreUrlFault } from './sharedErrors.js';

/** Damages of a store. */
export type StoreDamage =
  | 'no-database'
  | 'bad-header'
  | 'not-ours'
  | 'bad-entry'
  | { readonly event: number; readonly isMissing: boolean }
  | { readonly said: string };

/** Something stored that has a version: a file, a line of a log, the log, or an event of a conversation. */
export type StoredThing =
  | { readonly file: string }
  | { readonly line: number }
  | { readonly event: number; readonly of: string }
  | 'log';

/** Reasons why there is no data folder. */
type DataFolderFault =
  | { readonly relative: string }
  | { readonly folder: string; readonly reason: FileReason }
  | { readonly home: 'unknown' };

/** The sentence of every error that people may read, from its facts. Errors have it as their `message`, for programs. */
export const errorText = {
  CONVERSATION_LOCKED: ({ id, pid, host }: { id: string; pid: number; host: string }) =>
    `Conversation ${id} is open in process ${pid} on ${host}. Close it there, or only read it.`,
  LEASE_LOST: ({ id }: { id: string }) =>
    `Conversation ${id} was taken over by another process; open it again.`,
  UNKNOWN_CONVERSATION: ({ id }: { id: string }) => `No conversation "${id}".`,
  CONVERSATION_EXISTS: ({ id }: { id: string }) => `A conversation "${id}" already exists.`,
  STORE_NEWER: ({ thing, found, known }: { thing: StoredThing; found: number; known: number }) =>
    `${nameThing(thing)} has version ${found}; this Huddle knows versions up to ${known}. Update Huddle to open it. Nothing was changed.`,
  STORE_OLDER: ({ thing }: { thing: StoredThing }) =>
    `${nameThing(thing)} is from before the first release of Huddle; this one cannot read it. ${typeof thing === 'object' && 'line' in thing ? 'Nothing was imported.' : 'Nothing was changed. Move it away to start with an empty one.'}`,
  STORE_DAMAGED: ({ file, id, damage, intactEvents }: StoreDamagedFacts) => {
    const where = id === undefined ? file : `Conversation ${id} in ${file}`;
    const rest =
      id === undefined
        ? 'Restore a copy, or move it away to start with an empty one.'
        : 'You can delete it; the others still work.';
    return `${where} is damaged: ${wordDamage(damage)}. The file was not changed. ${intactEvents === undefined ? rest : `Its first ${intactEvents} events can be read.`}`;
  },
  STORE_WRITE: ({ file, reason, freeBytes, use = 'write' }: StoreWriteFacts) => {
    const free = freeBytes === undefined ? '' : ` (${Math.floor(freeBytes / 1024)} KB free)`;
    const kept = use === 'write' ? 'Nothing was written; what' : 'What';
    return `Cannot use ${file}: ${wordStoreReason(reason)}${free}. ${kept} was saved before is still there.`;
  },
  STORE_UNAVAILABLE: ({ packageName }: { packageName: string }) =>
    `Sessions cannot be saved: this Node has no SQLite and ${packageName} is not installed. ` +
    `Run \`npm install ${packageName}\`, use Node 22.13 or newer, or continue in memory.`,
  INVALID_IMPORT: ({ line, fault }: { line: number; fault: ImportFault }) =>
    `Line ${line} cannot be imported: ${importFaultText(fault)}. Nothing was saved.`,
  TRUST_RECORD_DAMAGED: ({ file }: { file: string }) =>
    `The list of trusted folders, ${file}, is damaged. Repair it, or delete it and trust your folders again.`,
  FILE_LOCKED: ({
    file,
    pid,
    host,
  }: {
    file: string;
    pid?: number | undefined;
    host?: string | undefined;
  }) => {
    const who = pid === undefined ? 'Another process' : `Process ${pid} on ${host}`;
    return `${who} has held the lock ${file} for too long; nothing was changed. Try again when it is done. If it is gone: rm ${quoteForShell(file)}`;
  },
  DATA_FOLDER: (fault: DataFolderFault) => {
    if ('home' in fault) return 'No home folder found to save data in. Set HUDDLE_HOME to an absolute path.';
    return 'relative' in fault
      ? `HUDDLE_HOME is a relative path: ${fault.relative}. Set it to an absolute path, or unset it.`
      : `The data folder ${fault.folder} cannot be used: ${reasonInEnglish(fault.reason)}. Fix this, or set HUDDLE_HOME to another folder.`;
  },
  EMPTY_MESSAGE: (_: object) => 'The message is empty.',
  CONVERSATION_CLOSED: (_: object) => 'This conversation is closed; open it again to continue.',
  UNKNOWN_PERMISSION_REQUEST: ({ requestId }: { requestId: string }) =>
    `Request "${requestId}" is no longer pending.`,
  TITLE_TOO_LONG: ({ bytes, maxBytes }: { bytes: number; maxBytes: number }) =>
    `The title has ${bytes} bytes. Use at most ${maxBytes}.`,
  UNKNOWN_MESSAGE: ({ messageId, nearest }: { messageId: string; nearest?: string | undefined }) =>
    nearest === undefined
      ? `No message "${messageId}": this conversation has no messages.`
      : `No message "${messageId}" in this conversation. The nearest is ${nearest}.`,
  UNKNOWN_TURN: ({ turnId }: { turnId: string }) =>
    `No turn "${turnId}" in this conversation, or it never started.`,
  UNKNOWN_MEMBER: ({ memberId }: { memberId: string }) =>
    `No agent "${memberId}" in this conversation at that moment.`,
  UNKNOWN_SPEAKER: ({ name, people }: { name: string; people: readonly string[] }) =>
    `No person "${name}" in this team. People: ${people.join(', ') || 'none'}.`,
  UNKNOWN_AGENT_TYPE: ({ agentType, known }: { agentType: string; known: readonly string[] }) =>
    `There is no agent type "${agentType}". Known are: ${known.join(', ')}.`,
  FILES_NOT_WRITTEN: ({ reason, isPartial }: { reason: FileReason; isPartial: boolean }) =>
    isPartial
      ? `Only some of the files were written: ${reasonInEnglish(reason)}. Fix this, then run the same command again to finish.`
      : `The files cannot be written: ${reasonInEnglish(reason)}. Nothing was touched.`,
  READING_STOPPED: ({ why }: { why: 'slow' | 'died' | 'closed' }) => {
    if (why === 'closed') return 'Huddle is closing; nothing more is read.';
    return why === 'slow'
      ? 'Reading this conversation took too long and was stopped. Try again, or use the command line.'
      : 'Reading this conversation was interrupted. Try again.';
  },
  ...fileErrorText,
  ...cassetteErrorText,
  ...workerErrorText,
  ...fleetErrorText,
  ...sharedErrorText,
  ...companyErrorText,
  ...webErrorText,
};

type StoreDamagedFacts = {
  readonly file: string;
  readonly id?: string | undefined;
  readonly damage: StoreDamage;
  readonly intactEvents?: number | undefined;
};

type StoreWriteFacts = {
  readonly file: string;
  readonly reason: FileReason;
  readonly freeBytes?: number | undefined;
  readonly use?: 'read' | 'write' | undefined;
};

/** Facts of the errors that people may read, by code. */
export type ErrorFacts = {
  readonly [Code in keyof typeof errorText]: Parameters<(typeof errorText)[Code]>[0];
};

/** A reason in English, for what agents and logs are told. */
export function reasonInEnglish(reason: FileReason): string {
  return wordReason(reason, reasonText);
}

function nameThing(thing: StoredThing): string {
  if (thing === 'log') return 'The log';
  if ('file' in thing) return thing.file;
  return 'line' in thing ? `Line ${thing.line}` : `Event ${thing.event} of ${thing.of}`;
}

/** The code of the system is left out: the sentence has more to say. */
function wordStoreReason(reason: FileReason): string {
  return 'errno' in reason ? (reasonText.system[reason.errno] ?? reason.errno) : reasonInEnglish(reason);
}

const DAMAGES = {
  'no-database': 'it is not a database',
  'bad-header': 'its header is not as it was written',
  'not-ours': 'it is not a store of Huddle',
  'bad-entry': 'its entry is not as it was written',
};

function wordDamage(damage: StoreDamage): string {
  if (typeof damage === 'string') return DAMAGES[damage];
  if ('said' in damage) return damage.said;
  return `event ${damage.event} is ${damage.isMissing ? 'missing' : 'not as it was written'}`;
}
