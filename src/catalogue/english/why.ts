import { formatNumber } from '../../utils/formatNumber.js';
import { counted } from '../counted.js';

const NAMES_SHOWN = 5;

/** Sentences of `huddle why`. */
export const whyText = {
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
  compared: (name: string) => `Compared with what ${name} would have been sent at the same moment:`,
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
};
