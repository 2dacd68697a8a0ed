import type { MemberTurn } from '../../agents/AgentManager.js';
import type { AgentEvent } from '../../models/AgentEvent.js';
import type { QueuedTurn } from '../../models/ConversationEvent.js';
import type { TurnOutcome } from '../../models/TurnOutcome.js';
import type { TurnFolders } from '../Pace.js';
import type { EnteredFolder } from './FileRound.js';

export type TurnFolder = Pick<MemberTurn, 'workingFolder'>;

/** Runs a turn in its folder. Without one it does not run anywhere else: it would overwrite what it must not touch. */
export async function* runInFolder(
  files: Pick<TurnFolders, 'enter'>,
  turn: QueuedTurn,
  run: (folder: TurnFolder) => AsyncIterable<AgentEvent>,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent, void, undefined> {
  const entered = await files.enter(turn, signal);
  if (entered.kind === 'ready') yield* run({ workingFolder: entered.folder });
  else if (signal.aborted) yield { type: 'end', outcome: { kind: 'cancelled', draft: '' } };
  else yield { type: 'end', outcome: withoutCopy(entered) };
}

function withoutCopy({ detail, failure }: Extract<EnteredFolder, { kind: 'not-ready' }>): TurnOutcome {
  return {
    kind: 'failed',
    failure: failure ?? { code: 'SPAWN', reason: 'no-copy', detail },
    draft: '',
  };
}
