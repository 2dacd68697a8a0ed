import type { HighlightCode } from '../../../../markdown/highlightCode.js';
import { mayHaveCode, parseText } from './parseText.js';
import type { ParseNews, ParseOrder } from './TextParser.js';

/** The worker's own end of the line. The types of a page know only the other one. */
const line = self as unknown as {
  onmessage: ((event: MessageEvent<ParseOrder>) => void) | null;
  postMessage(news: ParseNews): void;
};

/** Loaded for the first code. */
let highlighting: Promise<HighlightCode> | undefined;

line.onmessage = ({ data }) => void parse(data);
line.postMessage({ kind: 'ready' });

async function parse({ id, text, hasColours }: ParseOrder): Promise<void> {
  const highlight = hasColours && mayHaveCode(text) ? await loadHighlight() : undefined;
  line.postMessage({ kind: 'begun', id });
  const parsed = parseText(text, highlight);
  line.postMessage({ kind: 'parsed', id, parsed });
}

function loadHighlight(): Promise<HighlightCode> {
  highlighting ??= import('../../../../markdown/highlightCode.js').then(({ highlightCode }) => highlightCode);
  return highlighting;
}
