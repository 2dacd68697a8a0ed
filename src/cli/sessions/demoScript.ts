import { writeFileSync } from 'node:fs';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { writePlainReplies } from './rehearsedReplies.js';

/** About 30 words a second: faster than a model, slow enough to watch. */
export const PACE_MILLISECONDS = 30;

/** Keeps the script of the simulated agents of a demo, which they read in every turn: the answers are about what a person said. */
export function keepDemoScript(conversation: Conversation, scriptFile: string): void {
  const { demoOpening, demoScript } = words.rehearsal;
  const write = (script: object) => writeFileSync(scriptFile, JSON.stringify(script));
  write(demoScript);
  conversation.subscribe((event) => {
    if (event.type === 'message-added' && event.message.speaker.type === 'human')
      write(event.message.content === demoOpening ? demoScript : writePlainReplies(conversation.team));
  });
}
