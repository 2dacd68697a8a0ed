import { counted } from '../counted.js';

/** Words of the log of a conversation on the page, and of the texts in it. */
export const webLogText = {
  log: 'Messages',
  copy: 'Copy',
  copied: 'Copied',
  notCopied: "Can't copy",
  copyText: 'Copy the text of this message',
  copyCode: 'Copy this code',
  showRest: (size: string) => `Show the rest (${size})`,
  newRows: (count: number) => `↓ ${count} new`,
  toEnd: '↓ Latest',
  loadingOlder: 'Loading older messages …',
  notLoaded: (reason: string) => `Older messages could not be loaded: ${reason}`,
  tryAgain: 'Try again',
  tools: (count: number) => counted(count, 'tool'),
  files: (count: number) => counted(count, 'file'),
  requests: (count: number) => counted(count, 'permission request'),
  /** Links to the panels. */
  why: (turnId: string) => `Why: what was sent in ${turnId}`,
  changes: 'Changes',
  changesOf: (turnId: string) => `Changes of ${turnId}`,
  /** After the name of a member that works. */
  doing: {
    thinking: () => 'thinking',
    replying: () => 'replying',
    running: (tool: string) => `running ${tool}`,
    retrying: () => 'retrying',
    waiting: (tool: string) => `waiting for approval: ${tool}`,
  },
  blindRound: 'Blind round: the answers appear together when everyone has finished.',
  plan: (done: number, total: number) => `Plan: ${done} of ${total} done`,
  draft: (characters: string) => `draft, not delivered (${counted(characters, 'character')})`,
  notShown: "This entry can't be shown. It may be from another version of Huddle.",
  started: (names: readonly string[]) => `Members: ${names.join(', ')}`,
};
