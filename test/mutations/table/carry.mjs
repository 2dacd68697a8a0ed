const CARRY_TEST = 'test/workspace/carry.test.ts';
const COPIES_TEST = 'test/workspace/copies.test.ts';

/** The user's files: put back whole or not touched, and never written through a link or from a copy. */
export const carry = [
  {
    name: 'a plan is done although a file was changed since',
    file: 'src/workspace/carry/carryFiles.ts',
    find: 'await requireUnchanged(folder, moved);',
    replace: '',
    test: CARRY_TEST,
    title: 'after a person changed a file between plan and doing touches nothing',
  },
  {
    name: 'a link in the place of a folder is followed',
    file: 'src/workspace/carry/lookAtPaths.ts',
    find: "return stats.isDirectory() ? 'folder' : 'other';",
    replace: "return stats.isDirectory() || stats.isSymbolicLink() ? 'folder' : 'other';",
    test: CARRY_TEST,
    title: 'nothing where a folder was turned into a link to outside since',
  },
  {
    name: 'a file gets the rights of a new one',
    file: 'src/workspace/carry/carryFiles.ts',
    find: 'chmodSync(file, withExecutable(replaced.mode, mode));',
    replace: '',
    test: CARRY_TEST,
    title: 'rights as they are: 0600 stays 0600, executable as recorded',
  },
  {
    name: 'a damaged content is put back',
    file: 'src/workspace/git/looseObjects.ts',
    find: ".digest('hex') !== id)",
    replace: ".digest('hex') === '')",
    test: 'test/workspace/carry.test.ts',
    title: 'is never put back: another one',
  },
  {
    name: 'a closed folder is met half way',
    file: 'src/workspace/carry/carryFiles.ts',
    find: '  requireWritableFolders(folder.root, moved);\n',
    replace: '',
    test: 'test/workspace/closed.test.ts',
    title: 'undo: the folder sub that is closed to us is noticed before anything is touched',
  },
  {
    name: 'a copy takes over where the remotes are, with their passwords',
    file: 'src/workspace/git/copyRepository.ts',
    find: 'if (TAKEN_OVER.has(key)) ',
    replace: '',
    test: COPIES_TEST,
    title: 'has what is staged, and follows the branches of the user until it has its own',
  },
];
