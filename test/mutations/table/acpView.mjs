const VIEW = 'src/frontends/acp/view';
const TESTS = 'test/frontends/acp/view';

/** What a client of `huddle acp` is shown and asked. */
export const acpView = [
  {
    name: 'any option that a client names allows',
    file: `${VIEW}/ConversationView.ts`,
    find: "outcome === 'selected' && optionId === ALLOW",
    replace: "outcome === 'selected'",
    test: `${TESTS}/ConversationView.test.ts`,
    title: 'are decided by the client: an option that was not offered',
  },
  {
    name: 'a client that cannot ask allows',
    file: `${VIEW}/ConversationView.ts`,
    find: "return signal.aborted ? undefined : 'deny';",
    replace: "return signal.aborted ? undefined : 'allow';",
    test: `${TESTS}/ConversationView.test.ts`,
    title: 'are decided by the client: an error',
  },
  {
    name: 'text after a tool call has the id of the text before it',
    file: `${VIEW}/SessionFold.ts`,
    find: "sessionUpdate === 'tool_call')) this.#thread.interrupt();",
    replace: "sessionUpdate === 'plan')) this.#thread.interrupt();",
    test: `${TESTS}/SessionFold.test.ts`,
    title: 'has another id after a tool call, also where nothing settled what came before',
  },
  {
    name: 'answers are dropped for a client that does not read',
    file: `${VIEW}/UpdateQueue.ts`,
    find: "if (waiting.kind === 'text' && isThought(waiting.chunk)) {\n        this.#droppable -= waiting.text.length;",
    replace: "if (waiting.kind === 'text') {\n        this.#droppable -= waiting.text.length;",
    test: `${TESTS}/UpdateQueue.test.ts`,
    title: 'thoughts and output of tools are dropped, the oldest first, and answers never',
  },
];
