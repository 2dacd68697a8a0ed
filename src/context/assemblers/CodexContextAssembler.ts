import { arrowLine } from '../historyLine.js';
import { LayoutAssembler } from '../LayoutAssembler.js';
import type { PromptLayout } from '../PromptLayout.js';

const CODEX_LAYOUT: PromptLayout = {
  systemText: 'prompt',
  titles: { system: '[SYSTEM]', task: '[TEAM_TASK]', context: '[CONTEXT]', message: '[MESSAGE]' },
  historyLine: arrowLine,
};

/** Bracketed sections, system text among them. */
export class CodexContextAssembler extends LayoutAssembler {
  constructor() {
    super('openai-codex', CODEX_LAYOUT);
  }
}
