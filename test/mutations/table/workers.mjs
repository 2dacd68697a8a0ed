const CHECK_TEST = 'test/machines/requests.test.ts';
const FORGED_TEST = 'test/machines/forgedRequests.test.ts';

/** Requests that a worker runs, and what becomes of the turns that it runs. */
export const workers = [
  {
    name: 'a worker does not look at the signature',
    file: 'src/machines/requests.ts',
    find: 'if (!isSignedBy(key as PublicKeyText, bytesToSign(signed), signature))',
    replace:
      'if (!isSignedBy(key as PublicKeyText, bytesToSign(signed), signature) && signature === undefined)',
    test: CHECK_TEST,
    title: 'refuses a request whose prompt was changed after it was signed',
  },
  {
    name: 'the limits of a request are not signed',
    file: 'src/machines/requests.ts',
    find: 'function sortFields(_: string, value: unknown): unknown {\n',
    replace:
      "function sortFields(_: string, value: unknown): unknown {\n  if (_ === 'limits') return null;\n",
    test: CHECK_TEST,
    title: 'refuses a request whose limits was changed after it was signed',
  },
  {
    name: 'a request counts in every store',
    file: 'src/machines/requests.ts',
    find: "if (request.store !== facts.storeId) return refuse({ because: 'other-store' });",
    replace: '',
    test: CHECK_TEST,
    title: 'refuses what a known key signed for another store',
  },
  {
    name: 'a worker runs a turn again',
    file: 'src/machines/takeTurn.ts',
    find: 'if (!memory.begin(place, request.expires))',
    replace: 'if (memory === undefined && place === undefined)',
    test: FORGED_TEST,
    title: 'a turn that ran is not run again when its row is made anew, nor by a worker that was restarted',
  },
  {
    name: 'a worker resumes any session',
    file: 'src/machines/takeTurn.ts',
    find: 'return !memory.ownsSession({ conversation, member, sessionId: session.sessionId });',
    replace: 'return memory === undefined && conversation === member;',
    test: FORGED_TEST,
    title:
      'a session that the worker did not make for this conversation and member is not resumed, whoever signs',
  },
  {
    name: 'a turn on another machine is interrupted when its holder dies',
    file: 'src/coordinator/ConversationStarter.ts',
    find: 'const adopted = loaded.state.running.filter((turn) => canAdopt(turn, team, agents));',
    replace: 'const adopted = loaded.state.running.filter((turn) => !canAdopt(turn, team, agents) && false);',
    test: 'test/machines/adoption.test.ts',
    title: 'runs on, and the next holder takes the rest of it',
  },
  {
    name: 'a worker file that others may change is read',
    file: 'src/config/readRegularFile.ts',
    find: 'const FORBIDDEN = { write: 0o022, read: 0o077 } as const;',
    replace: 'const FORBIDDEN = { write: 0o000, read: 0o077 } as const;',
    test: 'test/config/workerFile.test.ts',
    title: 'is refused when others may change it',
  },
  {
    name: 'a worker keeps the entry to itself that would allow a request',
    file: 'src/machines/takeTurn.ts',
    find: 'return [decided];',
    replace: 'return [{ ...decided, allowEntry: undefined }];',
    test: 'test/machines/remoteAgents.test.ts',
    title: 'acp',
  },
  {
    name: 'a worker that was lost is called an exit of Huddle',
    file: 'src/coordinator/concludeTurn.ts',
    find: "outcome.kind === 'interrupted' && runsOn !== undefined ? {",
    replace: "outcome.kind === 'interrupted' && runsOn === null ? {",
    test: 'test/machines/remoteTurns.test.ts',
    title: 'whose worker is gone is interrupted with its draft',
  },
];
