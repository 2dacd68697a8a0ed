import { repliesText } from './replies.js';

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
