const SESSIONS = 'test/frontends/acp/sessions.test.ts';
const PROMPTS = 'test/frontends/acp/prompt.test.ts';

/** What editors can rely on. */
export const editors = [
  {
    name: 'the commands precede the answer that names the session',
    file: 'src/frontends/acp/AcpServer.ts',
    find: 'this.#stream.afterAnswer(requestId, () => void session.announceCommands().catch(() => undefined));',
    replace: 'await session.announceCommands();',
    test: SESSIONS,
    title: 'gives an id, options and modes; the commands come after that answer',
  },
  {
    name: 'a prompt that was cancelled while its session opened is said',
    file: 'src/frontends/acp/AcpSession.ts',
    find: "if (signal.aborted) return { stopReason: 'cancelled' };\n    try {",
    replace: 'try {',
    test: PROMPTS,
    title: 'that is cancelled while the session opens is not said',
  },
  {
    name: 'what runs in the rest of a queue goes on after a stop',
    file: 'src/frontends/acp/AcpSession.ts',
    find: 'await this.#holder.held?.conversation.cancel({ drop: true });',
    replace: 'await this.#holder.held?.conversation.cancel();',
    test: PROMPTS,
    title: 'after cancelled ones finds nothing of them waiting',
  },
  {
    name: 'a fence that was left open lets markers of a file act',
    file: 'src/frontends/acp/readPrompt.ts',
    find: 'const above = open === null ? message',
    replace: 'const above = open !== undefined ? message',
    test: PROMPTS,
    title:
      'links to files become paths, relative inside the folder; contents are quoted, and markers in them do nothing',
  },
  {
    name: 'reading only is chosen and not kept to',
    file: 'src/frontends/acp/AcpSession.ts',
    find: '      permission,\n      fanout,',
    replace: '      fanout,',
    test: 'test/frontends/acp/options.test.ts',
    title: 'lowers what members may do from the next prompt on, and names those that are not asked',
  },
  {
    name: 'what was asked before the end of input is not answered',
    file: 'src/frontends/acp/AgentStream.ts',
    find: 'await Promise.race([this.#lines.allAnswered(), this.onInputEnd()]);',
    replace: 'void this.onInputEnd();',
    test: 'test/cli/acp.test.ts',
    title: 'answers what was asked before the end of input',
    built: true,
  },
];
