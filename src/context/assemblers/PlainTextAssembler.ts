import { bareLine } from '../historyLine.js';
import { LayoutAssembler } from '../LayoutAssembler.js';
import type { PromptLayout } from '../PromptLayout.js';

const PLAIN_TEXT_LAYOUT: PromptLayout = {
  systemText: 'prompt',
  titles: {},
  historyLine: bareLine,
};

/** No titles at all: for agents nobody knows. */
export class PlainTextAssembler extends LayoutAssembler {
  constructor() {
    super('unknown', PLAIN_TEXT_LAYOUT);
  }
}
