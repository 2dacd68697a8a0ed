import { formatDuration, formatMoney, formatSeconds } from '../../catalogue/formats.js';
import { words } from '../../catalogue/words.js';
import type { LineWriter } from '../../frontends/lines/LineWriter.js';
import { findMember } from '../../models/findMember.js';
import { sumUp } from '../../replay/Attempt.js';
import type { ReplayStep } from '../../replay/Replay.js';
import { formatResult } from './replayCells.js';

/** Tells how far a replay is: a line for each answer, and below them what is happening just now. */
export class ReplayProgress {
  readonly #writer: LineWriter;
  readonly #rows: number;
  readonly #runs: number;

  constructor(writer: LineWriter, size: { readonly rows: number; readonly runs: number }) {
    this.#writer = writer;
    this.#rows = size.rows;
    this.#runs = size.runs;
  }

  take(step: ReplayStep): void {
    const { row, run } = step.place;
    const place = words.replay.place(step.row.id, row, this.#rows, run, this.#runs);
    const since = Date.now();
    const status = (doing: () => string): void =>
      this.#writer.setStatus(() =>
        words.print.working([place, doing()].filter(Boolean).join(' · '), formatSeconds(Date.now() - since)),
      );
    if (step.kind === 'asking') status(() => describeWork(step.conversation));
    else if (step.kind === 'checking') status(() => words.replay.checking);
    else {
      this.end();
      this.#writer.note(words.replay.stepDone(place, factsOf(step.row)));
    }
  }

  end(): void {
    this.#writer.setStatus(undefined);
  }
}

/** The members that are at work. */
function describeWork(conversation: Extract<ReplayStep, { kind: 'asking' }>['conversation']): string {
  const { running } = conversation.snapshot().state;
  const names = running.map(({ memberId }) => findMember(conversation.team, memberId)?.name ?? memberId);
  return words.joining.list(names);
}

function factsOf({ after }: Extract<ReplayStep, { kind: 'done' }>['row']): readonly string[] {
  const latest = after.slice(-1);
  const { turns, milliseconds, usd } = sumUp(latest.flatMap((attempt) => attempt.turns));
  return [
    formatResult(latest),
    words.replay.turns(turns),
    formatDuration(milliseconds),
    ...(usd === undefined ? [] : [formatMoney(usd)]),
  ];
}
