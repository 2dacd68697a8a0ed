import { findInertText, type InertBlock } from '../routing/inertText.js';

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
    pushText(lineStart);
    parts.push(readFence(content.slice(lineStart, end), kind === 'fence'));
    position = end;
  }
  pushText(content.length);
  return parts;
}

function readFence(block: string, isClosed: boolean): MessagePart {
  const [opening = '', ...lines] = block.split('\n');
  const [, language = ''] = /(?:`{3,}|~{3,})[ \t]*([^\s`]*)/u.exec(opening) ?? [];
  return { kind: 'code', language, text: (isClosed ? lines.slice(0, -1) : lines).join('\n') };
}

/**
 * The same message with a fence that was never closed closed at its end, so that it holds nothing of what comes after the
 * message. One in a list ends with the list.
 */
export function closeCode(content: string): string {
  const open = findBlocks(content).find(({ kind }) => kind === 'unclosed-fence');
  if (open === undefined) return content;
  const opening = content.slice(content.lastIndexOf('\n', open.start) + 1);
  const fence = /^(?:`{3,}|~{3,})/u.exec(opening)?.[0];
  return fence === undefined ? content : `${content}\n${fence}`;
}

/** Without a look into paragraphs: no block begins there. */
function findBlocks(content: string): readonly InertBlock[] {
  return findInertText(content, () => false).blocks;
}

/** What parts a text from its neighbours is not part of it. */
function withoutLineEnds(text: string): string {
  return text.replace(/^[\r\n]+/u, '').trimEnd();
}
