// Changes the files of docs/first-task.md as the author does in its first and its second turn. Run as `node edit.mjs 1`.
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';

const edits = {
  1: {
    find: 'numbers.sort()',
    put: 'numbers.sort((a, b) => a - b)',
    test: 'assert.equal(median([10, 9, 2]), 9);\n',
  },
  2: {
    find: /const sorted.*\n.*\n/u,
    put: `const sorted = numbers.toSorted((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
`,
    test: `assert.equal(median([1, 2]), 1.5);
const list = [3, 1, 2];
median(list);
assert.deepEqual(list, [3, 1, 2]);
`,
  },
};

const edit = edits[process.argv[2]];
writeFileSync('median.mjs', readFileSync('median.mjs', 'utf8').replace(edit.find, edit.put));
appendFileSync('median.test.mjs', edit.test);
