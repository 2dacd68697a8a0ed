import type { ConversationMessage } from '../../models/ConversationMessage.js';
import type { Block } from './Block.js';
import { cutHandOver, cutTask } from './cutMarkers.js';
import type { Speaker } from './speakers.js';

/** What somebody said, under their name. */
export function showMessage(speaker: Speaker, message: ConversationMessage): Block[] {
  const { content, routing } = message;
  return [
    { kind: 'heading', speaker, addressees: routing?.resolvedAddressees ?? [] },
    ...showText(message.speaker.type === 'human' ? cutTask(content) : content),
  ];
}

/** The words of somebody, if any are left of them without the hand-over. */
export function showText(content: string): Block[] {
  const text = cutHandOver(content);
  return text === '' ? [] : [{ kind: 'text', text, tone: 'plain' }];
}
