import { stripOuterMarkers } from '../../markers/outerMarkers.js';
import type { ConversationMessage } from '../../models/ConversationMessage.js';
import type { Block } from './Block.js';
import type { ShownSpeaker } from './speakers.js';

/** What somebody said, under their name. */
export function showMessage(speaker: ShownSpeaker, message: ConversationMessage): Block[] {
  const { content, routing } = message;
  return [
    { kind: 'heading', speaker, addressees: routing?.resolvedAddressees ?? [] },
    ...showText(content, message.speaker.type),
  ];
}

/** The words of somebody, if any are left without the markers that the screen tells beside them: an arrow, a task. */
export function showText(
  content: string,
  speakerType: ConversationMessage['speaker']['type'] = 'ai',
): Block[] {
  const text = stripOuterMarkers(content, speakerType === 'human' ? ['next', 'team-task'] : ['next']);
  return text === '' ? [] : [{ kind: 'text', text, tone: 'plain' }];
}
