import type { EditorTheme, MarkdownTheme } from '@earendil-works/pi-tui';
import type { ShownMember } from '../../../presentation/Block.js';
import type { Tone } from '../screen/Paragraph.js';

type Style = (text: string) => string;

/** How things look. Only the sixteen colours of the terminal, so that it looks like the rest of the user's screen. */
export interface Theme {
  readonly tones: Readonly<Record<Tone, Style>>;
  readonly strong: Style;
  name(member: ShownMember): Style;
  readonly markdown: MarkdownTheme;
  /** For what does not count: the same shapes without emphasis. */
  readonly quietMarkdown: MarkdownTheme;
  readonly editor: EditorTheme;
}

/** Cyan, magenta, yellow, green, blue, and their bright ones: by place in the team, so that nobody changes colour. Red is for errors. */
const AGENT_COLOURS = [36, 35, 33, 32, 34, 96, 95, 93, 92, 94];

export function createTheme(hasColour: boolean): Theme {
  const colour = (code: number): Style => (hasColour ? sgr(code, 39) : unchanged);
  const strong = sgr(1, 22);
  const quiet = sgr(2, 22);
  const agentNames = AGENT_COLOURS.map((code) => both(strong, colour(code)));
  const cyan = colour(36);
  const markdown = createMarkdownTheme(strong, quiet, cyan);
  return {
    tones: { plain: unchanged, strong, quiet, good: colour(32), warning: colour(33), bad: colour(31) },
    strong,
    name: (member) =>
      member.type === 'human' ? strong : (agentNames[member.place % agentNames.length] ?? strong),
    markdown,
    quietMarkdown: { ...markdown, code: unchanged, codeBlock: unchanged, heading: unchanged },
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

function createMarkdownTheme(strong: Style, quiet: Style, accent: Style): MarkdownTheme {
  return {
    heading: unchanged,
    link: accent,
    linkUrl: quiet,
    code: accent,
    codeBlock: unchanged,
    codeBlockBorder: quiet,
    quote: quiet,
    quoteBorder: quiet,
    hr: quiet,
    listBullet: quiet,
    bold: strong,
    italic: sgr(3, 23),
    strikethrough: sgr(9, 29),
    underline: sgr(4, 24),
    codeBlockIndent: '',
  };
}

function sgr(open: number, close: number): Style {
  return (text) => `\x1b[${open}m${text}\x1b[${close}m`;
}

function both(outer: Style, inner: Style): Style {
  return (text) => outer(inner(text));
}

function unchanged(text: string): string {
  return text;
}
