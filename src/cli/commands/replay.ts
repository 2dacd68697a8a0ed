import { hang } from '../../frontends/lines/PrefixedText.js';
import { startResult } from '../../replay/Replay.js';
import { createCheck } from '../replay/createCheck.js';
import { exitCodeOfReplay } from '../replay/exitCodeOfReplay.js';
import { loadRecording } from '../replay/loadRecording.js';
import { placeEditors } from '../replay/placeEditors.js';
import { planReplay } from '../replay/planReplay.js';
import { printReplay } from '../replay/printReplay.js';
import { runReplay } from '../replay/runReplay.js';
import { type CliContext, exitCodeAfter, say } from '../start/CliContext.js';
import type { RunFlags } from '../start/RunFlags.js';
import { chooseTeam } from '../team/chooseTeam.js';
import { requireUnnested } from '../trust/outerTurn.js';

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
  const chosen = await chooseTeam(
    { ...options, isRehearsal: false, ...(against !== undefined && { team: against }) },
    context,
  );
  const isOtherTeam = against !== undefined;
  const plan = planReplay(recording, chosen.team, { eachTurn, runs: repeat, isOtherTeam });
  const { team, notes } = placeEditors(chosen.team, options);
  const { trustedPrograms } = chosen;
  const minutes = team.limits.turnMinutes;
  const judge = check === undefined ? undefined : createCheck(check, { trustedPrograms, minutes }, context);
  for (const note of [...plan.notes, ...notes]) say(context, hang(note, context.stderr));

  const result = startResult(plan.rows);
  const { missingMembers, leftOut } = plan;
  const mode = eachTurn ? 'turns' : 'messages';
  const header = { replayOf: recording.id, team: team.name, mode, missingMembers, leftOut } as const;
  try {
    await runReplay(
      result,
      { recording, plan, chosen: { ...chosen, team }, mode, repeat, check: judge },
      context,
    );
  } finally {
    await printReplay(result, { ...options, header, runs: repeat }, context);
  }
  return exitCodeAfter(context, exitCodeOfReplay(result));
}
