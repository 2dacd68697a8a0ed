import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { describeFailure, describeNotice } from '../../src/catalogue/tellings.js';
import type { Notice } from '../../src/models/ConversationEvent.js';
import type { MemberId, MessageId } from '../../src/models/ids.js';
import type { TurnFailure } from '../../src/models/TurnOutcome.js';
import { root } from '../cli/runHuddle.js';

const about = { type: 'notice', messageId: 'msg-1' as MessageId } as const;
const max = { ...about, memberId: 'max' as MemberId };
const strangers = ['z0', 'z1', 'z2', 'z3', 'z4'].map((name) => ({ name }));

test.each<[Notice, string]>([
  [
    { ...about, code: 'unknown-addressee', unknown: [{ name: 'Bobb', nearest: 'bob' }] },
    'No member named "Bobb". Did you mean bob?',
  ],
  [
    { ...about, code: 'unknown-addressee', unknown: [{ name: 'Bobb', nearest: 'bob' }, { name: 'zoe' }] },
    'No member named "Bobb" (did you mean bob?), "zoe".',
  ],
  [
    { ...about, code: 'unknown-addressee', unknown: strangers, more: 696 },
    'No member named "z0", "z1", "z2", "z3", "z4" and 696 more.',
  ],
  [
    { ...about, code: 'unknown-addressee', unknown: [{ name: 'y'.repeat(900) }] },
    `No member named "${'y'.repeat(60)}…".`,
  ],
  [{ ...max, code: 'self-addressed' }, 'Max handed off to itself; ignored.'],
  [{ ...max, code: 'claimed-from', claimed: 'kim' }, 'Max claimed to be "kim"; treated as Max.'],
  [
    { ...about, code: 'queue-full', max: 1, memberIds: [max.memberId] },
    'The queue is full (1 turn); not queued: Max.',
  ],
])('a notice %o is said in a sentence', (notice, sentence) => {
  expect(describeNotice(notice, () => 'Max')).toBe(sentence);
});

test.each<[TurnFailure, string, string]>([
  [
    { code: 'AGENT_MISSING', reason: 'not-found', program: 'claude', label: 'Claude Code', install: 'npm i' },
    'max: Claude Code (claude) not found on PATH',
    'Install: npm i',
  ],
  [
    { code: 'NO_FINAL_EVENT', reason: 'no-final-event', exitCode: 3, command: 'claude' },
    'max (claude): exited before completing its reply (exit code 3)',
    'Retry the turn.',
  ],
  [
    {
      code: 'AUTH',
      reason: 'login-needed',
      status: 401,
      command: 'codex',
      login: { run: 'codex login', variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'] },
    },
    'max (codex): the service rejected the login (HTTP 401)',
    'Run `codex login`, or set CODEX_API_KEY or OPENAI_API_KEY.',
  ],
  [
    { code: 'AUTH', reason: 'login-needed', detail: 'Authentication required', command: 'some-agent' },
    'max (some-agent): Authentication required',
    'Log in with its own command, some-agent.',
  ],
  [
    { code: 'AUTH', reason: 'login-needed', login: { run: 'opencode auth login', variables: [] } },
    'max: could not log in',
    'Run `opencode auth login`, or name the variable of its key in "credentials" of the team file.',
  ],
])('a failure %o says what happened and what to do', (failure, what, hint) => {
  expect(describeFailure('max', failure)).toEqual({ what, hint });
});

test.each(['english', 'chinese'])(
  'advice that is read in scripts, records and pages names no command of the terminal (%s)',
  (language) => {
    const folder = join(root, 'src', 'catalogue', language);
    // Sentences of the terminal alone, of `--help`, and of the page, on which some commands can be typed.
    const own = /^(?:terminal|help|web)\.ts$/u;
    const files = readdirSync(folder).filter((file) => !own.test(file));
    expect(files.length).toBeGreaterThan(20);
    expect(files.filter((file) => readFileSync(join(folder, file), 'utf8').includes('/retry'))).toEqual([]);
  },
);
