import { assertNever } from '../../utils/assertNever.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../utils/sanitize.js';
import type { Block } from './Block.js';
import { formatDiff, formatRequest } from './renderRequest.js';

/** Before what was said, and what our own sentences go on with: at the left edge it says who speaks, and nobody can write there. */
const INDENT = '  ';

/** A block as lines without any form: no colour, no width. Whatever it says is made harmless here. */
export function formatBlock(block: Block): string {
  switch (block.kind) {
    case 'heading': {
      const { name, title } = block.speaker;
      const who = title === undefined ? name : `${name} (${title})`;
      const whom = block.addressees.length === 0 ? '' : ` → ${block.addressees.join(', ')}`;
      return sanitizeToOneLine(`${who}${whom}:`);
    }
    case 'member': {
      const { name, title } = block.speaker;
      return sanitizeToOneLine(`${name}: ${title === undefined ? '' : `${title} · `}${block.description}`);
    }
    case 'text':
      return indent(sanitizeForTerminal(block.text));
    case 'note':
      return sanitizeForTerminal(block.text).replace(/\n(?=.)/gu, `\n${INDENT}`);
    case 'line': {
      const { icon, text, detail = '', aside = '' } = block;
      const left = [`${icon} ${text}`.trim(), detail].filter((part) => part !== '').join(' · ');
      return sanitizeToOneLine([left, aside].filter((part) => part !== '').join('  '));
    }
    case 'ending': {
      const whom = block.addressees.length === 0 ? '' : `→ ${block.addressees.join(', ')} `;
      return sanitizeToOneLine(`${whom}(${block.aside})`);
    }
    case 'details':
      return indent(sanitizeForTerminal(`${block.title === '' ? '' : `${block.title}\n`}${block.text}`));
    case 'request':
      return formatRequest(block);
    case 'diff':
      return indent(formatDiff(block));
    default:
      return assertNever(block);
  }
}

function indent(text: string): string {
  return text.replace(/^(?=.)/gmu, INDENT);
}
