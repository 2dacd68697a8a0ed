const ASKING_TEST = 'test/frontends/mcp/asking.test.ts';
const PIPE_TEST = 'test/cli/mcp.test.ts';

/** What other agents may have the team do, and what is left when they are gone. */
export const mcp = [
  {
    name: 'an agent that asks through MCP speaks as the person',
    file: 'src/routing/teamMembers.ts',
    find: "if (via?.kind !== 'mcp') return requireHuman(team, as);",
    replace: 'if (via !== null) return requireHuman(team, as);',
    test: 'test/routing/routeMessage.test.ts',
    title: 'sets no task, claims no name, and its reader is told',
  },
  {
    name: 'a session that a person began is continued through MCP',
    file: 'src/frontends/mcp/asking/Asks.ts',
    find: 'if (!this.#options.continuesSessions && ',
    replace: 'if (this.#options.continuesSessions && ',
    test: 'test/frontends/mcp/speaker.test.ts',
    title: 'a session that a person began is not continued, unless the server was started so',
  },
  {
    name: 'an agent that asks through MCP restarts the counts of loops of a person',
    file: 'src/conversation/ConversationState.ts',
    find: 'asksTeam(message) && lastHuman === null',
    replace: 'asksTeam(message)',
    test: 'test/conversation/ConversationState.test.ts',
    title: 'restarts nothing in one that a person began, but what it asks for is new',
  },
  {
    name: 'members that other agents ask keep the permission of the team file',
    file: 'src/frontends/mcp/asking/Asks.ts',
    find: '        permission,\n        limits: {',
    replace: '        limits: {',
    test: ASKING_TEST,
    title: 'lowers every member to reading, and says which cannot be held to it',
  },
  {
    name: 'a hand-off of a member that was asked alone is followed',
    file: 'src/frontends/mcp/asking/Asks.ts',
    find: 'isSingle ? 1 : maxTurns',
    replace: 'maxTurns',
    test: ASKING_TEST,
    title: 'runs one turn: its hand-off is told and not followed, whatever markers the message has',
  },
  {
    name: 'descriptions of tools quote a team that no one trusts',
    file: 'src/frontends/mcp/describeTools.ts',
    find: "if (refusal?.code === 'FOLDER_NOT_TRUSTED') return words.mcp.notTrusted;\n    if (refusal !== undefined) return words.mcp.noTeam;",
    replace: '',
    test: 'test/frontends/mcp/describing.test.ts',
    title: 'nothing of a team that is not trusted, nor of a file that is wrong',
  },
  {
    name: 'turns go on when their call was cancelled',
    file: 'src/frontends/mcp/asking/waitForAsk.ts',
    find: 'if (signal.aborted && !ask.isOver) await ask.stop();',
    replace: '',
    test: ASKING_TEST,
    title: 'a cancelled call stops the turns, and the log names the session',
  },
  {
    name: 'the drafts of a client that is gone are not kept',
    file: 'src/frontends/mcp/asking/Asks.ts',
    find: 'await Promise.allSettled(running.map(({ ask }) => ask.stop()));',
    replace: '',
    test: PIPE_TEST,
    title: 'the end of input between calls stops what runs',
    built: true,
  },
];
