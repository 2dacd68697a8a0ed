import type { ConversationFact, TurnStart } from '../../models/ConversationEvent.js';
import type { NotRecorded } from '../../models/FileChange.js';
import type { MemberId, TurnId } from '../../models/ids.js';

/** Turns and the folders they work in, as far as records of files need to know them. Folded from the facts. */
export interface Recording {
  /** Turns whose changes are in no record yet; the newest of them. */
  readonly unrecorded: readonly PlacedTurn[];
  /** The newest turns that worked in copies. */
  readonly inCopies: readonly CopiedTurn[];
  /** Reasons of `files-not-recorded` that people were told. */
  readonly reasons: readonly NotRecorded[];
}

/** A turn, and the member in whose copy it works. Without that: in the working folder. */
export interface PlacedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
  readonly copyOf?: MemberId | undefined;
}

interface CopiedTurn {
  readonly turnId: TurnId;
  readonly copyOf: MemberId;
  readonly blindRound?: TurnId | undefined;
}

/** Bound for conversations in which nothing is recorded. */
const MOST_TURNS = 100;

export const NO_RECORDING: Recording = { unrecorded: [], inCopies: [], reasons: [] };

/** Applies one more fact. */
export function noteRecording(recording: Recording, fact: ConversationFact): Recording {
  const { unrecorded, reasons } = recording;
  switch (fact.type) {
    case 'turn-start':
      return startTurn(recording, fact);
    case 'files-recorded':
      return { ...recording, unrecorded: unrecorded.filter(({ copyOf }) => copyOf !== fact.copyOf) };
    case 'notice':
      if (fact.code !== 'files-not-recorded' || reasons.includes(fact.reason)) return recording;
      return { ...recording, reasons: [...reasons, fact.reason] };
    default:
      return recording;
  }
}

/** Finds the member in whose copy a turn worked. Undefined: it worked in the folder. */
export function findCopy({ inCopies }: Recording, turn: TurnId): MemberId | undefined {
  return inCopies.find(({ turnId }) => turnId === turn)?.copyOf;
}

/** Whether turns of this blind round worked in copies. */
export function isRoundInCopies({ inCopies }: Recording, round: TurnId): boolean {
  return inCopies.some(({ blindRound }) => blindRound === round);
}

function startTurn(
  recording: Recording,
  { turnId, memberId, copy, checks, blindRound, runsOn }: TurnStart,
): Recording {
  if (runsOn !== undefined) return recording;
  const { unrecorded, inCopies } = recording;
  if (copy === undefined) return { ...recording, unrecorded: newest([...unrecorded, { turnId, memberId }]) };
  const copyOf = (checks && findCopy(recording, checks)) ?? memberId;
  return {
    ...recording,
    unrecorded: newest([...unrecorded, { turnId, memberId, copyOf }]),
    inCopies: newest([...inCopies, { turnId, copyOf, blindRound }]),
  };
}

function newest<Turn>(turns: readonly Turn[]): readonly Turn[] {
  return turns.slice(-MOST_TURNS);
}
