const LIVE = 'src/frontends/web/live';
const TESTS = 'test/frontends/web/live';

/** What browsers are told of conversations, and what they may do in them. */
export const webLive = [
  {
    name: 'a page of blocks begins inside a turn',
    file: `${LIVE}/pageOfBlocks.ts`,
    find: 'this.#blocks >= this.#wanted && this.#open.size === 0',
    replace: 'this.#blocks >= this.#wanted',
    test: `${TESTS}/pages.test.ts`,
    title: 'joined are what the whole log tells, wherever it ends and however long they are',
  },
  {
    name: 'a reader beyond the end of the log is not sent away',
    file: `${LIVE}/ConversationDesk.ts`,
    find: 'after > live.seq || live.seq - after > MOST_BEHIND',
    replace: 'live.seq - after > MOST_BEHIND',
    test: `${TESTS}/stream.test.ts`,
    title: 'begins anew where the reader is beyond the end, or too far behind',
  },
  {
    name: 'text that was joined is lost when its turn ends',
    file: `${LIVE}/EventStream.ts`,
    find: 'beforeEnd(): void {\n    this.#tellTexts();',
    replace: 'beforeEnd(): void {',
    test: `${TESTS}/EventStream.test.ts`,
    title: 'tells text before the fact that ends its turn, and never all of it again',
  },
  {
    name: 'text is kept without end for a reader that does not read',
    file: `${LIVE}/EventStream.ts`,
    find: 'if (this.#outlet.isFull || this.#isBehind) return;',
    replace: 'if (this.#isBehind) return;',
    test: `${TESTS}/EventStream.test.ts`,
    title: 'drops text for a reader that does not read, ends after a while, and others notice nothing',
  },
  {
    name: 'a message that is sent again is said again',
    file: `${LIVE}/OnceAnswers.ts`,
    find: 'if (known !== undefined) return known;',
    replace: '',
    test: `${TESTS}/ConversationDesk.test.ts`,
    title: 'with the same key says it once, at once, at the same time and later',
  },
  {
    name: 'a session is let go of while a turn runs',
    file: `${LIVE}/FollowedConversation.ts`,
    find: 'this.#opened !== undefined && !canCancel(this.live.telling.conversation)',
    replace: 'this.#opened !== undefined',
    test: `${TESTS}/ConversationDesk.test.ts`,
    title: 'is let go of after the last browser left and nothing runs, and not before',
  },
  {
    name: 'a session of another folder is continued here',
    file: `${LIVE}/readOnly.ts`,
    find: 'if (!isElsewhere) return;',
    replace: 'if (folder !== id) return;',
    test: `${TESTS}/ConversationDesk.test.ts`,
    title: 'can be read, and says how to continue it there',
  },
  {
    name: 'a conversation is made in a folder that is not trusted',
    file: `${LIVE}/ConversationDesk.ts`,
    find: 'if (refusal !== undefined) throw refusal;',
    replace: '',
    test: `${TESTS}/ConversationDesk.test.ts`,
    title: 'is refused in a folder that is not trusted any more, and nothing is made there',
  },
];
