import { LayoutAssembler } from '../LayoutAssembler.js';
import { bareLine } from '../PromptLayout.js';

/** No titles at all: for unknown agents. */
export class PlainTextAssembler extends LayoutAssembler {
  constructor() {
    super('unknown', { systemText: 'prompt', titles: {}, historyLine: bareLine });
  }
}
