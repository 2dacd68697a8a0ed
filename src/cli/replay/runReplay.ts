import { type ConversationOptions, createConversation } from '../../createConversation.js';
import { LineWriter } from '../../frontends/lines/LineWriter.js';
import type { ReplayParts, ReplayResult } from '../../replay/Replay.js';
import { replayQuestions } from '../../replay/replayQuestions.js';
import { replayTurns } from '../../replay/replayTurns.js';
import { openStore } from '../sessions/storedSessions.js';
import type { CliContext } from '../start/CliContext.js';
import { createLogger } from '../start/createLogger.js';
import { stopOnSignals } from '../start/stopOnSignals.js';
import type { ChosenTeam } from '../team/chooseTeam.js';
import type { LoadedRecording } from './loadRecording.js';
import { openTurnFork } from './openTurnFork.js';
import type { ReplayPlan } from './planReplay.js';
import { ReplayProgress } from './ReplayProgress.js';

export interface ReplaySettings extends Pick<ReplayParts, 'repeat' | 'check'> {
  readonly recording: LoadedRecording;
  readonly plan: ReplayPlan;
  readonly chosen: ChosenTeam;
  readonly mode: 'messages' | 'turns';
}

type Options = Omit<ConversationOptions, 'store' | 'id'>;

/** Runs a replay with real agents, and tells how far it is. The first signal stops it, the second ends the program. */
export async function runReplay(
  result: ReplayResult,
  settings: ReplaySettings,
  context: CliContext,
): Promise<void> {
  const { chosen, mode, repeat, check } = settings;
  const { team, workingFolder, teamFile, trustedPrograms } = chosen;
  const logger = createLogger({}, context);
  const writer = new LineWriter(context, context.env, context.settings.colours);
  const progress = new ReplayProgress(writer, { rows: result.rows.length, runs: repeat });
  const parts: ReplayParts = {
    repeat,
    check,
    limits: team.limits,
    signal: context.stop.signal,
    onStep: (step) => progress.take(step),
  };
  const options: Options = {
    team,
    workingFolder,
    logger,
    environment: context.env,
    dataFolder: context.dataFolder,
    ...(teamFile !== undefined && { teamFile }),
    ...(trustedPrograms !== undefined && { trustedPrograms }),
  };
  try {
    await (mode === 'turns' ? askTurns : askQuestions)(result, settings, { parts, options }, context);
  } finally {
    progress.end();
    logger.close();
  }
}

interface Means {
  readonly parts: ReplayParts;
  readonly options: Options;
}

/** In new sessions, which are saved. */
async function askQuestions(
  result: ReplayResult,
  { plan, recording }: ReplaySettings,
  { parts, options }: Means,
  context: CliContext,
): Promise<void> {
  const store = await openStore(context, options.logger ?? {});
  const releaseSignals = stopOnSignals(context);
  try {
    await replayQuestions(result, {
      ...parts,
      speakerOf: plan.speakerOf,
      create: (limits) => {
        const team = { ...options.team, limits: { ...options.team.limits, ...limits } };
        return createConversation({ ...options, team, store, replayOf: recording.id });
      },
    });
  } finally {
    releaseSignals();
    await store.close();
  }
}

/** In conversations of one turn, of which nothing is saved. */
async function askTurns(
  result: ReplayResult,
  { recording }: ReplaySettings,
  { parts, options }: Means,
  context: CliContext,
): Promise<void> {
  const releaseSignals = stopOnSignals(context);
  const ids: string[] = [];
  try {
    await replayTurns(result, {
      ...parts,
      events: recording.events,
      open: async (fork) => {
        const conversation = await openTurnFork(fork, options);
        ids.push(conversation.id);
        return conversation;
      },
    });
  } finally {
    releaseSignals();
    const { letGoOf } = await import('../../workspace/letGo.js');
    for (const id of ids) await letGoOf(context.dataFolder, id);
  }
}
