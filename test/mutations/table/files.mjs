/** What changed in the files, and what of the user's repository is left alone. */
export const files = [
  {
    name: 'the time of an index is lost when it is copied',
    file: 'src/workspace/git/indexFiles.ts',
    find: 'utimesSync(to, time, time);',
    replace: '',
    test: 'test/workspace/kinds.test.ts',
    title: 'a file changed in the second of the index, with its old length and time, is seen',
  },
  {
    name: 'a filter of the project runs',
    file: 'src/workspace/git/ownSettings.ts',
    find: '* -text -ident -filter !eol',
    replace: '* -ident !eol',
    test: 'test/workspace/kinds.test.ts',
    title: 'line ends by attribute > is recorded, with the repository as it was',
  },
  {
    name: 'contents before a turn stay only where the user may delete them',
    file: 'src/workspace/git/recordFolder.ts',
    find: '  await keepContents(repository, ids, signal);\n',
    replace: '',
    test: 'test/workspace/keep.test.ts',
    title: 'contents are there after the repository has forgotten them',
  },
  {
    name: 'the lines of secrets are kept',
    file: 'src/workspace/git/patchText.ts',
    find: ' && !isSecretPath(path)',
    replace: '',
    test: 'test/workspace/patch.test.ts',
    title: 'files that are named like secrets are listed without lines',
  },
  {
    name: 'a record that was never written down counts',
    file: 'src/workspace/git/indexFiles.ts',
    find: 'for (const path of [nextOf(index), ',
    replace: 'settleIndex(index);\n  for (const path of [',
    test: 'test/workspace/limits.test.ts',
    title: 'a record that nobody has written down is made again by the next process',
  },
];
