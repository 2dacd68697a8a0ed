import { hiddenTarget } from '../../../markdown/hiddenTarget.js';
import type { MarkdownInline } from '../../../markdown/MarkdownBlock.js';
import type { Style, StyledSpan } from './StyledText.js';
import type { MarkdownLook } from './theme.js';

/** Text within a line in its forms. A link says where it leads. */
export function styleInlines(
  inlines: readonly MarkdownInline[],
  look: MarkdownLook,
  style: Style = look.text,
): StyledSpan[] {
  return inlines.flatMap((inline): StyledSpan[] => {
    switch (inline.kind) {
      case 'text':
        return [{ text: inline.text.replaceAll('\t', ' '), style }];
      case 'code':
        return [{ text: inline.text.replaceAll('\t', ' '), style: within(style, look.code) }];
      case 'line-break':
        return [{ text: '\n', style }];
      case 'link': {
        const target = hiddenTarget(inline);
        const words = styleInlines(inline.children, look, within(style, within(look.link, look.underline)));
        return target === '' ? words : [...words, { text: ` (${target})`, style: within(style, look.frame) }];
      }
      default:
        return styleInlines(inline.children, look, within(style, look[inline.kind]));
    }
  });
}

function within(outer: Style, inner: Style): Style {
  return (text) => outer(inner(text));
}
