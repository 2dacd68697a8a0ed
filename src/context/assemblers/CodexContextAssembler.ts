import { LayoutAssembler } from '../LayoutAssembler.js';
import { arrowLine, BRACKETED_TITLES } from '../PromptLayout.js';

/** Bracketed sections, system text among them. */
export class CodexContextAssembler extends LayoutAssembler {
  constructor() {
    const titles = { system: '[SYSTEM]', ...BRACKETED_TITLES };
    super('openai-codex', { systemText: 'prompt', titles, historyLine: arrowLine });
  }
}
