import { arrowLine } from '../historyLine.js';
import { LayoutAssembler } from '../LayoutAssembler.js';
import type { PromptLayout } from '../PromptLayout.js';

const CLAUDE_LAYOUT: PromptLayout = {
  systemText: 'flag',
  titles: { task: '[TEAM_TASK]', context: '[CONTEXT]', message: '[MESSAGE]' },
  historyLine: arrowLine,
};

/** Bracketed sections; system text apart, for `--append-system-prompt`. */
export class ClaudeContextAssembler extends LayoutAssembler {
  constructor() {
    super('claude-code', CLAUDE_LAYOUT);
  }
}
