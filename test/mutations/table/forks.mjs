const PLACE_TEST = 'test/store/forkConversation.test.ts';
const SESSION_TEST = 'test/coordinator/forkedSessions.test.ts';

/** Forks of conversations: where they are cut, and what still belongs to the original. */
export const forks = [
  {
    name: 'a fork cuts a blind round apart',
    file: 'src/store/forkConversation.ts',
    find: 'isInBlindRound(agenda) || isAnswering',
    replace: 'isAnswering',
    test: PLACE_TEST,
    title: 'the place of a fork inside a blind round moves to its end, and that is told',
  },
  {
    name: 'a fork continues the session of the original',
    file: 'src/conversation/memberSession.ts',
    find: 'return inherited && {};',
    replace: 'return undefined;',
    test: SESSION_TEST,
    title: 'a fork of a fork takes its copy from where the session was made',
  },
  {
    name: 'a fork copies a session in which the original works',
    file: 'src/coordinator/inheritedSessions.ts',
    find: 'hasGrown ||= isUsed || continues;',
    replace: 'hasGrown ||= false;',
    test: SESSION_TEST,
    title: 'a session in which a turn of the original runs has grown',
  },
  {
    name: 'a fork copies the session of a stranger',
    file: 'src/coordinator/inheritedSessions.ts',
    find: 'return found.lastUse > found.restoredSeq ? found : undefined;',
    replace: 'return found;',
    test: SESSION_TEST,
    title: 'no session of an imported log is copied: nobody knows what it holds by now',
  },
  {
    name: 'a fork loses its files with the original',
    file: 'src/files/letGo.ts',
    find: 'if (contentIds.size === 0) return;',
    replace: 'if (contentIds.size >= 0) return;',
    test: 'test/cli/fork.test.ts',
    title: 'files that turns changed before it can be undone in the other when the original is deleted',
    built: true,
  },
];
