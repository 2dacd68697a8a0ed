import type { EditorTheme } from '@earendil-works/pi-tui';
import type { CodeKind, HighlightCode } from '../../../markdown/highlightCode.js';
import type { ShownMember } from '../../../presentation/Block.js';
import type { Tone } from '../screen/Paragraph.js';
import type { Style } from './StyledText.js';

/** The look of things. Only the sixteen colours of the terminal, so that it looks like the rest of the user's screen. */
export interface Theme {
  readonly tones: Readonly<Record<Tone, Style>>;
  /** People have no place and no colour. */
  name(member: ShownMember): Style;
  readonly markdown: MarkdownLook;
  /** For what does not count: the same shapes without colours. */
  readonly quietMarkdown: MarkdownLook;
  readonly editor: EditorTheme;
  /** Without it code has no colours. */
  readonly highlight?: HighlightCode;
}

/** The look of what was said, by what it is. */
export interface MarkdownLook {
  readonly text: Style;
  readonly strong: Style;
  readonly emphasis: Style;
  readonly strike: Style;
  readonly underline: Style;
  readonly code: Style;
  readonly link: Style;
  /** For rules, marks of lists, and the targets of links. */
  readonly frame: Style;
  readonly codeKinds: Readonly<Record<CodeKind, Style>>;
}

/** Cyan, magenta, yellow, green, blue, and their bright ones: by place in the team, so that no one changes colour. Red is for errors. */
const AGENT_COLOURS = [36, 35, 33, 32, 34, 96, 95, 93, 92, 94];

export function createTheme(hasColour: boolean, highlight?: HighlightCode): Theme {
  const colour = (code: number): Style => (hasColour ? sgr(code, 39) : unchanged);
  const strong = sgr(1, 22);
  const quiet = sgr(2, 22);
  const agentColours = AGENT_COLOURS.map(colour);
  const cyan = colour(36);
  const shapes: MarkdownLook = {
    text: unchanged,
    strong,
    emphasis: sgr(3, 23),
    strike: sgr(9, 29),
    underline: sgr(4, 24),
    code: unchanged,
    link: unchanged,
    frame: quiet,
    codeKinds: {
      keyword: colour(35),
      string: colour(32),
      number: colour(33),
      comment: quiet,
      title: colour(94),
      type: cyan,
      name: cyan,
      meta: colour(33),
      addition: colour(32),
      deletion: colour(31),
    },
  };
  return {
    tones: { plain: unchanged, strong, quiet, good: colour(32), warning: colour(33), bad: colour(31) },
    name: ({ place }) => {
      const paint = agentColours[place % agentColours.length] ?? unchanged;
      return (text) => strong(paint(text));
    },
    markdown: { ...shapes, code: cyan, link: cyan },
    quietMarkdown: { ...shapes, text: quiet },
    ...(hasColour && highlight && { highlight }),
    editor: {
      borderColor: quiet,
      selectList: {
        selectedPrefix: cyan,
        selectedText: strong,
        description: quiet,
        scrollInfo: quiet,
        noMatch: quiet,
      },
    },
  };
}

function sgr(open: number, close: number): Style {
  return (text) => `\x1b[${open}m${text}\x1b[${close}m`;
}

function unchanged(text: string): string {
  return text;
}
