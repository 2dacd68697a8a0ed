const STORE_TEST = 'test/store/sqlite/SqliteStore.test.ts';
const IMPORT_TEST = 'test/store/importConversation.test.ts';

/** What is written, who may write it, and what is believed of it later. */
export const storage = [
  {
    name: 'a checkpoint leaves out the money that was spent',
    file: 'src/conversation/ConversationStatus.ts',
    find: 'version: STATUS_VERSION,\n    state,',
    replace: 'version: STATUS_VERSION,\n    state: { ...state, counters: { ...state.counters, usd: 0 } },',
    test: 'test/coordinator/limitsAfterRestart.test.ts',
    title: 'the limit usd is as near after a restart, from the checkpoint, as it was before',
  },
  {
    name: 'SQLite does not wait for the disk',
    file: 'src/store/sqlite/openDatabase.ts',
    find: 'PRAGMA synchronous = FULL',
    replace: 'PRAGMA synchronous = OFF',
    test: 'test/store/sqlite/openDatabase.test.ts',
    title: 'every commit is on the disk before it counts',
  },
  {
    name: 'an append does not look at the lease',
    file: 'src/store/sqlite/SqliteLog.ts',
    find: 'if (!this.#conversations.isHeld(this.conversation)) throw new LeaseLostError(this.id);',
    replace: '',
    test: 'test/conformance/store.test.ts',
    title: 'lets nobody write whose conversation was taken over or closed',
  },
  {
    name: 'a live holder does not lock',
    file: 'src/utils/processIdentity.ts',
    find: 'return processStart === null || start === null || start === processStart;',
    replace: 'return false;',
    test: 'test/conformance/store.test.ts',
    title: 'lets one write and the others read',
  },
  {
    name: 'any process with the same number is the holder',
    file: 'src/utils/processIdentity.ts',
    find: 'return processStart === null || start === null || start === processStart;',
    replace: 'return true;',
    test: STORE_TEST,
    title: 'a lease of an earlier process with the same number is taken over',
  },
  {
    name: 'checksums of rows are not compared',
    file: 'src/store/sqlite/SqliteLog.ts',
    find: ' && checksumOf(body, this.id, seq) === checksum;',
    replace: ';',
    test: STORE_TEST,
    title: 'damage is found: a changed text',
  },
  {
    name: 'listeners hear of what was not written',
    file: 'src/coordinator/Ledger.ts',
    find: 'const events = log.append(signFacts(facts, grant), claim ?? grant?.claim);',
    replace: `let events: ReturnType<typeof log.append> = [];
    try {
      events = log.append(signFacts(facts, grant), claim ?? grant?.claim);
    } catch (error) {
      this.#broadcast.send(...(facts as unknown as ReturnType<typeof log.append>));
      throw error;
    }`,
    test: 'test/coordinator/storeFailures.test.ts',
    title: 'memory and listeners have what is kept',
  },
  {
    name: 'nothing waits until it is durable',
    file: 'src/coordinator/Outbox.ts',
    find: 'const kept = this.#log.kept();',
    replace: 'const kept = undefined as Promise<void> | undefined;',
    test: 'test/coordinator/actWhenKept.test.ts',
    title: 'a message is not told, shown or answered, and its promise waits',
  },
  {
    name: 'an agent is read on however much is not durable',
    file: 'src/coordinator/Outbox.ts',
    find: 'const MOST_WAITING = 1000;',
    replace: 'const MOST_WAITING = 100_000;',
    test: 'test/coordinator/actWhenKept.test.ts',
    title: 'beyond 1,000 facts the output of an agent is not read on',
  },
  {
    name: 'turns that waited do not wait for a person when a session is opened again',
    file: 'src/coordinator/reopenFacts.ts',
    find: 'const isWaiting = queue.some(isHere) && pause === null;',
    replace: 'const isWaiting = false;',
    test: 'test/coordinator/resume.test.ts',
    title: 'goes on with what waited by `resume`, and by the next message',
  },
  {
    name: 'an import may nest without end',
    file: 'src/store/eventSchema.ts',
    find: 'MAX_DEPTH = 64;',
    replace: 'MAX_DEPTH = 64_000;',
    test: IMPORT_TEST,
    title: 'refuses a deep record and keeps nothing',
  },
  {
    name: 'an import may hold a prototype',
    file: 'src/store/eventSchema.ts',
    find: "if (Object.hasOwn(value, '__proto__'))",
    replace: "if (Object.hasOwn(value, '__prototype__'))",
    test: IMPORT_TEST,
    title: 'refuses a key that could pass for a prototype',
  },
  {
    name: 'an import may hold an id twice',
    file: 'src/store/importConversation.ts',
    find: 'if (ids.has(id)) throw',
    replace: 'if (ids.has(id) && ids.size === 0) throw',
    test: IMPORT_TEST,
    title: 'refuses a message twice and keeps nothing',
  },
  {
    name: 'a whole conversation is written bit by bit',
    file: 'src/store/sqlite/SqliteStore.ts',
    find: 'this.#write(() => {\n      const left',
    replace: '((work: () => void) => work())(() => {\n      const left',
    test: 'test/conformance/store.test.ts',
    title: 'saves a whole conversation or nothing of it',
  },
  {
    name: 'a whole conversation takes the place of any other',
    file: 'src/store/sqlite/SqliteStore.ts',
    find: 'left?.lastSeq === 0 &&',
    replace: 'left !== undefined &&',
    test: 'test/conformance/store.test.ts',
    title: 'a whole conversation takes the place of one in which nothing ever happened, and of no other',
  },
  {
    name: 'a session whose clock was set back ended when the clock says',
    file: 'src/store/summary.ts',
    find: 'return at < before ? before + 1 : at;',
    replace: 'return at;',
    test: 'test/store/summary.test.ts',
    title: 'knows when a conversation changed whose clock was set back',
  },
  {
    name: 'a lock that lasts is passed by',
    file: 'src/config/privateFile.ts',
    find: 'throw new FileLockedError(file);',
    replace: 'return { release: () => undefined };',
    test: 'test/config/lockFile.test.ts',
    title:
      'is waited for, and left to its holder by whoever waited in vain, who is told which process has it',
  },
  {
    name: 'a lease of a living process is taken over',
    file: 'src/utils/takeLease.ts',
    find: 'return mayBeAlive(holder) && holder.owner !== owner;',
    replace: 'return false;',
    test: 'test/config/lockFile.test.ts',
    title:
      'is waited for, and left to its holder by whoever waited in vain, who is told which process has it',
  },
  {
    name: 'a read-only data folder cannot be read',
    file: 'src/store/sqlite/openDatabase.ts',
    find: 'if (mayOnlyRead && whyNotWritable',
    replace: 'if (!mayOnlyRead && whyNotWritable',
    test: 'test/cli/readOnlyData.test.ts',
    title: 'is read by every command that only reads',
    built: true,
  },
];
