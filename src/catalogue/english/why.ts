import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

const NAMES_SHOWN = 5;

/** Sentences of `huddle why`. */
export const whyText = {
  unknownTurn: (turnId: string, started: readonly string[]) =>
    `No turn "${turnId}" in this session. ${started.length === 0 ? 'No turn has started in it' : `The latest: ${started.slice(-NAMES_SHOWN).reverse().join(', ')}`}.`,
  unknownMember: (name: string, known: readonly string[]) =>
    `No agent "${name}" in this session at that point. The agents were: ${known.join(', ')}.`,
  title: (turnId: string, name: string, messageId: string) =>
    `${turnId}: prompt sent to ${name} after ${messageId}`,
  sent: (bytes: number, max: number, session: string) =>
    `${formatNumber(bytes)} of ${formatNumber(max)} bytes, ${session}`,
  sessions: {
    new: 'new agent session',
    resume: 'resumed agent session',
    fork: "copy of the agent's session",
  },
  hash: (sha256: string, isExact: boolean) =>
    `sha256 ${sha256}${isExact ? ' (verified: rebuilt from the log byte for byte)' : ''}`,
  notExact:
    "The prompt can't be rebuilt exactly: it was made by another version of Huddle. This is how this version would make it.",
  compared: (name: string) => `Compared with what ${name} would have been sent at the same point:`,
  cut: (bytes: number) =>
    `${counted(formatNumber(bytes), 'byte was', 'bytes were')} cut from the end of the current message`,
  noTurnYet: 'No turn has started yet.',
  systemBeside: 'The system prompt was sent separately. To see it: --system',
  systemInChat: (turnId: string) => `The system prompt was sent separately. To see it: /why ${turnId} system`,
  howToAsk: (typed: string) =>
    `No turn "${typed}" in this session. /why 3 explains turn 3, /why 3 prompt shows the text it was sent.`,
  noSystemText: 'No system prompt was sent separately.',
  heads: {
    section: 'section',
    bytes: 'bytes',
    first: 'messages',
    count: 'count',
    inclusion: 'in the prompt',
    all: 'total',
  },
  /** Parts of a prompt. */
  sections: { system: 'system', task: 'task', context: 'context', files: 'files', message: 'message' },
  inclusions: {
    kept: 'yes',
    pinned: 'yes (triggered this turn)',
    current: 'yes (the current message)',
    window: 'no: older than the window',
    budget: 'no: over the byte budget',
    duplicate: 'no: duplicate',
    seen: "no: already in the agent's session",
    'not-addressed': 'no: addressed to others',
  },
};
