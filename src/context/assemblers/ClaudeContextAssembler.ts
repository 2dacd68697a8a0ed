import { LayoutAssembler } from '../LayoutAssembler.js';
import { arrowLine, BRACKETED_TITLES } from '../PromptLayout.js';

/** Bracketed sections; system text apart, for `--append-system-prompt`. */
export class ClaudeContextAssembler extends LayoutAssembler {
  constructor() {
    super('claude-code', { systemText: 'flag', titles: BRACKETED_TITLES, historyLine: arrowLine });
  }
}
