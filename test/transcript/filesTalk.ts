import type { ConversationFact, RecordedEvent } from '../../src/models/ConversationEvent.js';
import type { FileChange } from '../../src/models/FileChange.js';
import type { ConversationId, MemberId, MessageId, TurnId } from '../../src/models/ids.js';

/** The hash of a content. */
const SCRIPT = 'a'.repeat(40);
const START = Date.UTC(2026, 10, 15, 2, 12);
const kim = { id: 'kim' as MemberId, name: 'kim', type: 'human' } as const;
const [author, ada] = ['author', 'ada'].map(
  (name) =>
    ({ id: name as MemberId, name, type: 'ai', agentType: 'claude-code', permission: 'edit' }) as const,
);

type Recorded = Extract<ConversationFact, { type: 'files-recorded' }>;

export const turnId = (number: number): TurnId => `turn-${number}` as TurnId;

export function change(path: string, more: Partial<FileChange> = {}): FileChange {
  return { path, change: 'update', ...more };
}

/** A record of what turns did to files. */
export function recorded(more: Partial<Recorded>): Recorded {
  return { type: 'files-recorded', by: { kind: 'turns', turnIds: [turnId(1)] }, files: [], ...more };
}

export const UPLOAD_PATCH = `diff --git a/src/upload.ts b/src/upload.ts
index 1111111..2222222 100644
--- a/src/upload.ts
+++ b/src/upload.ts
@@ -1,3 +1,4 @@
 const kept = 1;
--- a/removed </pre><script>alert(1)</script>
+const limit = \`\u001b[2J\u202e\`;
+\`\`\`
 end
diff --git a/src/new.ts b/src/new.ts
new file mode 100644
index 0000000..3333333
--- /dev/null
+++ b/src/new.ts
@@ -0,0 +1,2 @@
+one
+two
`;

/** All that can be told of files: in turns and between them, in a copy, late, put back and applied. */
const RECORDS: readonly (readonly Recorded[])[] = [
  [
    recorded({
      files: [
        change('src/upload.ts', { added: 12, removed: 3 }),
        change('src/new.ts', { change: 'add', added: 2 }),
        change('src/old.ts', { change: 'delete', removed: 1200 }),
        change('logo.png', { isBinary: true }),
        change('run.sh', { before: { mode: '100644', id: SCRIPT }, after: { mode: '100755', id: SCRIPT } }),
        change('data.bin', { isBinary: true, isKept: false }),
        change('a\n\u001b[31mb.txt', { added: 1 }),
      ],
      patch: UPLOAD_PATCH,
    }),
    recorded({
      by: { kind: 'others' },
      files: ['README.md', 'b.ts', 'c.ts', 'd.ts'].map((path) => change(path)),
    }),
  ],
  [recorded({ by: { kind: 'turns', turnIds: [turnId(2)] } })],
  [
    recorded({
      by: { kind: 'turns', turnIds: [turnId(3)] },
      copyOf: ada?.id ?? kim.id,
      files: [
        change('src/deep/down/in/the/folders/of/a/project/where/nobody/looks/upload.test.ts', { added: 40 }),
      ],
      isLate: true,
      overlaps: ['turn-9 of 20261115-0101-beef'],
      git: { head: { before: '1234567890', after: 'abcdef1234' }, branch: { before: 'main', after: 'fix' } },
    }),
    recorded({
      by: { kind: 'apply', id: 'apply-1', of: ['turn-3'], memberId: kim.id },
      files: [change('src/upload.test.ts', { change: 'add', added: 40 })],
    }),
    recorded({
      by: { kind: 'undo', id: 'undo-1', of: ['turn-1', 'apply-1'], memberId: kim.id },
      files: [change('src/upload.ts', { added: 3, removed: 12 })],
      unlisted: 2000,
    }),
  ],
];

/** A log in which members change files. */
export function filesTalk(): RecordedEvent[] {
  const speakers = [author, author, ada];
  const facts: ConversationFact[] = [
    {
      type: 'conversation-start',
      conversationId: 'files-1' as ConversationId,
      isRehearsal: false,
      team: { name: 'upload', members: [kim, ...(author && ada ? [author, ada] : [])] },
    },
    say(1, kim, 'Fix the upload.'),
    ...RECORDS.flatMap((records, index) => {
      const speaker = speakers[index];
      return speaker === undefined ? [] : [...takeTurn(index + 1, speaker), ...records];
    }),
  ];
  return facts.map((fact, index) => ({ ...fact, v: 1, seq: index + 1, at: START + index * 1000 }));
}

type Speaker = NonNullable<typeof author> | typeof kim;

function takeTurn(number: number, speaker: Speaker): ConversationFact[] {
  const answer = say(number + 1, speaker, `Done with part ${number}.`, turnId(number));
  const messageId = `msg-${number + 1}` as MessageId;
  const turn = { turnId: turnId(number), memberId: speaker.id };
  const latest = `msg-${number}` as MessageId;
  return [
    {
      type: 'turn-start',
      ...turn,
      triggeredBy: latest,
      prompt: { bytes: 1, sha256: '', latestMessageId: latest, session: 'new' },
    },
    { type: 'turn-end', ...turn, result: { kind: 'completed', messageId }, milliseconds: 12_000 },
    answer,
  ];
}

function say(number: number, speaker: Speaker, content: string, id?: TurnId): ConversationFact {
  return {
    type: 'message-added',
    message: {
      id: `msg-${number}` as MessageId,
      content,
      speaker: { roleId: speaker.id, roleName: speaker.name, type: speaker.type },
      timestamp: START,
    },
    ...(id && { turnId: id }),
  };
}
