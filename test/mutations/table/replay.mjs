const REPLAY_TEST = 'test/replay/replay.test.ts';

/** What is asked again, what that may cost, and what it leaves alone. */
export const replay = [
  {
    name: 'the money limit of a replay begins anew with every run',
    file: 'src/replay/Budget.ts',
    find: 'roundMoney(this.#spent.usd + usd)',
    replace: 'roundMoney(usd)',
    test: REPLAY_TEST,
    title: 'stops before the turn that would go past the limit, in whichever run that is',
  },
  {
    name: 'a pause is forgotten when the next question is asked',
    file: 'src/replay/ConversationMeasure.ts',
    find: 'last.agenda = this.#paused ?? this.#agenda;',
    replace: 'last.agenda = this.#agenda;',
    test: REPLAY_TEST,
    title: 'of any conversation with the same team and the same answers finds nothing that differs',
  },
  {
    name: 'a replay of one turn goes on with the turns it hands off to',
    file: 'src/replay/forkTurn.ts',
    find: 'agentTurns: turnCount + 1',
    replace: 'agentTurns: turnCount + 2',
    test: 'test/cli/replay.test.ts',
    title: 'asks for each turn once, with the recorded past, whatever it hands off to',
    built: true,
  },
  {
    name: 'members of a replay edit the folder',
    file: 'src/cli/replay/placeEditors.ts',
    find: "{ ...member, workspace: 'copy' }",
    replace: 'member',
    test: 'test/cli/replay.test.ts',
    title: 'members that can edit work in copies; --in-place lets them edit the folder',
    built: true,
  },
];
