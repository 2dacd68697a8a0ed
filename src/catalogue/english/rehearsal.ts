/** Sentences of the dry run and the demo. */
export const rehearsalText = {
  noStateFolder: (folder: string, reason: string) =>
    `No temporary folder can be made in ${folder}: ${reason}. Set TMPDIR to a folder of yours.`,
  opening: (names: readonly string[]) =>
    `This is a rehearsal. Say in one sentence what you would do first. [NEXT: ${names.join(', ')}]`,
  demoTitle: 'Demo: simulated agents. No CLI is called and nothing is spent.',
  demoOpening:
    '[TEAM_TASK] Design a sign-in for the team wiki\n\nHow would you build it, and where is it weak? [NEXT: claude]',
  demoScript: {
    claude: [
      {
        text: [
          'I look at what the wiki has today.',
          'A signed cookie that holds a session id, and the sessions on the server. Codex, where does that break?',
        ],
        tools: [{ name: 'Read', input: 'src/server.ts', result: '120 lines' }],
        next: ['codex'],
      },
    ],
    codex: [
      {
        text: 'Where the signing key leaks. Change the key every week and accept the last two. Gemini, what would a user notice?',
        next: ['gemini'],
      },
    ],
    gemini: [{ text: 'Nothing, as long as the old key is accepted while the new one spreads.' }],
  },
  next: [
    'Next:',
    '  huddle init                a team file for this folder',
    '  huddle doctor              what is installed, and what is missing',
    '  huddle run "your message"  one conversation with your own agents',
    '  huddle --help              all commands',
  ],
};
