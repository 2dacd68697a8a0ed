const GUARD_TEST = 'test/context/properties/guard.test.ts';

/** Who is asked next, how often, and what a text can bring about. */
export const conversation = [
  {
    name: 'readers are named for what authors did beside them',
    file: 'src/coordinator/files/filesFacts.ts',
    find: 'const isSure = !isLate && turns.every(',
    replace: 'const isSure = !isLate && turns.some(',
    test: 'test/coordinator/files/readers.test.ts',
    title: 'is named in a blind round only if all may only read, or for what its program names',
  },
  {
    name: 'authors of a blind round work in one folder',
    file: 'src/coordinator/files/turnPlaces.ts',
    find: 'if (turns.filter((other) => mayEdit(other.memberId)).length > 1) return true;',
    replace: '',
    test: 'test/coordinator/files/copies.test.ts',
    title: 'works in copies that start from what is there, and the folder stays as it was',
  },
  {
    name: 'what a killed turn changed counts as of others',
    file: 'src/conversation/files/recording.ts',
    find: 'return startTurn(recording, fact);',
    replace: 'return recording;',
    test: 'test/coordinator/files/troubles.test.ts',
    title: 'closing does not wait for a record that hangs, and what it misses is recorded later',
  },
  {
    name: 'a turn is applied without the work it stands on',
    file: 'src/conversation/files/fileSteps.ts',
    find: '[...earlierWork(history, chosen), ...chosen]',
    replace: '[...earlierWork(history, []), ...chosen]',
    test: 'test/cli/apply.test.ts',
    title: 'brings a turn over with the earlier work in its copy that it stands on',
    built: true,
  },
  {
    name: 'limits are overshot by one turn',
    file: 'src/routing/limits.ts',
    find: 'count >= max',
    replace: 'count > max',
    test: 'test/routing/limits.test.ts',
    title: 'a limit on agentTurns forbids a turn when 20 is reached and not before',
  },
  {
    name: 'a failed turn is routed',
    file: 'src/coordinator/turnFacts.ts',
    find: 'const { outcome, member, turn } = ended;',
    replace: `const { member, turn } = ended;
  const outcome =
    ended.outcome.kind === 'failed' ? ({ kind: 'completed', text: ended.outcome.draft } as const) : ended.outcome;`,
    test: 'test/coordinator/failures.test.ts',
    title: 'a turn that did not complete (nofinal) is never routed',
  },
  {
    name: 'block quotes route',
    file: 'src/markers/inertText.ts',
    find: "this.#addBlock('quote', this.#position);",
    replace: '',
    test: 'test/markers/markers.test.ts',
    title: "quotes '> [NEXT: no]'",
  },
  {
    name: 'agents set the task',
    file: 'src/markers/parseMessage.ts',
    find: "teamTask: speakerType === 'human' ? tasks",
    replace: "teamTask: speakerType !== 'system' ? tasks",
    test: 'test/routing/routeMessage.test.ts',
    title: 'a person sets the task, an agent does not',
  },
  {
    name: 'the guard tells capital and small letters of names apart',
    file: 'src/context/promptGuard.ts',
    find: 'const folded = line.toLowerCase();',
    replace: 'const folded = line;',
    test: GUARD_TEST,
    title: "the guard in a 'plain text' prompt keeps sections, messages and senders as they are",
  },
  {
    name: 'the guard knows one kind of line end only',
    file: 'src/utils/lineBreaks.ts',
    find: '/\\r\\n|[\\n\\v\\f\\r\\u0085\\u2028\\u2029]/g',
    replace: '/\\n/g',
    test: GUARD_TEST,
    title: "the guard in a 'Claude' prompt lets no name with a line break begin a line",
  },
];
