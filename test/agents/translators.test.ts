import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createCommandReader } from '../../src/agents/command/dialect.js';
import { AGENT_DEFINITIONS } from '../../src/agents/definitions.js';
import type { TurnReader } from '../../src/agents/dialect/Dialect.js';
import { type Cli, listRecordings, readRecording } from './playRecording.js';

const clis: readonly Cli[] = ['claude', 'codex', 'gemini'];
const recordedLines = clis.flatMap((cli) =>
  listRecordings(cli)
    .filter((name) => !/long-1mb|700k/.test(name))
    .flatMap((name) => readRecording(cli, name).stdout.toString().split('\n')),
);
const recordedRecords = [...new Set(recordedLines)].flatMap((line) => {
  try {
    return [JSON.parse(line) as unknown];
  } catch {
    return []; // Some CLIs print plain text beside their records.
  }
});

const createReaders: ReadonlyArray<() => TurnReader> = [
  ...AGENT_DEFINITIONS.flatMap(({ dialect }) =>
    dialect?.output === 'json-lines' ? [() => dialect.createReader({})] : [],
  ),
  createCommandReader,
];

/** A recorded record with one value, somewhere in it, replaced by anything. */
const mutatedRecord = fc
  .tuple(
    fc.constantFrom(...recordedRecords),
    fc.nat(),
    fc.oneof(
      fc.json().map((json) => JSON.parse(json)),
      fc.anything(),
    ),
  )
  .map(([record, place, value]) => replaceAt(structuredClone(record), place, value));

function replaceAt(record: unknown, place: number, value: unknown): unknown {
  const places: Array<() => void> = [];
  const visit = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return;
    for (const key of Object.keys(node)) {
      places.push(() =>
        Object.defineProperty(node, key, { value, enumerable: true, configurable: true, writable: true }),
      );
      visit((node as Record<string, unknown>)[key]);
    }
  };
  visit(record);
  places[place % Math.max(places.length, 1)]?.();
  return record;
}

test('no translator throws or gives anything but events, whatever the records', () => {
  fc.assert(
    fc.property(fc.array(mutatedRecord, { maxLength: 12 }), (records) => {
      for (const createReader of createReaders) {
        const reader = createReader();
        for (const record of records)
          for (const event of reader.read(record)) expect(typeof event.type).toBe('string');
      }
    }),
    { numRuns: 300 },
  );
});

test('texts in events are strings and numbers are numbers, whatever the records', () => {
  fc.assert(
    fc.property(mutatedRecord, (record) => {
      for (const createReader of createReaders)
        for (const event of createReader().read(record)) {
          if ('text' in event) expect(typeof event.text).toBe('string');
          if (event.type === 'usage')
            for (const count of Object.values(event.usage)) expect(count).toEqual(expect.any(Number));
        }
    }),
    { numRuns: 300 },
  );
});

test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty'])(
  'a record of the type %s is only kept',
  (type) => {
    for (const createReader of createReaders.slice(0, 3)) {
      const record = { type };
      expect(createReader().read(record)).toEqual([{ type: 'raw', record }]);
    }
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  },
);

test('fields of the prototype are not read', () => {
  const record = Object.create({ type: 'result', is_error: false, status: 'success', result: 'forged' });
  for (const createReader of createReaders) {
    const reader = createReader();
    expect(reader.read(record)).toEqual([{ type: 'raw', record }]);
    expect(reader.verdict).toBeUndefined();
  }
});
