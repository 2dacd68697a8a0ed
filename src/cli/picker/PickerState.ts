/** The text typed in a picker, and the number of the marked row among those that match it. */
export interface PickerState {
  readonly filter: string;
  readonly marked: number;
}

/** A key as `node:readline` reports it. */
export interface Key {
  readonly name?: string | undefined;
  readonly sequence?: string | undefined;
  readonly ctrl?: boolean;
  readonly meta?: boolean;
}

/** A list at one moment: what can be picked, and how many rows of it are on the screen. */
export interface PickerList {
  readonly matches: number;
  readonly rows: number;
}

export const NEW_PICKER: PickerState = { filter: '', marked: 0 };

/** A key that ends the picking, by its name; with Ctrl `ctrl+` before it. */
const ENDINGS: ReadonlyMap<string, 'picked' | 'cancelled'> = new Map([
  ['return', 'picked'],
  ['enter', 'picked'],
  ['escape', 'cancelled'],
  ['ctrl+c', 'cancelled'],
  ['ctrl+d', 'cancelled'],
]);

type Move = (marked: number, list: PickerList) => number;

const MOVES: ReadonlyMap<string, Move> = new Map<string, Move>([
  ['up', (marked) => marked - 1],
  ['ctrl+p', (marked) => marked - 1],
  ['down', (marked) => marked + 1],
  ['ctrl+n', (marked) => marked + 1],
  ['pageup', (marked, { rows }) => marked - rows],
  ['pagedown', (marked, { rows }) => marked + rows],
  ['home', () => 0],
  ['end', (_, { matches }) => matches - 1],
]);

/** The state after a key, or how the picking ended. Enter picks nothing while nothing matches. */
export function pressKey(
  state: PickerState,
  key: Key,
  list: PickerList,
): PickerState | 'picked' | 'cancelled' {
  const name = `${key.ctrl ? 'ctrl+' : ''}${key.name ?? ''}`;
  const ending = ENDINGS.get(name);
  if (ending === 'picked') return list.matches > 0 ? ending : state;
  if (ending !== undefined) return ending;
  const move = MOVES.get(name);
  if (move !== undefined)
    return { ...state, marked: Math.max(0, Math.min(list.matches - 1, move(state.marked, list))) };
  const filter = edit(state.filter, name, key);
  return filter === state.filter ? state : { filter, marked: 0 };
}

function edit(filter: string, name: string, { sequence = '', ctrl, meta }: Key): string {
  if (name === 'backspace') return Array.from(filter).slice(0, -1).join('');
  if (name === 'ctrl+u') return '';
  const isText = !ctrl && !meta && /^[^\p{Cc}]+$/u.test(sequence);
  return isText ? filter + sequence : filter;
}
