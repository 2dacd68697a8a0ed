import type { MessageId } from './ids.js';

export type SpeakerType = 'human' | 'ai' | 'system';

export interface Speaker {
  readonly roleId: string;
  readonly roleName: string;
  readonly roleTitle?: string;
  readonly type: SpeakerType;
}

export interface MessageRouting {
  /** Names of the members this message goes to; missing or empty means everybody. */
  readonly resolvedAddressees?: readonly string[];
  /** The sender the text itself claims, if that differs from the speaker. Never trusted, only shown. */
  readonly claimedFrom?: string;
}

/** The program through which a message came. */
export interface MessageSource {
  /** `mcp`: the program itself asks. `acp`: a person speaks, in an editor. */
  readonly kind: 'mcp' | 'acp';
  /** The name by which the program introduced itself. */
  readonly name: string;
}

/** The one message that travels everywhere: context, log, events and screen. */
export interface ConversationMessage {
  readonly id: MessageId;
  /** The raw text as it was said, markers included. */
  readonly content: string;
  readonly speaker: Speaker;
  /** Epoch milliseconds. For people to read; never used to order messages. */
  readonly timestamp: number;
  readonly routing?: MessageRouting;
  readonly via?: MessageSource;
  /** The role on whose machine an agent answered, in a shared store, if another one began the conversation. Made when it is read. */
  readonly machine?: string;
}

/** Whether a message asks the team: a person's, or a program's that came through MCP. Only a person's grants anything. */
export function asksTeam({ speaker, via }: Pick<ConversationMessage, 'speaker' | 'via'>): boolean {
  return speaker.type === 'human' || (speaker.type === 'system' && via?.kind === 'mcp');
}

/** A message as the caller gives it: without an id; missing fields are filled in. */
export interface NewMessage {
  readonly content: string;
  readonly speaker: Pick<Speaker, 'roleId'> & Partial<Speaker>;
  readonly timestamp?: number | Date;
  readonly routing?: MessageRouting;
  readonly via?: MessageSource;
}
