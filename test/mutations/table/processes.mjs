const LEFTOVERS_TEST = 'test/agents/process/leftovers.test.ts';

/** What becomes of the processes of a turn. */
export const processes = [
  {
    name: 'signals go to the leader, not to its group',
    file: 'src/agents/process/terminate.ts',
    find: 'process.kill(-agent.pid, signal);',
    replace: 'process.kill(agent.pid, signal);',
    test: LEFTOVERS_TEST,
    title: 'asks its whole group, and then kills it without asking again',
  },
  {
    name: 'the last signal is SIGTERM, not SIGKILL',
    file: 'src/agents/process/terminate.ts',
    find: "signalGroup(agent, 'SIGKILL');",
    replace: "signalGroup(agent, 'SIGTERM');",
    test: LEFTOVERS_TEST,
    title: 'kills without asking what outlives an agent that has left by itself',
  },
  {
    name: 'a stopped agent is not woken',
    file: 'src/agents/process/terminate.ts',
    find: "  signalGroup(agent, 'SIGCONT');\n",
    replace: '',
    test: LEFTOVERS_TEST,
    title: 'lets one that was stopped still say what its turn cost',
  },
  {
    name: 'nothing is swept',
    file: 'src/agents/process/terminate.ts',
    find: '  agent.descendants.kill();\n  const leftovers = await killOrphans(agent.descendants, pause);',
    replace:
      '  const leftovers: LeftoverProcess[] = pause ? [] : await killOrphans(agent.descendants, pause);',
    test: 'test/agents/process/runDialectTurn.test.ts',
    title: 'leaves no descendants behind, and they do not delay the answer (grandsession)',
  },
  {
    name: 'no watchdog is started',
    file: 'src/agents/process/spawnAgent.ts',
    find: '  watchdog.wake();\n',
    replace: '',
    test: 'test/soak/process.test.ts',
    title: 'and leaves no descendant alive in another session',
  },
  {
    name: 'the watchdog looks for no marked processes',
    file: 'src/agents/process/watchdogScript.ts',
    find: '{file#/proc/}; marked=',
    replace: '{file#/proc/}; unused=',
    test: 'test/soak/process.test.ts',
    title: 'may make no control groups and leaves no descendant alive whose parent and grandparent are gone',
  },
  {
    name: 'EPIPE on the prompt is not handled',
    file: 'src/agents/process/spawnAgent.ts',
    find: "  child.stdin.on('error', () => child.stdin.destroy());\n",
    replace: '',
    test: 'test/cli/unreadPrompt.test.ts',
    title: 'without reading its prompt does not break huddle off',
    built: true,
  },
  {
    name: 'an output that somebody holds open is waited for',
    file: 'src/agents/process/OutputChunks.ts',
    find: 'this.#patience = Math.min(this.#patience, milliseconds);',
    replace: '',
    test: 'test/agents/process/heldOutput.test.ts',
    title: 'a turn ends with its program although somebody else holds the output open',
  },
  {
    name: 'sleep counts as time of the turn',
    file: 'src/agents/process/turnTimers.ts',
    find: 'if (gap > SLEEP_GAP || gap < 0)',
    replace: 'if (gap < 0)',
    test: 'test/agents/process/turnTimers.test.ts',
    title: 'do not count eight hours of sleep',
  },
];
