import type { LimitName } from '../models/ConversationEvent.js';
import { truncateToBytes } from '../utils/bytes.js';

const NAMES_SHOWN = 5;
const NAME_BYTES = 60;

interface UnknownName {
  readonly name: string;
  readonly nearest?: string;
}

/** Every sentence a conversation says to people. Another language is one more object of this shape. */
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
    `The queue is full (${max} turns wait); not queued: ${names.join(', ')}.`,
  markerInOpenFence: () => 'A marker did nothing, because the code block before it was never closed.',
  claimedFrom: (speaker: string, claimed: string) =>
    `${speaker} wrote as "${claimed}"; it counts as ${speaker}.`,
  taskFromAgent: (speaker: string) => `${speaker} tried to set the team task; only people can.`,
  emptyReply: (name: string) => `${name} replied with nothing.`,
  promptTrimmed: (name: string, bytes: number) =>
    `The message was too large for ${name}'s budget: the last ${bytes} bytes were cut.`,
  unknownSpeaker: (name: string | undefined, people: readonly string[]) =>
    people.length === 0
      ? 'There is no person in this team who could say that; add a member of type "human".'
      : `There is no person "${name}" in this team. People: ${people.join(', ')}.`,
  emptyMessage: () => 'There is nothing in this message; write something to send.',
  agentBroke: (name: string, reason: string) => `${name}: the turn could not be run (${reason})`,
  agentBrokeHint: () => 'Check this member in the team file, then send the message again.',
  endedWithoutEnd: () => 'it stopped without saying how it ended',
  conversationClosed: () => 'This conversation is closed; open it again to go on.',
  noAgent: () => 'There is no agent to answer.',
  promptBudgetHint: () => 'Shorten it, or raise context.maxBytes in the team file.',
  limits: {
    agentTurns: (max: number) => `${max} agent turns in a row without a person`,
    pairTurns: (max: number) => `${max} turns back and forth between the same two agents`,
    sameAnswer: (max: number) => `the same answer ${max} times`,
    tokens: (max: number) => `${max} tokens`,
    usd: (max: number) => `${max} US dollars`,
  } satisfies Record<LimitName, (max: number) => string>,
};

function quoteUnknown({ name, nearest }: UnknownName): string {
  const short = truncateToBytes(name, NAME_BYTES);
  const quoted = `"${short}${short === name ? '' : '…'}"`;
  return nearest === undefined ? quoted : `${quoted} (did you mean ${nearest}?)`;
}
