import { describe, expect, it } from 'vitest';
import { codeIn, type Page, page, readPage, tableRows } from './pages.js';

const english = page('README.md');
const chinese = readPage('README.zh-CN.md');

const LINK = /\]\(([^)\s]+)\)/gu;

/** Headings by their depth: what they say is translated. */
const outlineOf = ({ prose }: Page): readonly string[] => prose.match(/^(?:#+ |!\[|- |\|)/gmu) ?? [];
const codeOf = ({ prose }: Page): readonly string[] => [...new Set(codeIn(prose))].toSorted();
const linksOf = ({ prose }: Page): readonly string[] =>
  [...prose.matchAll(LINK)].map(([, target = '']) => target.replace(/^README.*/u, 'the other language'));

/** Without comments, which are translated too. */
const fencesOf = ({ fences }: Page): readonly string[] =>
  fences.map(({ language, words, text }) =>
    [[language, ...words].join(' '), text.replaceAll(/\s+(?:#|\/\/) .*$/gmu, '')].join('\n'),
  );

describe('README.zh-CN.md', () => {
  it('has the headings, pictures, points and tables of the README, in its order', () => {
    expect(outlineOf(chinese)).toEqual(outlineOf(english));
  });

  it('shows the same commands and the same output', () => {
    expect(fencesOf(chinese)).toEqual(fencesOf(english));
  });

  it('names the same commands, options, fields and files', () => {
    expect(codeOf(chinese)).toEqual(codeOf(english));
  });

  it('leads to the same places', () => {
    expect(linksOf(chinese)).toEqual(linksOf(english));
  });

  it('says the same numbers in its tables', () => {
    const numbersOf = ({ prose }: Page): readonly string[] =>
      tableRows(prose).flatMap((cells) => cells.filter((cell) => /^\d+$/u.test(cell)));
    expect(numbersOf(chinese)).toEqual(numbersOf(english));
  });
});
