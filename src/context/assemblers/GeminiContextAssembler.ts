import { bulletLine } from '../historyLine.js';
import { LayoutAssembler } from '../LayoutAssembler.js';
import type { PromptLayout } from '../PromptLayout.js';

const GEMINI_LAYOUT: PromptLayout = {
  systemText: 'prompt',
  titles: {
    system: 'Instructions:',
    task: 'Team Task:',
    context: 'Conversation so far:',
    message: 'Your task:',
  },
  historyLine: bulletLine,
};

/** Titles in plain words, and a history without addressees. */
export class GeminiContextAssembler extends LayoutAssembler {
  constructor() {
    super('google-gemini', GEMINI_LAYOUT);
  }
}
