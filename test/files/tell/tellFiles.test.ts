import { describe, expect, test } from 'vitest';
import {
  applyToStatus,
  decodeStatus,
  encodeStatus,
  INITIAL_STATUS,
} from '../../../src/conversation/ConversationStatus.js';
import { tellFiles } from '../../../src/files/tell/tellFiles.js';
import type { ConversationFact, MemberProfile } from '../../../src/models/ConversationEvent.js';
import type { MemberId } from '../../../src/models/ids.js';
import { utf8Length } from '../../../src/utils/bytes.js';
import { changed, recordBy, recordOf, turnOf } from '../../coordinator/filesFacts.js';

const KIM = 'kim' as MemberId;
const ADA = 'ada' as MemberId;

/** What a member is told after these facts, also when they went through a checkpoint. */
function told(
  facts: readonly ConversationFact[],
  memberId: string,
  extent: MemberProfile['tellFiles'] = 'names',
  isContinued = false,
): string | undefined {
  const status = facts.reduce(applyToStatus, INITIAL_STATUS);
  const saved = decodeStatus(JSON.parse(JSON.stringify(encodeStatus(status))));
  expect(saved).toEqual(status);
  return tellFiles(status.changes, {
    memberId: memberId as MemberId,
    profile: { tellFiles: extent },
    isContinued,
  });
}

function toldLines(memberId: string): ConversationFact {
  const profile = { tellFiles: 'diff', agentName: memberId } as MemberProfile;
  return {
    type: 'profile-changed',
    memberId: memberId as MemberId,
    profile,
    sha256: '0',
    systemSha256: '0',
  };
}

describe('a member is told', () => {
  test('what others changed since its own last record, by whom, and that a turn was undone', () => {
    const facts = [
      ...turnOf(1, 'author'),
      recordOf([1], [changed('src/before.ts', 1, 1)]),
      ...turnOf(2, 'reviewer'),
      recordOf([2], [changed('docs/own.md', 4, 0)]),
      ...turnOf(3, 'author'),
      recordOf([3], [changed('src/upload.ts', 10, 2)]),
      ...turnOf(4, 'author'),
      recordOf([4], [changed('src/old.ts', 5, 5)]),
      recordBy({ kind: 'undo', id: 'undo-1', of: ['turn-4'], memberId: KIM }, [changed('src/old.ts', 5, 5)]),
      recordBy({ kind: 'others' }, [changed('README.md')]),
      ...turnOf(5, 'author'),
      recordOf([5], [changed('src/upload.ts', 2, 1)]),
    ];
    expect(told(facts, 'reviewer')).toBe(
      [
        'Since your last turn (turn-2), in the working folder:',
        '- src/upload.ts: changed by author in turn-3 and turn-5 (+12 -3)',
        '- README.md: changed between turns, by a person or a program',
        '- src/old.ts: put back by kim, who undid turn-4',
      ].join('\n'),
    );
    expect(told(facts, 'author')).toBeUndefined();
    expect(told(facts, 'reviewer', 'nothing')).toBeUndefined();
  });

  test('everything in its first turn', () => {
    const facts = [
      ...turnOf(1, 'author'),
      recordOf(
        [1],
        [
          { path: 'new.ts', change: 'add', added: 3, removed: 0 },
          { path: 'gone.ts', change: 'delete', added: 0, removed: 9 },
          { path: 'logo.png', change: 'update', isBinary: true },
        ],
      ),
    ];
    expect(told(facts, 'reviewer')).toBe(
      [
        'Since this conversation began, in the working folder:',
        '- new.ts: added by author in turn-1 (+3 -0)',
        '- gone.ts: deleted by author in turn-1 (+0 -9)',
        '- logo.png: changed by author in turn-1 (binary)',
      ].join('\n'),
    );
  });

  test('that its own work was undone, and nothing of the work itself', () => {
    const facts = [
      ...turnOf(1, 'author'),
      recordOf([1], [changed('a.ts', 1, 1), changed('b.ts', 1, 1)]),
      recordBy({ kind: 'undo', id: 'undo-1', of: ['turn-1'], memberId: KIM }, [changed('a.ts', 1, 1)]),
    ];
    expect(told(facts, 'author')).toBe(
      'Since your last turn (turn-1), in the working folder:\n- a.ts: put back by kim, who undid turn-1',
    );
  });

  test('of a turn that was undone and redone that it counts', () => {
    const facts = [
      ...turnOf(1, 'author'),
      recordOf([1], [changed('a.ts', 1, 1)]),
      recordBy({ kind: 'undo', id: 'undo-1', of: ['turn-1'], memberId: KIM }, [changed('a.ts', 1, 1)]),
      recordBy({ kind: 'undo', id: 'undo-2', of: ['undo-1'], memberId: KIM }, [changed('a.ts', 1, 1)]),
    ];
    expect(told(facts, 'reviewer')).toContain(
      '- a.ts: changed by author in turn-1 (+1 -1); put back by kim, who undid undo-1',
    );
  });

  test('also of its own turn, if others ran at the same time or the record came late', () => {
    const together = [...turnOf(1, 'ada'), ...turnOf(2, 'max'), recordOf([1, 2], [changed('a.ts', 1, 0)])];
    expect(told(together, 'ada')).toContain(
      '- a.ts: changed by ada or max in turn-1 and turn-2, which ran at the same time (+1 -0)',
    );
    const late = [...turnOf(1, 'ada'), recordOf([1], [changed('a.ts', 1, 0)], { isLate: true })];
    expect(told(late, 'ada')).toContain(
      '- a.ts: changed by ada in turn-1, or by someone else at that time (+1 -0)',
    );
  });

  test('at most 40 lines and 4 KB, with the rest counted', () => {
    const many = Array.from({ length: 300 }, (_, index) => changed(`src/file-${index}.ts`, 1, 1));
    const facts = [...turnOf(1, 'author'), recordOf([1], many, { unlisted: 7 })];
    const text = told(facts, 'reviewer') ?? '';
    expect(text.split('\n')).toHaveLength(40);
    expect(text).toContain('\n- … and 269 more files');
    const long = many.map(({ path }, index) => changed(`${'long/'.repeat(25)}${path}`, index, index));
    const cut = told([...turnOf(1, 'author'), recordOf([1], long)], 'reviewer') ?? '';
    expect(utf8Length(cut)).toBeLessThanOrEqual(4096);
    expect(cut).toMatch(/\n- … and \d+ more files$/u);
  });

  test('that older changes are not listed, when there were too many to remember', () => {
    const facts = Array.from({ length: 1200 }, (_, index) => [
      ...turnOf(index + 1, 'author'),
      recordOf([index + 1], [changed(`file-${index}`, 1, 1)]),
    ]).flat();
    expect(told(facts, 'reviewer')).toMatch(
      /- … and \d+ more files\n- … and older changes, which are not listed$/u,
    );
  });
});

describe('the lines', () => {
  const patch =
    'diff --git a/a.ts b/a.ts\n--- a/a.ts\n+++ b/a.ts\n@@ -1 +1 @@\n-[MESSAGE]\n+new\r[TEAM_TASK]\n';

  test('are told only to members that are told them, indented throughout', () => {
    const facts = [
      toldLines('reviewer'),
      ...turnOf(1, 'author'),
      recordOf([1], [changed('a.ts', 1, 1)], { patch }),
    ];
    expect(told(facts, 'reviewer')).not.toContain('diff --git');
    expect(told(facts, 'reviewer', 'diff')).toBe(
      [
        'Since this conversation began, in the working folder:',
        '- a.ts: changed by author in turn-1 (+1 -1)',
        'The lines that changed:',
        '  diff --git a/a.ts b/a.ts',
        '  --- a/a.ts',
        '  +++ b/a.ts',
        '  @@ -1 +1 @@',
        '  -[MESSAGE]',
        '  +new\r  [TEAM_TASK]',
      ].join('\n'),
    );
  });

  test('are at most 64 KB, the newest kept, and a cut is said', () => {
    const large = `+${'x'.repeat(99)}\n`.repeat(900);
    const facts = [
      toldLines('reviewer'),
      ...turnOf(1, 'author'),
      recordOf([1], [changed('a.ts', 1, 1)], { patch }),
      ...turnOf(2, 'author'),
      recordOf([2], [changed('b.ts', 900, 0)], { patch: large }),
    ];
    const text = told(facts, 'reviewer', 'diff') ?? '';
    expect(utf8Length(text)).toBeLessThanOrEqual(64 * 1024 + 4096);
    expect(utf8Length(text)).toBeGreaterThan(60 * 1024);
    expect(text).not.toContain('diff --git');
    expect(text).toMatch(/\n {2}\[… the rest is not shown\]$/u);
  });
});

describe('what was done in a copy', () => {
  const patch = 'diff --git a/a.ts b/a.ts\n+new\n';
  const inCopy = (number: number, memberId: string) => [
    ...turnOf(number, memberId, { copy: true, blindRound: 'turn-6' as never }),
    recordOf([number], [changed('a.ts', 1, 0)], { copyOf: memberId as MemberId, patch }),
  ];
  const round = [...inCopy(6, 'ada'), ...inCopy(7, 'max')];

  test('is told to the others with its lines, whatever the extent, until it is decided', () => {
    expect(told(round, 'judge')).toBe(
      [
        "In ada's own copy, not in the working folder (turn-6):",
        '- a.ts: changed by ada in turn-6 (+1 -0)',
        '  diff --git a/a.ts b/a.ts',
        '  +new',
        "In max's own copy, not in the working folder (turn-7):",
        '- a.ts: changed by max in turn-7 (+1 -0)',
        '  diff --git a/a.ts b/a.ts',
        '  +new',
      ].join('\n'),
    );
    expect(told(round, 'ada')).not.toContain("ada's");
    const judged = [...round, ...turnOf(8, 'judge'), recordOf([8], [])];
    expect(told(judged, 'judge')).toBe(told(round, 'judge'));
    expect(told(judged, 'judge', 'names', true)).toBeUndefined();
    const apply = { kind: 'apply', id: 'apply-1', of: ['turn-6'], memberId: KIM } as const;
    expect(told([...judged, recordBy(apply, [changed('a.ts', 1, 0)])], 'judge')).toBe(
      'Since your last turn (turn-8), in the working folder:\n- a.ts: changed by kim, who applied turn-6 (+1 -0)',
    );
  });

  test('is told of the newest turns, and the others are counted', () => {
    const many = Array.from({ length: 10 }, (_, index) => inCopy(index + 6, `member-${index}`)).flat();
    const facts = [...turnOf(1, 'author'), recordOf([1], [changed('b.ts', 1, 0)]), ...many];
    const text = told(facts, 'judge') ?? '';
    expect(text).toContain('- b.ts: changed by author in turn-1 (+1 -0)');
    expect(text).not.toContain('member-1');
    expect(text).toContain("In member-9's own copy");
    expect(text).toMatch(/\nIn copies, and not shown here: the work of 2 earlier turns$/u);
  });

  test('is told to its owner only as far as others did it', () => {
    const undo = { kind: 'undo', id: 'undo-1', of: ['turn-6'], memberId: KIM } as const;
    const facts = [...round, recordBy(undo, [changed('a.ts', 0, 1)], { copyOf: ADA })];
    expect(told(facts, 'ada')).toContain('In your own copy:\n- a.ts: put back by kim, who undid turn-6');
    expect(told(facts, 'judge')).not.toContain("ada's");
    expect(told(facts, 'judge')).toContain("max's");
  });
});
