import type { MarkdownInline } from './MarkdownBlock.js';

/** The words of a text without their forms. */
export function plainTextOf(inlines: readonly MarkdownInline[]): string {
  return inlines
    .map((inline) =>
      inline.kind === 'line-break' ? '\n' : 'text' in inline ? inline.text : plainTextOf(inline.children),
    )
    .join('');
}
