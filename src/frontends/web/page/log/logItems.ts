import type { Block, FilesBlock, MessageBlock, TurnBlock } from '../../../../presentation/Block.js';
import type { LiveTurn } from '../../../../presentation/LiveTurn.js';
import type { PlacedTelling } from '../../wire.js';

/** A row of the log. Keys stay: a running turn and the message it becomes have the same, that of the turn. */
export type LogItem =
  | SpeechItem
  | (Placed & { readonly kind: 'note'; readonly block: NoteBlock })
  | { readonly kind: 'running'; readonly key: string; readonly turn: LiveTurn };

/** A message, or a turn that did not become one. */
export interface SpeechItem extends Placed {
  readonly kind: 'speech';
  readonly block: MessageBlock | TurnBlock;
  /** The files that were recorded for its turn alone. */
  readonly files?: FilesBlock;
}

interface Placed {
  readonly key: string;
  readonly seq: number;
  /** A day begins here. */
  readonly isNewDay: boolean;
}

/** Blocks that nobody says. */
export type NoteBlock = Extract<
  Block,
  { readonly kind: 'start' | 'task' | 'notice' | 'fork' | 'pause' | 'files' }
>;

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** The rows of what is recorded. The files of one turn stand with that turn, if it is there. */
export function listItems(rows: readonly PlacedTelling[]): readonly LogItem[] {
  const filesByTurn = new Map(
    rows.flatMap(({ block }) => (isOfOneTurn(block) ? [[turnOf(block), block]] : [])),
  );
  const spoken = new Set(rows.flatMap(({ block }) => turnIdOf(block) ?? []));
  const items: LogItem[] = [];
  let day: number | undefined;
  for (const { seq, block } of rows) {
    if (isOfOneTurn(block) && spoken.has(turnOf(block))) continue;
    const today = 'at' in block ? dayOf(block.at) : day;
    const placed = { seq, isNewDay: day !== undefined && today !== day };
    day = today ?? day;
    if (block.kind === 'message' || block.kind === 'turn') {
      const turnId = turnIdOf(block);
      const files = turnId === undefined ? undefined : filesByTurn.get(turnId);
      const key = turnId ?? (block.kind === 'message' ? block.message.id : '');
      items.push({ kind: 'speech', key, ...placed, block, files });
    } else if (isNote(block)) items.push({ kind: 'note', key: `${block.kind}-${seq}`, ...placed, block });
  }
  return items;
}

/** The running turns at the end, each once: one that has ended is a row as soon as its message is there. */
export function withRunning(items: readonly LogItem[], turns: readonly LiveTurn[]): readonly LogItem[] {
  if (turns.length === 0) return items;
  const running = turns.map((turn): LogItem => ({ kind: 'running', key: turn.turnId, turn }));
  return [...items, ...running];
}

function isOfOneTurn(block: Block): block is FilesBlock {
  return block.kind === 'files' && block.record.by.kind === 'turns' && block.turns.length === 1;
}

function turnOf({ turns }: FilesBlock): string {
  return turns[0]?.turnId ?? '';
}

function turnIdOf(block: Block): string | undefined {
  return block.kind === 'message' || block.kind === 'turn' ? block.turn?.turnId : undefined;
}

/** Days of the place where the reader is, counted. */
function dayOf(at: number): number {
  return Math.floor((at - new Date(at).getTimezoneOffset() * MINUTE) / DAY);
}

function isNote(block: Block): block is NoteBlock {
  return ['start', 'task', 'notice', 'fork', 'pause', 'files'].includes(block.kind);
}

const NOTE = 44;
/** Head, foot and distance of a message. */
const AROUND = 84;
const LINE = 24;
const CHARACTER = 8;
/** Longer texts have a button instead. */
const MOST_CHARACTERS = 20_000;

/** A first guess at the height of a row, until it has been seen. */
export function estimateHeight(item: LogItem | undefined, width: number): number {
  if (item === undefined || item.kind === 'note') return NOTE;
  if (item.kind === 'running') return AROUND;
  const { block } = item;
  const text = block.kind === 'message' ? block.text : '';
  const columns = Math.max(20, (width - 48) / CHARACTER);
  return AROUND + LINE * Math.ceil(Math.min(text.length, MOST_CHARACTERS) / columns);
}
