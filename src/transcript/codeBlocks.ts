import { findInertText } from '../markers/inertText.js';

/** A part of a message: text, or what stands between the fences of a code block. */
export type MessagePart =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'code'; readonly text: string; readonly language: string };

/** Parts a message at its fenced code blocks. A fence that was never closed holds all that follows. */
export function splitAtCode(content: string): MessagePart[] {
  const parts: MessagePart[] = [];
  let position = 0;
  const pushText = (end: number): void => {
    // The line ends that part a text from its neighbours are not part of it.
    const text = content
      .slice(position, end)
      .replace(/^[\r\n]+/u, '')
      .trimEnd();
    if (text !== '') parts.push({ kind: 'text', text });
  };
  // Without a look into paragraphs: no block begins there.
  for (const { kind, start, end } of findInertText(content, () => false).blocks) {
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
