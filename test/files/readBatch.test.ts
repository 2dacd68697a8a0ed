import { expect, test } from 'vitest';
import { createBatchReader } from '../../src/files/git/keepContents.js';

const CONTENTS = ['one\n', '', 'two lines\nand a zero \0', 'abc blob 4\n'];
const HEADS = CONTENTS.map((content, index) => `${index}f blob ${content.length}\n${content}\n`);
const OUTPUT = Buffer.from(`${HEADS[0]}dead missing\n${HEADS[1]}77 tree 3\nxyz\n${HEADS[2]}${HEADS[3]}`);

test.each([1, 2, 3, 7, 16, 1000])('contents come out whole, from chunks of %i bytes', (size) => {
  const read: string[] = [];
  const take = createBatchReader((content) => read.push(content.toString()));
  for (let start = 0; start < OUTPUT.length; start += size) take(OUTPUT.subarray(start, start + size));
  expect(read).toEqual(CONTENTS);
});
