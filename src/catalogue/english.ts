import type { LimitName } from '../models/ConversationEvent.js';
import { truncateToBytes } from '../utils/bytes.js';
import { formatNumber } from '../utils/formatNumber.js';
import { counted } from './counted.js';
import { cliText } from './english/cli.js';
import { costText } from './english/cost.js';
import { doctorText } from './english/doctor.js';
import { helpText } from './english/help.js';
import { nestedText } from './english/nested.js';
import { pageText } from './english/page.js';
import { printText } from './english/print.js';
import { rehearsalText } from './english/rehearsal.js';
import { sessionsText } from './english/sessions.js';
import { standingText } from './english/standing.js';
import { teamCheckText } from './english/teamCheck.js';
import { tellingText } from './english/telling.js';
import { trustText } from './english/trust.js';
import { whyText } from './english/why.js';

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
  telling: tellingText,
  print: printText,
  cli: cliText,
  sessions: sessionsText,
  standing: standingText,
  cost: costText,
  why: whyText,
  page: pageText,
  rehearsal: rehearsalText,
  teamCheck: teamCheckText,
  trust: trustText,
  nested: nestedText,
  doctor: doctorText,
  help: helpText,
};

function quoteUnknown({ name, nearest }: UnknownName): string {
  const short = truncateToBytes(name, NAME_BYTES);
  const quoted = `"${short}${short === name ? '' : '…'}"`;
  return nearest === undefined ? quoted : `${quoted} (did you mean ${nearest}?)`;
}
