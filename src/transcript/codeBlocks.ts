import { findInertText, type InertBlock } from '../markers/inertText.js';

/** A part of a message: text, or what stands between the fences of a code block. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

/** Parts a message at its fenced code blocks. A fence that was never closed holds all that follows. */
export function splitAtCode(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let position = 0;
  const pushText = (end: number): void => {
    const text = withoutLineEnds(content.slice(position, end));
    if (text !== '') parts.push({ kind: 'text', text });
  };
  for (const { kind, start, end } of findBlocks(content)) {
    if (kind !== 'fence' && kind !== 'unclosed-fence') continue;
    const lineStart = content.lastIndexOf('\n', start) + 1;
    const fence = readFence(content.slice(lineStart, end), kind === 'fence');
    pushText(lineStart + fence.indent);
    parts.push(fence.part);
    position = end;
  }
  pushText(content.length);
  return parts;
}

/** Code stands as far in as its fence; what is before that, the mark of a list, is text. */
function readFence(block: string, isClosed: boolean): { part: MessagePart; indent: number } {
  const [opening = '', ...lines] = block.split('\n');
  const fence = /(?:`{3,}|~{3,})[ \t]*([^\s`]*)/u.exec(opening);
  const [indent, language] = [fence?.index ?? 0, fence?.[1] ?? ''];
  const code = (isClosed ? lines.slice(0, -1) : lines).map((line) => {
    const blanks = /^[ \t]*/u.exec(line)?.[0].length ?? 0;
    return line.slice(Math.min(blanks, indent));
  });
  return { part: { kind: 'code', language, text: code.join('\n') }, indent };
}

/** Without a look into paragraphs: no block begins there. */
function findBlocks(content: string): readonly InertBlock[] {
  return findInertText(content, () => false).blocks;
}

/** What parts a text from its neighbours is not part of it. */
function withoutLineEnds(text: string): string {
  return text.replace(/^[\r\n]+/u, '').trimEnd();
}
