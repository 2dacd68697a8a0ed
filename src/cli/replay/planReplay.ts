import { formatDuration, formatMoney } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { SendOptions } from '../../coordinator/Conversation.js';
import { HuddleError } from '../../models/errors.js';
import type { Team } from '../../models/Team.js';
import { sumUp } from '../../replay/Attempt.js';
import type { ReplayRow } from '../../replay/Replay.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { foldName } from '../../utils/foldName.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { LoadedRecording } from './loadRecording.js';

export interface ReplayWish {
  readonly eachTurn: boolean;
  readonly runs: number;
  /** The team was named on the command line. */
  readonly isOtherTeam: boolean;
}

type PlannedRow = Pick<ReplayRow, 'id' | 'question' | 'before'>;

/** The questions of a replay, and what to say before it starts. */
export interface ReplayPlan {
  readonly rows: readonly PlannedRow[];
  /** Names of recorded agents that are not in the team. */
  readonly missingMembers: readonly string[];
  /** Turns that are not asked for. */
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
  /** The person or the program that says a message now. */
  readonly speakerOf: (row: Pick<ReplayRow, 'id'>) => SendOptions;
}

/**
 * Plans what a team is asked of a recording.
 *
 * @throws {@link HuddleError} `NOTHING_TO_REPLAY` if that is no turn, `OTHER_TEAM` if no recorded agent is in the team here.
 */
export function planReplay(recording: LoadedRecording, team: Team, wish: ReplayWish): ReplayPlan {
  const missingMembers = findMissing(recording, team, wish);
  const { isOpen, isRedacted, id } = recording;
  const plan = wish.eachTurn
    ? planTurns(recording, team, missingMembers)
    : planQuestions(recording, team, missingMembers);
  const { open, redacted } = words.replay;
  const notes = [
    ...(isOpen ? [open(id)] : []),
    announce(recording, plan.rows, wish),
    ...(isRedacted ? [redacted] : []),
    ...showWords(recording),
    ...plan.notes,
  ];
  return { ...plan, missingMembers, notes };
}

/** Messages of a file that are shown before they are sent. */
const MOST_SHOWN = 20;

/** Agents take the messages of a file for the words of the person here, who may never have read them. */
function showWords({ file, questions }: LoadedRecording): readonly string[] {
  if (file === undefined) return [];
  const { inYourName, moreMessages } = words.replay;
  const more = questions.length - MOST_SHOWN;
  return [
    inYourName(sanitizeToOneLine(file)),
    ...questions.slice(0, MOST_SHOWN).map(({ content }) => `  ${sanitizeToOneLine(content)}`),
    ...(more > 0 ? [`  ${moreMessages(more)}`] : []),
  ];
}

function findMissing(
  { agents, id, folder }: LoadedRecording,
  team: Team,
  { isOtherTeam }: ReplayWish,
): readonly string[] {
  const known = new Set(agentsOf(team).map((agent) => agent.id));
  const missing = [...agents].flatMap(([agentId, name]) =>
    known.has(agentId) ? [] : sanitizeToOneLine(name),
  );
  if (agents.size > 0 && missing.length === agents.size && !isOtherTeam)
    throw new HuddleError('OTHER_TEAM', words.sessions.otherTeam(id, missing, folder));
  return missing;
}

type RowPlan = Omit<ReplayPlan, 'missingMembers'>;

/** Every turn of a member that is there; what a check said of the files at that time cannot be asked again. */
function planTurns({ id, turns }: LoadedRecording, team: Team, missing: readonly string[]): RowPlan {
  const { noTurns, turnsLeftOut, checksLeftOut } = words.replay;
  const known = new Set(agentsOf(team).map((agent) => agent.id));
  const checks = turns.filter(({ isCheck }) => isCheck);
  const others = turns.filter(({ isCheck }) => !isCheck);
  const rows = others.filter(({ memberId }) => known.has(memberId));
  if (rows.length === 0) throw new HuddleError('NOTHING_TO_REPLAY', noTurns(id));
  const absent = idsOf(others.filter(({ memberId }) => !known.has(memberId)));
  return {
    rows,
    leftOut: [...absent, ...idsOf(checks)],
    notes: [
      ...(absent.length > 0 ? [turnsLeftOut(missing, absent)] : []),
      ...(checks.length > 0 ? [checksLeftOut(idsOf(checks))] : []),
    ],
    speakerOf: () => ({}),
  };
}

/** Every message that asked the team, said by the same person if they are there, or by the same program. */
function planQuestions({ questions }: LoadedRecording, team: Team, missing: readonly string[]): RowPlan {
  const { membersGone, peopleGone } = words.replay;
  const people = team.members.filter(({ type }) => type === 'human').map(({ name }) => foldName(name));
  const isHere = (name: string): boolean => people.includes(foldName(name));
  const speakers = new Map<string, SendOptions>(
    questions.map(({ messageId, from, via }) => [messageId, { as: isHere(from) ? from : undefined, via }]),
  );
  const strangers = new Set(
    questions.flatMap(({ from, via }) =>
      via?.kind === 'mcp' || isHere(from) ? [] : [sanitizeToOneLine(from)],
    ),
  );
  return {
    rows: questions.map(({ messageId, content, attempt }) => ({
      id: messageId,
      question: content,
      before: attempt,
    })),
    leftOut: [],
    notes: [
      ...(missing.length > 0 ? [membersGone(missing)] : []),
      ...(strangers.size > 0 ? [peopleGone([...strangers])] : []),
    ],
    speakerOf: (row) => speakers.get(row.id) ?? {},
  };
}

/** Says how much will be asked, and what that took when it was recorded: money where that is known, and time. */
function announce(
  { id }: LoadedRecording,
  rows: readonly PlannedRow[],
  { eachTurn, runs }: ReplayWish,
): string {
  const { plan, planTurns: planEach } = words.replay;
  const { turns, usd, milliseconds } = sumUp(rows.flatMap(({ before }) => before.turns));
  const took = [...(usd === undefined ? [] : [formatMoney(usd)]), formatDuration(milliseconds)];
  return eachTurn ? planEach(id, turns, runs, took) : plan(id, rows.length, turns, runs, took);
}

function idsOf(turns: readonly Pick<PlannedRow, 'id'>[]): readonly string[] {
  return turns.map(({ id }) => sanitizeToOneLine(id));
}
