import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

/** One fenced block. The words behind its language say what the tests do with it; readers never see them. */
export interface Fence {
  readonly language: string;
  /** `run`, `agents` (with agents of its own, in a test of its own), `on=` (the machine of a person), `exact`, `login`, `wrong`. */
  readonly words: readonly string[];
  /** `file=…`: where the commands of the page find it. */
  readonly file: string | undefined;
  readonly text: string;
}

export interface Page {
  /** Relative to the project. */
  readonly path: string;
  readonly text: string;
  readonly fences: readonly Fence[];
  /** The text without its fences. */
  readonly prose: string;
}

const FENCE = /^```(?<info>[^\n`]*)\n(?<text>.*?)^```$/gmsu;

/** The pages for users; the others are for those who work on the project. */
export const pages: readonly Page[] = [
  'README.md',
  ...readdirSync(join(root, 'docs'))
    .filter((file) => file.endsWith('.md') && file !== 'architecture.md')
    .map((file) => `docs/${file}`),
].map(readPage);

export function page(path: string): Page {
  const found = pages.find((candidate) => candidate.path === path);
  if (found === undefined) throw new Error(`There is no page ${path}`);
  return found;
}

export function readPage(path: string): Page {
  const text = readFileSync(join(root, path), 'utf8');
  const fences = [...text.matchAll(FENCE)].map(({ groups = {} }) => readFence(groups));
  return { path, text, fences, prose: text.replaceAll(FENCE, '') };
}

function readFence({ info = '', text = '' }: Readonly<Record<string, string>>): Fence {
  const [language = '', ...words] = info.split(' ');
  const file = words.find((word) => word.startsWith('file='))?.slice('file='.length);
  return { language, words, file, text };
}

/** The rows of all tables, cell by cell; heads and rulers included. */
export function tableRows(text: string): readonly (readonly string[])[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('|'))
    .map((line) =>
      line
        .slice(1, -1)
        .split('|')
        .map((cell) => cell.trim()),
    );
}

/** What is written as code in running text. */
export function codeIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/gu)].map(([, code = '']) => code);
}

/** The part of a page under a heading, up to the next heading of the same depth. */
export function sectionOf({ path, prose }: Page, heading: string): string {
  const depth = '#'.repeat(heading.indexOf(' '));
  const start = prose.indexOf(`\n${heading}\n`);
  if (start < 0) throw new Error(`${path} has no heading "${heading}"`);
  const rest = prose.slice(start + 1 + heading.length);
  const end = rest.search(new RegExp(`^${depth} `, 'mu'));
  return end < 0 ? rest : rest.slice(0, end);
}

/** The values of a union of literals, or of the `type` fields, as the source spells them. */
export function wordsIn(file: string, pattern: RegExp): readonly string[] {
  const source = readFileSync(join(root, 'src', file), 'utf8');
  return [...source.matchAll(pattern)].map(([, word = '']) => word);
}
