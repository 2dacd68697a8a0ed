/** A reply of a simulated agent; `{asked}` stands for what it was asked. */
export interface SimulatedReply {
  readonly text: string | readonly string[];
  readonly tools?: readonly { readonly name: string; readonly input: string; readonly result: string }[];
  readonly next?: readonly string[];
}

/** Replies in a dry run of each preset, by the names of its roles; after the last one they start over. */
export const repliesText: Readonly<Record<string, Readonly<Record<string, readonly SimulatedReply[]>>>> = {
  council: {
    architect: [
      {
        text: [
          'Let me look at how this works today.',
          'For "{asked}" I propose one change: decide it in a single place, at the entrance, and let everything behind it rely on that. It costs one new module and no new dependency. Engineer, does the code allow it?',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: 'read' }],
        next: ['engineer'],
      },
      {
        text: 'Agreed on both points. Decision: one module at the entrance, behind a switch, and the old path stays for one release. Price: about two days. First step: a test that shows what happens today.',
      },
    ],
    engineer: [
      {
        text: [
          'Let me check that against the code.',
          'It does. Two callers go around the entrance today, and both can be moved in an hour. What is missing is a test for the old behaviour. Critic, what breaks for the people who use it?',
        ],
        tools: [{ name: 'Grep', input: 'entrance', result: '2 callers' }],
        next: ['critic'],
      },
    ],
    critic: [
      {
        text: '1. Anyone who relies on the old path gets an error without a word of advice.\n2. There is no way back if it goes wrong on a Friday.\n\nArchitect, can both stay for one release?',
        next: ['architect'],
      },
    ],
  },
  pair: {
    navigator: [
      {
        text: [
          'Let me read the part that is concerned.',
          'For "{asked}" the first small step is a test that fails for the right reason. It works when the test names the case and nothing else changes. Driver, please write only that.',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: 'read' }],
        next: ['driver'],
      },
      {
        text: 'The test fails for the right reason. Next step: make it pass with the smallest change, and run all the tests.',
        next: ['driver'],
      },
      { text: 'Both steps hold: one new test, one small change, all tests pass. This is done.' },
    ],
    driver: [
      {
        text: [
          'Writing the test.',
          'One new test, and it fails as it should: expected a refusal, got a result.',
        ],
        tools: [{ name: 'Bash', input: 'npm test', result: '1 failed, 42 passed' }],
        next: ['navigator'],
      },
      {
        text: ['Making it pass.', 'Four lines changed in one file. All tests pass.'],
        tools: [{ name: 'Bash', input: 'npm test', result: '43 passed' }],
        next: ['navigator'],
      },
    ],
  },
  review: {
    author: [
      {
        text: [
          'Let me find where this is decided.',
          'Done: "{asked}" One check at the entrance and one test for it; nothing else changed. Reviewer, please look at the case without any input: I am least sure of that one.',
        ],
        tools: [{ name: 'Read', input: 'README.md', result: 'read' }],
        next: ['reviewer'],
      },
      {
        text: 'Right. The empty case is refused as well now, and has a test of its own.',
        next: ['reviewer'],
      },
    ],
    reviewer: [
      {
        text: 'One problem: with empty input the check passes and the old path runs, so the change can be bypassed. Everything else is fine.',
        next: ['author'],
      },
      { text: 'No problems left. Both cases are refused and tested.' },
    ],
  },
  debate: {
    bold: [
      {
        text: 'On "{asked}": replace it as a whole, now, while few depend on it. You gain a design you can explain in one sentence. The price is one week in which nothing else ships.',
      },
    ],
    careful: [
      {
        text: 'On "{asked}": put the new way beside the old one, behind a switch, and move one caller at a time. Every step can be undone. You give up speed, and for a month there are two ways to do one thing.',
      },
    ],
    simple: [
      {
        text: 'On "{asked}": do not build it yet. Write down when the need would be real, and fix the one case that hurts today. Anyone who hoped for the whole thing has to wait.',
      },
    ],
  },
  contest: {
    judge: [
      {
        text: '"{asked}" will be judged by three things: the tests pass, the case without input is covered, and little else changes. Alpha, beta and gamma, please.',
        next: ['alpha', 'beta', 'gamma'],
      },
      {
        text: 'All three pass the tests. Beta covers the case without input and changes least: 4 lines and one test. Gamma is as right and twice as long; alpha misses that case. Apply the work of beta.',
      },
    ],
    alpha: [
      {
        text: ['Let me find where this is decided.', 'One check at the entrance, and a test for it.'],
        tools: [{ name: 'Read', input: 'README.md', result: 'read' }],
        next: ['judge'],
      },
    ],
    beta: [
      {
        text: 'The check is where the value is read, so the case without input is covered as well. Four lines and one test.',
        tools: [{ name: 'Bash', input: 'npm test', result: '43 passed' }],
        next: ['judge'],
      },
    ],
    gamma: [
      {
        text: 'A function of its own decides it, with a table of cases in its test. I would not build the table again.',
        next: ['judge'],
      },
    ],
  },
};

/** Sentences of the dry run and the demo. */
export const rehearsalText = {
  noStateFolder: (folder: string, reason: string) =>
    `Cannot create a temporary folder in ${folder}: ${reason}. Set TMPDIR to a folder you can write to.`,
  opening: (names: readonly string[]) =>
    `This is a dry run. Say in one sentence what you would do first. [NEXT: ${names.join(', ')}]`,
  /** A reply that no script gives; `{asked}` stands for the question. */
  plainReply: (name: string) => `${name} here, in rehearsal. I was asked: "{asked}".`,
  demoTitle: 'Demo: simulated agents. No CLI is called and nothing is spent.',
  demoOpening:
    '[TEAM_TASK] Design a sign-in for the team wiki\n\nHow would you build it, and where is it weak? [NEXT: claude]',
  demoScript: {
    claude: [
      {
        text: [
          'Let me check what the wiki does today.',
          'A signed cookie that holds a session id, and the sessions on the server. Codex, where does that break?',
        ],
        tools: [{ name: 'Read', input: 'src/server.ts', result: '120 lines' }],
        next: ['codex'],
      },
    ],
    codex: [
      {
        text: 'If the signing key leaks. Rotate it weekly and accept the last two. Gemini, what would a user notice?',
        next: ['gemini'],
      },
    ],
    gemini: [{ text: 'Nothing, as long as the old key is accepted while the new one spreads.' }],
  },
  replies: repliesText,
  notSaved: 'Dry run: nothing was spent or saved.',
  next: [
    'Next:',
    '  huddle init                create a team file here',
    '  huddle doctor              check what is installed',
    '  huddle run "your message"  run one conversation with your agents',
    '  huddle --help              list all commands',
  ],
};
