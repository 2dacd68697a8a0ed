import type { ContextManager } from '../context/ContextManager.js';
import type { ConversationState } from '../conversation/ConversationState.js';
import { parseMessage } from '../markers/parseMessage.js';
import type { ConversationFact } from '../models/ConversationEvent.js';
import type { ConversationMessage, MessageSource, NewMessage } from '../models/ConversationMessage.js';
import { HuddleError } from '../models/errors.js';
import type { TurnId } from '../models/ids.js';
import type { Member, Team } from '../models/Team.js';
import { EVERY_AGENT } from '../routing/addressees.js';
import { claimsAnother, routeMessage } from '../routing/routeMessage.js';
import { type AskingProgram, requireHuman, requireSpeaker, sanitizeSource } from '../routing/teamMembers.js';
import { isBlank } from '../utils/isBlank.js';
import type { SendOptions } from './Conversation.js';

/** A message that is not recorded yet; `turnId` when it is an agent's answer. */
export interface IncomingMessage {
  readonly content: string;
  readonly speaker: Member | AskingProgram;
  readonly turnId?: TurnId;
  readonly via?: MessageSource | undefined;
}

/** All that decides what follows from a message now. */
export interface RoutingInput {
  readonly team: Team;
  readonly state: ConversationState;
  readonly context: ContextManager;
}

export interface PreparedMessage {
  /** As it will be kept. */
  readonly message: ConversationMessage;
  /** The message and everything that follows from it, to be written down together. */
  readonly facts: readonly ConversationFact[];
}

export interface RoutedMessage extends PreparedMessage {
  /** It only sets the task, so that a pause stays a pause. */
  readonly isAside: boolean;
}

/** Prepares what a person or a program says. Throws EMPTY_MESSAGE, UNKNOWN_SPEAKER. */
export function prepareSaid(content: string, options: SendOptions, moment: RoutingInput): RoutedMessage {
  const via = options.via && sanitizeSource(options.via);
  const speaker = requireSpeaker(moment.team, { as: options.as, via });
  if (isBlank(content)) throw new HuddleError('EMPTY_MESSAGE', {});
  return prepareMessage({ content, speaker, via }, moment);
}

/** Works out what a message brings about; nothing has happened yet. */
export function prepareMessage(
  { content, speaker, turnId, via }: IncomingMessage,
  { team, state, context }: RoutingInput,
): RoutedMessage {
  const parsed = parseMessage(content, speaker.type, namesToCall(team, speaker));
  const route = routeMessage(parsed, speaker, team, state);
  const addressees = route.addressees.map(({ name }) => name);
  const claimedFrom = claimsAnother(parsed, speaker) ? parsed.claimedFrom : null;
  const routing = {
    ...(addressees.length > 0 && { resolvedAddressees: addressees }),
    ...(claimedFrom !== null && { claimedFrom }),
  };
  const message = context.previewMessage({ content, speaker: introduceMember(speaker), routing, via });
  const { followUp, isAside } = route;
  return { message, facts: [{ type: 'message-added', message, turnId }, ...followUp(message.id)], isAside };
}

/** Whether a person's message names who is to reply, be it someone who is not there. */
export function namesRecipients(content: string, team: Team, as?: string): boolean {
  const names = namesToCall(team, requireHuman(team, as));
  return parseMessage(content, 'human', names).addressees.length > 0;
}

/** Names that a speaker may call by `@name`: each other member, and the name of all agents at once. */
function namesToCall({ members }: Team, speaker: Member | AskingProgram): readonly string[] {
  return [...members.filter((member) => member !== speaker).map(({ name }) => name), EVERY_AGENT];
}

/** A member, or a program that asks, as the speaker of a message. */
export function introduceMember({ id, name, title, type }: Member | AskingProgram): NewMessage['speaker'] {
  return { roleId: id, roleName: name, roleTitle: title, type };
}
