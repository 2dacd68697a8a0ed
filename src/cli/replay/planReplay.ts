import { formatDuration, formatMoney } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
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
  /** The team is not the one that is found here. */
  readonly isOtherTeam: boolean;
}

/** The questions of a replay, and what to say before it starts. */
export interface ReplayPlan {
  readonly rows: readonly Pick<ReplayRow, 'id' | 'question' | 'before'>[];
  readonly missingMembers: readonly string[];
  readonly leftOut: readonly string[];
  readonly notes: readonly string[];
  /** Name of the person who says a message now; undefined: the first one of the team. */
  readonly speakerOf: (row: Pick<ReplayRow, 'id'>) => string | undefined;
}

/**
 * Plans what a team is asked of a recording.
 *
 * @throws {@link HuddleError} `NOTHING_TO_REPLAY` if that is no turn, `OTHER_TEAM` if no recorded agent is in the team here.
 */
export function planReplay(recording: LoadedRecording, team: Team, wish: ReplayWish): ReplayPlan {
  const { id, questions, members, folder } = recording;
  const { eachTurn, runs } = wish;
  const agents = members.filter(({ type }) => type === 'ai');
  const known = new Set<string>(agentsOf(team).map((agent) => agent.id));
  const gone = agents.filter((agent) => !known.has(agent.id));
  const missingMembers = gone.map(({ name }) => sanitizeToOneLine(name));
  if (agents.length > 0 && gone.length === agents.length && !wish.isOtherTeam)
    throw new HuddleError('OTHER_TEAM', words.sessions.otherTeam(id, missingMembers, folder));

  const people = team.members.filter(({ type }) => type === 'human').map(({ name }) => foldName(name));
  const speakers = new Map<string, string>(
    questions.flatMap(({ messageId, from }) => (people.includes(foldName(from)) ? [[messageId, from]] : [])),
  );
  const strangers = new Set(
    questions.flatMap(({ messageId, from }) => (speakers.has(messageId) ? [] : sanitizeToOneLine(from))),
  );
  const asked = recording.turns.filter(({ memberId, isCheck }) => !isCheck && known.has(memberId));
  const absent = recording.turns.filter(({ memberId, isCheck }) => !isCheck && !known.has(memberId));
  const checks = recording.turns.filter(({ isCheck }) => isCheck);
  if (eachTurn && asked.length === 0) throw new HuddleError('NOTHING_TO_REPLAY', words.replay.noTurns(id));
  const rows = eachTurn
    ? asked
    : questions.map(({ messageId, content, attempt }) => ({
        id: messageId,
        question: content,
        before: attempt,
      }));

  const { plan, planTurns, membersGone, turnsLeftOut, checksLeftOut, peopleGone, redacted, open } =
    words.replay;
  const took = describeCost(rows);
  const turns = rows.reduce((sum, { before }) => sum + before.turns.length, 0);
  const idsOf = (left: readonly { readonly id: string }[]) => left.map((turn) => sanitizeToOneLine(turn.id));
  const notes = [
    ...(recording.isOpen ? [open(id)] : []),
    eachTurn ? planTurns(id, turns, runs, took) : plan(id, questions.length, turns, runs, took),
    ...(recording.isRedacted ? [redacted] : []),
    ...(eachTurn && absent.length > 0 ? [turnsLeftOut(missingMembers, idsOf(absent))] : []),
    ...(eachTurn && checks.length > 0 ? [checksLeftOut(idsOf(checks))] : []),
    ...(!eachTurn && gone.length > 0 ? [membersGone(missingMembers)] : []),
    ...(!eachTurn && strangers.size > 0 ? [peopleGone([...strangers])] : []),
  ];
  return {
    rows: rows.map((row) => ({ id: row.id, question: row.question, before: row.before })),
    missingMembers,
    leftOut: eachTurn ? idsOf([...absent, ...checks]) : [],
    notes,
    speakerOf: (row) => speakers.get(row.id),
  };
}

/** Describes what it took when it was recorded: money where that is known, and time. */
function describeCost(rows: ReplayPlan['rows']): readonly string[] {
  const { usd, milliseconds } = sumUp(rows.flatMap(({ before }) => before.turns));
  return [...(usd === undefined ? [] : [formatMoney(usd)]), formatDuration(milliseconds)];
}
