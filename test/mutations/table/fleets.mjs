const FLEETS = 'test/machines/fleets.test.ts';
const DISPATCH = 'test/machines/dispatch.test.ts';

/** What is handed out between machines, to whom, and what a fleet does with it. */
export const fleets = [
  {
    name: 'any role takes jobs out of any queue',
    file: 'src/store/postgres/jobs.ts',
    find: 'job_common FOR UPDATE USING (',
    replace: 'job_common FOR UPDATE USING (true OR ',
    test: DISPATCH,
    title: 'a role that takes what is for another role changes nothing',
  },
  {
    name: 'what pg-boss looks up for a job needs a connection of its own',
    file: 'src/machines/dispatch.ts',
    find: 'if (asking !== undefined) return { rows: await asking(text, values) };',
    replace: '',
    test: DISPATCH,
    title: 'what is asked in a transaction is there when it is, and not before',
  },
  {
    name: 'jobs of a worker that is gone are not looked for',
    file: 'src/machines/dispatch.ts',
    find: 'await this.#boss.supervise(queue);',
    replace: '',
    test: DISPATCH,
    title: 'a job of a worker that does not touch it any more comes again; a touched one does not',
  },
  {
    name: 'a worker holds conversations for every key',
    file: 'src/machines/fleetAsk.ts',
    find: "if (asker === undefined) return refuse({ because: 'unknown-key', asker: row.askedBy, key });",
    replace: "if (asker === undefined) return { kind: 'accepted', ask, asker: row.askedBy };",
    test: FLEETS,
    title: 'refuses a key that it does not know, and starts nothing',
  },
  {
    name: 'a fleet says what stands in the database, not what was signed',
    file: 'src/machines/fleetAsk.ts',
    find: 'if (!isMeant || row.said !== formatSaid(ask.message))',
    replace: 'if (!isMeant)',
    test: FLEETS,
    title: 'refuses a request into which the owner of the database wrote another message to say',
  },
  {
    name: 'an interrupted turn is run again and again',
    file: 'src/machines/rerunInterrupted.ts',
    find: 'const wanted = readers.filter(({ turnId }) => !reruns.has(turnId));',
    replace: 'const wanted = readers;',
    test: FLEETS,
    title: 'runs an interrupted turn of a reader again, once, if the team says so',
  },
];
