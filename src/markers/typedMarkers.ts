import type { SpeakerType } from '../models/ConversationMessage.js';

/** `【NEXT：max】`, as a Chinese keyboard writes `[NEXT: max]`; as long as a marker may be. */
const LENTICULAR = /【((?:NEXT|FROM|TEAM_TASK)[:：][^【】]{0,4096}|TEAM_TASK)】/giu;

/**
 * A message as it is searched for markers, as long as it is: in what people say, their keyboards' brackets count. Agents
 * keep to the grammar that they are told.
 */
export function readTyped(message: string, speakerType: SpeakerType): string {
  return speakerType === 'human' && message.includes('【') ? message.replaceAll(LENTICULAR, '[$1]') : message;
}
