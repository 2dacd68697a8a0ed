import { expect, test } from 'vitest';
import { type Key, NEW_PICKER, type PickerState, pressKey } from '../../../src/cli/picker/PickerState.js';

const list = { matches: 5, rows: 2 };

function press(...keys: readonly Key[]): PickerState | string {
  let state: ReturnType<typeof pressKey> = NEW_PICKER;
  for (const key of keys) {
    if (typeof state === 'string') break;
    state = pressKey(state, key, list);
  }
  return state;
}

const down = { name: 'down' };
const typed = (sequence: string): Key => ({ name: sequence, sequence });

test('marks the next row, a page, the ends, and never one that is not there', () => {
  expect(press(down)).toMatchObject({ marked: 1 });
  expect(press({ name: 'up' })).toMatchObject({ marked: 0 });
  expect(press({ name: 'pagedown' }, down)).toMatchObject({ marked: 3 });
  expect(press({ name: 'end' }, down)).toMatchObject({ marked: 4 });
  expect(press({ name: 'end' }, { name: 'home' })).toMatchObject({ marked: 0 });
  expect(press({ name: 'n', ctrl: true }, { name: 'p', ctrl: true })).toMatchObject({ marked: 0 });
});

test('filters by what is typed, from the first row on', () => {
  expect(press(down, typed('维'), typed('a'))).toEqual({ filter: '维a', marked: 0 });
  expect(press(typed('a'), typed('👍'), { name: 'backspace' })).toMatchObject({ filter: 'a' });
  expect(press(typed('a'), { name: 'u', ctrl: true })).toMatchObject({ filter: '' });
  expect(press({ name: 'tab', sequence: '\t' }, { name: 'a', meta: true, sequence: '\u001ba' })).toBe(
    NEW_PICKER,
  );
});

test('ends with Enter on a row, and with Esc', () => {
  expect(press({ name: 'return' })).toBe('picked');
  expect(press({ name: 'escape' })).toBe('cancelled');
  expect(pressKey(NEW_PICKER, { name: 'return' }, { matches: 0, rows: 2 })).toBe(NEW_PICKER);
});
