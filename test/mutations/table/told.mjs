/** What members are told of changed files, and what checks bring about. */
export const told = [
  {
    name: 'file names stand in prompts as they are',
    file: 'src/utils/plainName.ts',
    find: 'escapeUnsafe(JSON.stringify(wellFormed))',
    replace: 'wellFormed',
    test: 'test/coordinator/hostileFileNames.test.ts',
    title: 'no file name makes a line of its own, or one that says anything else',
  },
  {
    name: 'members are told their own changes',
    file: 'src/coordinator/files/tellFiles.ts',
    find: 'record.number >= last && !isItsOwn(record)',
    replace: 'record.number >= last',
    test: 'test/coordinator/tellFiles.test.ts',
    title:
      'a member is told what others changed since its own last record, by whom, and that a turn was undone',
  },
  {
    name: 'a check counts as a turn of an agent',
    file: 'src/conversation/ConversationState.ts',
    find: 'if (fact.checks !== undefined) return {};',
    replace: '',
    test: 'test/coordinator/files/checks.test.ts',
    title: 'a check pauses the conversation at checkRounds, and counts for no other limit',
  },
  {
    name: 'markers in the report of a check act',
    file: 'src/coordinator/turnFacts.ts',
    find: 'checks === undefined\n',
    replace: 'checks !== null\n',
    test: 'test/coordinator/files/checks.test.ts',
    title: 'a check runs after what changed files, and sends failures back to the author while others wait',
  },
];
