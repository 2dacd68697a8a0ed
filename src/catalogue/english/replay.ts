import { counted } from '../counted.js';

/** Sentences of `huddle replay`. */
export const replayText = {
  heads: {
    members: 'members',
    member: 'member',
    handoff: 'handoff',
    result: 'result',
    words: 'words',
    prompt: 'prompt',
    tokens: 'tokens',
    cost: 'cost',
    time: 'time',
    check: 'check',
    note: 'note',
    total: 'total',
  },
  labels: { before: 'before', now: 'now', least: 'min', most: 'max' },
  results: {
    done: 'done',
    waiting: 'waiting',
    limit: 'limit',
    'not-logged-in': 'no login',
    'agent-missing': 'missing',
    failed: 'failed',
    'no-recipient': 'no one',
    cancelled: 'stopped',
    'timed-out': 'timed out',
    interrupted: 'cut off',
  },
  /** Stands for a value that is not the same in all runs. */
  differs: 'differs',
  turns: (count: number) => counted(count, 'turn'),
  plan: (id: string, messages: number, turns: number, runs: number, took: readonly string[]) =>
    `Replay of ${id}: ${counted(messages, 'message')}, ${counted(turns, 'turn')}${runs > 1 ? `, ${runs} times` : ''}${took.length === 0 ? '' : ` (last time: ${took.join(', ')})`}.`,
  planTurns: (id: string, turns: number, runs: number, took: readonly string[]) =>
    `Replay of ${id}, turn by turn: ${counted(turns, 'turn')}${runs > 1 ? `, ${runs} times` : ''}${took.length === 0 ? '' : ` (last time: ${took.join(', ')})`}.`,
  editorsInCopies: (names: readonly string[]) =>
    `Can edit files: ${names.join(', ')}. Each works in a copy; this folder stays as it is.`,
  editorsInPlace: (names: readonly string[]) => `Can edit files in this folder: ${names.join(', ')}.`,
  noCopies: (names: readonly string[]) =>
    `Can edit files: ${names.join(', ')}. Their copies need files.record, which the team file switches off. Add --read-only, or --in-place to let them edit this folder.`,
  copiesFailed:
    'Copies of this folder could not be made. Add --read-only, or --in-place to let members edit this folder.',
  membersGone: (names: readonly string[]) =>
    `Not in the team: ${names.join(', ')}. Messages that name them reach no one.`,
  turnsLeftOut: (names: readonly string[], turnIds: readonly string[]) =>
    `Not in the team: ${names.join(', ')}. Left out: ${turnIds.join(', ')}.`,
  checksLeftOut: (turnIds: readonly string[]) =>
    `Checks of files are not asked again: ${turnIds.join(', ')}.`,
  peopleGone: (names: readonly string[]) =>
    `Not in the team: ${names.join(', ')}. Their messages are sent as the first person of the team.`,
  redacted: 'Secrets and folders in this recording are masked; its messages are sent with the masks.',
  open: (id: string) => `Session ${id} is open in another process: replaying what it has so far.`,
  inYourName: (file: string) => `Messages of ${file}, sent in your name:`,
  moreMessages: (count: number) => `… ${count} more`,
  nothing: (id: string) => `${id} has no message of a person, so there is nothing to ask again.`,
  noTurns: (id: string) => `${id} has no turn of a member of this team, so there is nothing to ask again.`,
  badRepeat: 'It must be a whole number from 2 to 10.',
  badCheck: (part: string) =>
    `--check starts one program without a shell, and "${part}" needs one. Put it into a script and name that.`,
  emptyCheck: '--check needs a program, such as --check "node check.mjs".',
  /** Place in a replay: `msg-2 (2/3)`, `run 1/3 · msg-2 (2/3)`. */
  place: (id: string, row: number, rows: number, run: number, runs: number) =>
    `${runs > 1 ? `run ${run}/${runs} · ` : ''}${id} (${row}/${rows})`,
  checking: 'running the check',
  stepDone: (place: string, facts: readonly string[]) => `${place}: ${facts.join(', ')}`,
  passed: (line: string) => (line === '' ? 'passed' : `passed: ${line}`),
  failed: (line: string) => (line === '' ? 'failed' : `failed: ${line}`),
  checkProblems: {
    'not-started': (reason: string) => `not started: ${reason}`,
    'timed-out': () => 'failed: not done in time',
    stopped: () => 'stopped',
  },
  checksPassed: (passed: number, runs: number, line: string) =>
    `${passed}/${runs} passed${line === '' ? '' : `: ${line}`}`,
  stops: {
    limit: (asked: number, all: number) =>
      `Stopped: the limit for the whole replay is reached, ${asked} of ${all} asked. To ask everything, rerun with a larger --max-usd, or raise limits in the team file.`,
    stopped: (asked: number, all: number) => `Stopped, ${asked} of ${all} asked.`,
  },
  saved: (ids: readonly string[]) => `Saved as ${ids.join(', ')}. To read it: huddle show ${ids[0]}`,
  notSaved: 'Not saved: --json prints every answer, --diff the differences.',
  runTitle: (id: string, run: number) => `${id}, run ${run}`,
  same: 'The answers are the same.',
  skippedLines: (count: number) => `… ${counted(count, 'line')} the same`,
};
