import { statSync } from 'node:fs';
import { resolve } from 'node:path';
import { formatDuration, formatMoney } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { SendOptions } from '../../coordinator/Conversation.js';
import { HuddleError } from '../../models/errors.js';
import type { MemberId } from '../../models/ids.js';
import type { AgentMember, Team } from '../../models/Team.js';
import { type PlannedRow, sumUp } from '../../replay/Attempt.js';
import type { ReplayRow } from '../../replay/askAgain.js';
import {
  type RecordedConversation,
  type ReplayableTurn,
  readRecording,
} from '../../replay/ConversationMeasure.js';
import { agentsOf } from '../../routing/teamMembers.js';
import { importConversation, readChunks } from '../../store/importConversation.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { foldName } from '../../utils/foldName.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { explainImport } from '../commands/manageSessions.js';
import { withSession } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';
import { UsageError } from '../start/reportError.js';

/** A recording, and where it is from. */
export interface LoadedRecording extends RecordedConversation {
  /** Id of its conversation. */
  readonly id: string;
  /** The file that it is from, as it was typed: anyone may have written it. Absent: a session of the user's own. */
  readonly file?: string | undefined;
  /** Another process writes it. */
  readonly isOpen: boolean;
  /** Folder that it was held in. */
  readonly folder?: string | undefined;
}

const FILE_NAME = /[/.]/u;

/** Loads a saved session, or a file that `export` or `cassette` wrote. A file of that name goes before a session. Rejects with NOTHING_TO_REPLAY. */
export async function loadRecording(what: string, context: CliContext): Promise<LoadedRecording> {
  const file = resolve(context.workingFolder, what);
  const stats = statSync(file, { throwIfNoEntry: false });
  const isFile = stats === undefined ? FILE_NAME.test(what) : !stats.isDirectory();
  const loaded = await (isFile ? loadFile(file, what) : loadStored(what, context));
  if (loaded.questions.length > 0) return loaded;
  throw new HuddleError('NOTHING_TO_REPLAY', words.replay.nothing(loaded.id));
}

function loadStored(id: string, context: CliContext): Promise<LoadedRecording> {
  return withSession(id, context, async ({ reader, summary }) => ({
    ...(await readRecording(reader.read())),
    id: summary.id,
    isOpen: summary.state === 'open',
    folder: summary.folder,
  }));
}

/** Checks every event, as `import` does; saves nothing. */
async function loadFile(file: string, shown: string): Promise<LoadedRecording> {
  const store = new MemoryStore();
  try {
    const id = await importConversation(store, readChunks(file));
    return { ...(await readRecording((await store.read(id)).read())), id, isOpen: false, file: shown };
  } catch (error) {
    throw explainImport(error, shown);
  }
}

export interface ReplayChoice {
  readonly eachTurn: boolean;
  readonly runs: number;
  /** The team was named on the command line. */
  readonly isOtherTeam: boolean;
}

/** The questions of a replay, and what to say before it starts. */
export interface ReplayPlan extends RowPlan {
  /** Names of recorded agents that are not in the team. */
  readonly missingMembers: readonly string[];
}

interface RowPlan {
  readonly rows: readonly PlannedRow[];
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
export function planReplay(recording: LoadedRecording, team: Team, choice: ReplayChoice): ReplayPlan {
  const missingMembers = findMissing(recording, team, choice);
  const { isOpen, isRedacted, id } = recording;
  const planRows = choice.eachTurn ? planTurns : planQuestions;
  const plan = planRows(recording, team, missingMembers);
  const notes = [
    ...(isOpen ? [words.replay.open(id)] : []),
    announce(id, plan.rows, choice),
    ...(isRedacted ? [words.replay.redacted] : []),
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
  const more = questions.length - MOST_SHOWN;
  return [
    words.replay.inYourName(sanitizeToOneLine(file)),
    ...questions.slice(0, MOST_SHOWN).map(({ content }) => `  ${sanitizeToOneLine(content)}`),
    ...(more > 0 ? [`  ${words.replay.moreMessages(more)}`] : []),
  ];
}

function findMissing(
  { agents, id, folder }: LoadedRecording,
  team: Team,
  { isOtherTeam }: ReplayChoice,
): readonly string[] {
  const known = idsOfAgents(team);
  const missing = [...agents].flatMap(([agentId, name]) =>
    known.has(agentId) ? [] : sanitizeToOneLine(name),
  );
  if (agents.size > 0 && missing.length === agents.size && !isOtherTeam)
    throw new HuddleError('OTHER_TEAM', words.sessions.otherTeam(id, missing, folder));
  return missing;
}

function idsOfAgents(team: Team): ReadonlySet<MemberId> {
  return new Set(agentsOf(team).map((agent) => agent.id));
}

/** Every turn of a member that is there; what a check said of the files at that time cannot be asked again. */
function planTurns({ id, turns }: LoadedRecording, team: Team, missing: readonly string[]): RowPlan {
  const { noTurns, turnsLeftOut, checksLeftOut } = words.replay;
  const known = idsOfAgents(team);
  const rows = turns.filter(({ isCheck, memberId }) => !isCheck && known.has(memberId));
  if (rows.length === 0) throw new HuddleError('NOTHING_TO_REPLAY', noTurns(id));
  const idsOf = (which: (turn: ReplayableTurn) => boolean): string[] =>
    turns.filter(which).map((turn) => sanitizeToOneLine(turn.id));
  const absent = idsOf(({ isCheck, memberId }) => !isCheck && !known.has(memberId));
  const checks = idsOf(({ isCheck }) => isCheck);
  return {
    rows,
    leftOut: [...absent, ...checks],
    notes: [
      ...(absent.length > 0 ? [turnsLeftOut(missing, absent)] : []),
      ...(checks.length > 0 ? [checksLeftOut(checks)] : []),
    ],
    speakerOf: () => ({}),
  };
}

/** Every message that asked the team, said by the same person if they are there, or by the same program. */
function planQuestions({ questions }: LoadedRecording, team: Team, missing: readonly string[]): RowPlan {
  const { membersGone, peopleGone } = words.replay;
  const people = new Set(team.members.flatMap(({ type, name }) => (type === 'human' ? foldName(name) : [])));
  const isHere = (name: string): boolean => people.has(foldName(name));
  const speakers = new Map<string, SendOptions>(
    questions.map(({ messageId, from, via }) => [messageId, { as: isHere(from) ? from : undefined, via }]),
  );
  const strangers = questions.filter(({ from, via }) => via?.kind !== 'mcp' && !isHere(from));
  const names = new Set(strangers.map(({ from }) => sanitizeToOneLine(from)));
  return {
    rows: questions.map(({ messageId: id, content: question, attempt: before }) => ({
      id,
      question,
      before,
    })),
    leftOut: [],
    notes: [
      ...(missing.length > 0 ? [membersGone(missing)] : []),
      ...(names.size > 0 ? [peopleGone([...names])] : []),
    ],
    speakerOf: ({ id }) => speakers.get(id) ?? {},
  };
}

/** Says how much will be asked, and what that took when it was recorded: money where that is known, and time. */
function announce(id: string, rows: readonly PlannedRow[], { eachTurn, runs }: ReplayChoice): string {
  const { plan, planTurns: planEach } = words.replay;
  const { turns, usd, milliseconds } = sumUp(rows.flatMap(({ before }) => before.turns));
  const took = [...(usd === undefined ? [] : [formatMoney(usd)]), formatDuration(milliseconds)];
  return eachTurn ? planEach(id, turns, runs, took) : plan(id, rows.length, turns, runs, took);
}

/**
 * Lets members that can edit work in copies, each in its own: an old question must not change the folder of today, and every
 * run has to begin with the same files. `inPlace`: where they work in any other run.
 */
export function placeEditors(
  team: Team,
  { inPlace = false }: { readonly inPlace?: boolean },
): { readonly team: Team; readonly notes: readonly string[] } {
  // A check looks at the copy of the member that it checks.
  const canEdit = ({ permission, check }: AgentMember): boolean => permission !== 'read' && check !== true;
  const names = agentsOf(team)
    .filter(canEdit)
    .map(({ name }) => sanitizeToOneLine(name));
  if (names.length === 0) return { team, notes: [] };
  const { editorsInCopies, editorsInPlace, noCopies } = words.replay;
  if (inPlace) return { team, notes: [editorsInPlace(names)] };
  if (team.files?.record === false) throw new UsageError(noCopies(names));
  const members = team.members.map((member) =>
    member.type === 'ai' && canEdit(member) ? { ...member, workspace: 'copy' as const } : member,
  );
  return { team: { ...team, members }, notes: [editorsInCopies(names)] };
}
