import { LayoutAssembler } from '../LayoutAssembler.js';
import { bulletLine } from '../PromptLayout.js';

/** Titles in plain words, and a history without addressees. */
export class GeminiContextAssembler extends LayoutAssembler {
  constructor() {
    const titles = {
      system: 'Instructions:',
      task: 'Team Task:',
      context: 'Conversation so far:',
      files: 'Files changed:',
      message: 'Your task:',
    };
    super('google-gemini', { systemText: 'prompt', titles, historyLine: bulletLine });
  }
}
