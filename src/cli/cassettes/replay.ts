import { randomBytes } from 'node:crypto';
import { formatDuration, formatMoney, formatSeconds } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import {
  type ConversationOptions,
  createConversation,
  resumeConversation,
} from '../../createConversation.js';
import { LineWriter } from '../../frontends/lines/LineWriter.js';
import { hang } from '../../frontends/lines/PrefixedText.js';
import type { ConversationId } from '../../models/ids.js';
import { findMember } from '../../models/Team.js';
import { sumUp } from '../../replay/Attempt.js';
import {
  type ReplayParts,
  type ReplayResult,
  type ReplayRow,
  type ReplayStep,
  replayQuestions,
  replayTurns,
  startResult,
} from '../../replay/askAgain.js';
import { limitToTurn, saveFork, type TurnFork } from '../../replay/forkTurn.js';
import { MemoryStore } from '../../store/memory/MemoryStore.js';
import { openStore } from '../sessions/storedSessions.js';
import { type CliContext, exitCodeAfter, say } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import type { RunFlags } from '../start/RunFlags.js';
import { stopOnSignals } from '../start/stopOnSignals.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { requireUnnested } from '../trust/outerTurn.js';
import { createCheck } from './createCheck.js';
import {
  type LoadedRecording,
  loadRecording,
  placeEditors,
  planReplay,
  type ReplayPlan,
} from './planReplay.js';
import { exitCodeOfReplay, printReplay } from './printReplay.js';
import { formatResults } from './replayTable.js';

export interface ReplayOptions extends Pick<RunFlags, 'trust' | 'nested' | 'maxUsd' | 'model' | 'readOnly'> {
  /** Id of a session, or a file. */
  readonly recording: string;
  /** A team file. */
  readonly against?: string;
  readonly eachTurn?: boolean;
  readonly repeat?: number;
  readonly check?: string;
  readonly diff?: boolean;
  readonly json?: boolean;
  readonly inPlace?: boolean;
}

/** Asks the questions of a recording again, of the team as it is now, and compares. What was done is printed however it ends. */
export async function replay(options: ReplayOptions, context: CliContext): Promise<number> {
  const { against, eachTurn = false, repeat = 1, check } = options;
  if (!options.nested) requireUnnested(context);
  const recording = await loadRecording(options.recording, context);
  const chosen = await chooseTeam({ ...options, isRehearsal: false, team: against }, context);
  const isOtherTeam = against !== undefined;
  const plan = planReplay(recording, chosen.team, { eachTurn, runs: repeat, isOtherTeam });
  const { team, notes } = placeEditors(chosen.team, options);
  const { workingFolder, teamFile, trustedPrograms } = chosen;
  const minutes = team.limits.turnMinutes;
  const judge = check === undefined ? undefined : createCheck(check, { trustedPrograms, minutes }, context);
  for (const note of [...plan.notes, ...notes]) say(context, hang(note, context.stderr));

  const result = startResult(plan.rows);
  const { missingMembers, leftOut } = plan;
  const mode = eachTurn ? 'turns' : 'messages';
  const header = { replayOf: recording.id, team: team.name, mode, missingMembers, leftOut } as const;
  const { env: environment, dataFolder } = context;
  const logger = createLogger({}, context);
  const ofConversation = { team, workingFolder, teamFile, trustedPrograms, environment, dataFolder, logger };
  const writer = new LineWriter(context, environment, context.settings.colours);
  const parts: ReplayParts = {
    repeat,
    check: judge,
    limits: team.limits,
    signal: context.stop.signal,
    onStep: (step) => showStep(step, result.rows, repeat, writer),
  };
  const releaseSignals = stopOnSignals(context);
  try {
    if (eachTurn) await askTurns(result, recording, parts, ofConversation);
    else await askQuestions(result, recording, plan, parts, ofConversation, context);
  } finally {
    writer.setStatus(undefined);
    releaseSignals();
    logger.close();
    await printReplay(result, { ...options, header, runs: repeat }, context);
  }
  return exitCodeAfter(context, exitCodeOfReplay(result));
}

type OpenOptions = Omit<ConversationOptions, 'store' | 'id'> & { readonly dataFolder: string };

/** In new sessions, which are saved. */
async function askQuestions(
  result: ReplayResult,
  recording: LoadedRecording,
  { speakerOf }: ReplayPlan,
  parts: ReplayParts,
  options: OpenOptions,
  context: CliContext,
): Promise<void> {
  const store = await openStore(context, options.logger ?? {});
  const { team } = options;
  const create = (limits: ReplayParts['limits']): Promise<Conversation> =>
    createConversation({
      ...options,
      team: { ...team, limits: { ...team.limits, ...limits } },
      store,
      replayOf: recording.id,
    });
  try {
    await replayQuestions(result, { ...parts, speakerOf, create });
  } finally {
    await store.close();
  }
}

/** In conversations of one turn, of which nothing is saved. */
async function askTurns(
  result: ReplayResult,
  { events }: LoadedRecording,
  parts: ReplayParts,
  options: OpenOptions,
): Promise<void> {
  const ids: ConversationId[] = [];
  const open = async (fork: TurnFork): Promise<Conversation> => {
    const store = new MemoryStore();
    const id = `replay-${randomBytes(6).toString('hex')}` as ConversationId;
    ids.push(id);
    await saveFork(store, id, fork);
    const { team } = options;
    return resumeConversation({
      ...options,
      id,
      store,
      team: { ...team, limits: limitToTurn(team.limits, fork) },
    });
  };
  try {
    await replayTurns(result, { ...parts, events, open });
  } finally {
    const { letGoOf } = await import('../../files/letGo.js');
    for (const id of ids) await letGoOf(options.dataFolder, id);
  }
}

/** Tells how far a replay is: a line for each answer, and below them what is happening just now. */
function showStep(step: ReplayStep, rows: readonly ReplayRow[], runs: number, writer: LineWriter): void {
  const { row, run } = step;
  const place = words.replay.place(row.id, rows.indexOf(row) + 1, rows.length, run, runs);
  if (step.kind === 'done') {
    writer.setStatus(undefined);
    writer.note(words.replay.stepDone(place, describeLatest(row)));
    return;
  }
  const since = Date.now();
  const doing = (): string =>
    'conversation' in step ? describeWork(step.conversation) : words.replay.checking;
  writer.setStatus(() =>
    words.print.working([place, doing()].filter(Boolean).join(' · '), formatSeconds(Date.now() - since)),
  );
}

/** The members that are at work. */
function describeWork(conversation: Conversation): string {
  const { running } = conversation.snapshot().state;
  const names = running.map(({ memberId }) => findMember(conversation.team, memberId)?.name ?? memberId);
  return words.joining.list(names);
}

function describeLatest({ after }: ReplayRow): readonly string[] {
  const latest = after.slice(-1);
  const { turns, milliseconds, usd } = sumUp(latest.flatMap((attempt) => attempt.turns));
  return [
    formatResults(latest),
    words.replay.turns(turns),
    formatDuration(milliseconds),
    ...(usd === undefined ? [] : [formatMoney(usd)]),
  ];
}
