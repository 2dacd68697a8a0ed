import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** The first line of text of every doc comment. */
const DOC_COMMENT = /\/\*\*\s*(?:\*\s*)?([^\s*].*)/gu;

/** A beginning that leaves open what the thing is or does. `Whether …` is fine: it says what a boolean means. */
const RIDDLE =
  /^(?:What|Who|Whom|Whose|Whoever|Whatever|Where|Wherever|When|How|Why|Which|One|Nobody|Somebody|Anybody|Everybody|Of|Those|Said)\b/u;

interface DocComment {
  readonly file: string;
  readonly begins: string;
}

const comments = readComments();

test('doc comments begin with what the thing is or does', () => {
  expect(comments.length).toBeGreaterThan(1000);
  const riddles = comments.filter(({ begins }) => RIDDLE.test(begins));
  expect(riddles.map(({ file, begins }) => `${file}: ${begins}`)).toEqual([]);
});

function readComments(): readonly DocComment[] {
  return readdirSync(source, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.[cm]?tsx?$/u.test(file))
    .flatMap((file) => {
      const text = readFileSync(join(source, file), 'utf8');
      return Array.from(text.matchAll(DOC_COMMENT), ([, begins = '']) => ({ file, begins }));
    });
}
