import type { SpeakerType } from '../models/ConversationMessage.js';
import { stripMarkers } from './markers.js';
import { cleanMessage, type ParsedMessage, parseMessage } from './parseMessage.js';

/** The documents' name for reading the markers of a message. */
export class MessageRouter {
  parseMessage(
    message: string,
    speakerType: SpeakerType = 'human',
    memberNames: readonly string[] = [],
  ): ParsedMessage {
    assertText(message);
    return parseMessage(message, speakerType, memberNames);
  }

  stripNextMarkers(message: string): string {
    assertText(message);
    return stripMarkers(message, { kinds: ['next'] });
  }

  stripAllMarkersForContext(message: string, speakerType: SpeakerType = 'human'): string {
    assertText(message);
    return cleanMessage(message, speakerType);
  }
}

function assertText(message: unknown): asserts message is string {
  if (typeof message === 'string') return;
  throw new TypeError(`A message must be a string, not ${message === null ? 'null' : typeof message}`);
}
