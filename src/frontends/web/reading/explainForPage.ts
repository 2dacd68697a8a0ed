import {
  asReceived,
  type ExplainedTurn,
  explainStart,
  explainTurns,
  PastMoment,
} from '../../../coordinator/explainTurn.js';
import { HuddleError } from '../../../models/errors.js';
import type { MemberId, TurnId } from '../../../models/ids.js';
import { namesIn, showMembers } from '../../../presentation/Telling.js';
import { type DiffLine, diffLines } from '../../../utils/diffLines.js';
import type { TextAnswer } from '../routes.js';
import type { TurnExplained } from '../wire.js';
import type { ReadEvents, ReadingQuestions } from './ReadingQuestion.js';

const PLAIN = 'text/plain; charset=utf-8';

interface StartedTurn {
  readonly turnId: TurnId;
  readonly memberId: MemberId;
}

/** Explains what a member was sent in a turn, and names the turns around it. Rejects with `UNKNOWN_TURN`. */
export async function explainForPage(read: ReadEvents, turn: string): Promise<TurnExplained> {
  const started: StartedTurn[] = [];
  const moment = new PastMoment();
  let nameOf = (memberId: string) => memberId;
  let explained: ExplainedTurn | undefined;
  for await (const event of read()) {
    if (event.type === 'conversation-start') nameOf = namesIn({ members: showMembers(event.team.members) });
    if (event.type === 'turn-start') {
      started.push(event);
      if (event.turnId === turn) explained = explainStart(moment, event);
    }
    // After its start nothing else counts.
    if (explained === undefined) moment.apply(event);
    else explained = asReceived(explained, event);
  }
  if (explained === undefined) throw new HuddleError('UNKNOWN_TURN', { turnId: turn });
  const { turnId, memberId, plan, sent, isExact, output } = explained;
  return {
    ...{ turnId, memberId, plan, sent, isExact },
    memberName: nameOf(memberId),
    ...turnsAround(started, turnId),
    hasSystemPrompt: output.systemFlag !== undefined,
  };
}

function turnsAround(
  started: readonly StartedTurn[],
  turnId: TurnId,
): Pick<TurnExplained, 'previous' | 'next' | 'since'> {
  const place = started.findIndex((turn) => turn.turnId === turnId);
  const [previous, next] = [started[place - 1], started[place + 1]];
  const since = findTurnBefore(started, turnId);
  return { previous: previous?.turnId, next: next?.turnId, since };
}

/** The turn of the same member before this one. */
function findTurnBefore(started: readonly StartedTurn[], turnId: string): TurnId | undefined {
  const place = started.findIndex((turn) => turn.turnId === turnId);
  const memberId = started[place]?.memberId;
  return started.slice(0, Math.max(0, place)).findLast((turn) => turn.memberId === memberId)?.turnId;
}

/** The very text that was sent, the system prompt that was sent separately (empty if none was), or the lines that are new. */
export async function readPromptPart(
  read: ReadEvents,
  { turn, part }: ReadingQuestions['prompt']['about'],
): Promise<TextAnswer> {
  const before = part === 'new' ? await readTurnBefore(read, turn) : undefined;
  const turns = new Map<string, ExplainedTurn>();
  for await (const explained of explainTurns(read(), ({ turnId }) => turnId === turn || turnId === before)) {
    turns.set(explained.turnId, explained);
    if (explained.turnId === turn) break;
  }
  const explained = turns.get(turn);
  if (explained === undefined) throw new HuddleError('UNKNOWN_TURN', { turnId: turn });
  const { output } = explained;
  if (part === 'new')
    return {
      type: PLAIN,
      text: formatNewLines(textKnownBefore(explained, turns.get(before ?? '')), textOf(output)),
    };
  return { type: PLAIN, text: part === 'system' ? (output.systemFlag ?? '') : output.prompt };
}

async function readTurnBefore(read: ReadEvents, turnId: string): Promise<TurnId | undefined> {
  const started: StartedTurn[] = [];
  for await (const event of read()) if (event.type === 'turn-start') started.push(event);
  return findTurnBefore(started, turnId);
}

/** An agent that continues its own session is sent nothing twice: all of its prompt is new. */
function textKnownBefore({ sent }: ExplainedTurn, before: ExplainedTurn | undefined): string {
  return sent.session !== 'new' || before === undefined ? '' : textOf(before.output);
}

function textOf({ systemFlag = '', prompt }: ExplainedTurn['output']): string {
  return systemFlag === '' ? prompt : `${systemFlag}\n\n${prompt}`;
}

/** Formats the difference of two texts as the hunks of a unified diff; empty if they are the same. */
function formatNewLines(before: string, after: string): string {
  const hunks: string[] = [];
  let [oldLine, newLine] = [1, 1];
  let lines: DiffLine[] = [];
  const close = (): void => {
    if (lines.length === 0) return;
    const [removed, added] = [count(lines, '+'), count(lines, '-')];
    hunks.push(formatHunk(`@@ -${oldLine},${removed} +${newLine},${added} @@`, lines));
    oldLine += removed;
    newLine += added;
    lines = [];
  };
  for (const line of diffLines(before, after)) {
    if ('mark' in line) lines.push(line);
    else {
      close();
      oldLine += line.skipped;
      newLine += line.skipped;
    }
  }
  close();
  return before === after ? '' : hunks.join('');
}

/** Number of lines of one side: all but those that only the other one has. */
function count(lines: readonly DiffLine[], other: DiffLine['mark']): number {
  return lines.filter(({ mark }) => mark !== other).length;
}

function formatHunk(head: string, lines: readonly DiffLine[]): string {
  return [head, ...lines.map(({ mark, text }) => `${mark}${text}`)].map((line) => `${line}\n`).join('');
}
