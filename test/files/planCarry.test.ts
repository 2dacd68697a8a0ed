import { describe, expect, test } from 'vitest';
import { type FoundPath, type KeptContents, planCarry } from '../../src/files/carry/planCarry.js';
import type { CarryStep, PlannedFile } from '../../src/files/Workspace.js';
import type { FileState } from '../../src/models/FileChange.js';

/** A content is its letters; two changes that each add some are merged, others are not. */
const CONTENTS: KeptContents = {
  has: (id) => !id.startsWith('lost'),
  merge: async (_, { base, ours, theirs }) => {
    const changes = [ours, theirs].map((side) => [...side].filter((letter) => !base.includes(letter)));
    if (changes.some((letters) => letters.length === 0)) return undefined;
    return [base, ...changes.flat()].join('');
  },
};

const state = (id: string, mode = '100644'): FileState => ({ mode, id });

function step(path: string, from: string | undefined, to: string | undefined): CarryStep {
  return {
    path,
    from: from === undefined ? undefined : state(from),
    to: to === undefined ? undefined : state(to),
  };
}

async function plan(
  steps: readonly CarryStep[],
  found: Readonly<Record<string, string | FoundPath>>,
): Promise<Record<string, string>> {
  const byPath = new Map<string, CarryStep[]>();
  for (const one of steps) byPath.set(one.path, [...(byPath.get(one.path) ?? []), one]);
  const seen = Object.entries(found).map(([path, what]): [string, FoundPath] => [
    path,
    typeof what === 'string' ? { state: state(what) } : what,
  ]);
  const files = await planCarry(byPath, new Map(seen), CONTENTS);
  return Object.fromEntries(Array.from(files, ([path, file]) => [path, describeFile(file)]));
}

function describeFile({ action, after }: PlannedFile): string {
  return after === undefined ? action : `${action} ${after.id}`;
}

describe('a file', () => {
  test.each<[string, readonly CarryStep[], string | undefined, string]>([
    ['as the step found it gets the other content', [step('f', 'b', 'a')], 'b', 'write a'],
    ['that is so already stays', [step('f', 'b', 'a')], 'a', 'none a'],
    ['that was new is removed', [step('f', 'b', undefined)], 'b', 'remove'],
    ['that was removed already stays so', [step('f', 'b', undefined)], undefined, 'none'],
    ['that was deleted comes back', [step('f', undefined, 'a')], undefined, 'write a'],
    ['changed since in other lines keeps both', [step('f', 'x', 'xa')], 'xb', 'merge xba'],
    ['changed since in the same lines is a conflict', [step('f', 'xa', 'x')], 'xb', 'conflict'],
    ['deleted since is a conflict', [step('f', 'b', 'a')], undefined, 'conflict'],
    ['that was new and changed since is a conflict', [step('f', 'b', undefined)], 'bc', 'conflict'],
    ['made anew since is a conflict', [step('f', undefined, 'a')], 'c', 'conflict'],
    ['whose content is not kept is named', [step('f', 'b', 'lost')], 'b', 'not-kept'],
    ['that needs no content is not asked for it', [step('f', 'lost', 'a')], 'lost', 'write a'],
  ])('%s', async (_, steps, now, expected) => {
    expect(await plan(steps, now === undefined ? {} : { f: now })).toEqual({ f: expected });
  });

  test('keeps the rights that somebody gave it since', async () => {
    const found = { f: { state: state('b', '100755') } };
    expect(await plan([step('f', 'b', 'a')], found)).toEqual({ f: 'merge a' });
  });

  test('that became a link since is a conflict, also if the content is the same', async () => {
    const found = { f: { state: state('b', '120000') } };
    expect(await plan([step('f', 'b', 'a')], found)).toEqual({ f: 'conflict' });
  });
});

describe('several steps of a file', () => {
  test('are taken one after another', async () => {
    expect(await plan([step('f', 'd', 'c'), step('f', 'c', 'a')], { f: 'd' })).toEqual({ f: 'write a' });
  });

  test('keep what somebody else changed in between', async () => {
    const steps = [step('f', 'xbc', 'xb'), step('f', 'x', 'xa')];
    expect(await plan(steps, { f: 'xbc' })).toEqual({ f: 'merge xba' });
  });

  test('are not taken again, where they lead is reached', async () => {
    const steps = [step('f', 'xbc', 'xb'), step('f', 'x', 'xa')];
    expect(await plan(steps, { f: 'xba' })).toEqual({ f: 'none xba' });
  });

  test('are taken from where the file is on the way', async () => {
    const steps = [step('f', 'd', 'c'), step('f', 'c', 'b'), step('f', 'b', 'a')];
    expect(await plan(steps, { f: 'b' })).toEqual({ f: 'write a' });
  });

  test('that lead back to the start change nothing', async () => {
    expect(await plan([step('f', 'a', 'b'), step('f', 'b', 'a')], { f: 'a' })).toEqual({ f: 'none a' });
  });
});

describe('a file in the place of a folder', () => {
  test('takes it when everything in it leaves', async () => {
    const steps = [step('f', undefined, 'a'), step('f/x', 'b', undefined)];
    expect(await plan(steps, { f: { holds: ['f/x'] }, 'f/x': 'b' })).toEqual({
      f: 'write a',
      'f/x': 'remove',
    });
  });

  test('is a conflict when something in it stays', async () => {
    const steps = [step('f', undefined, 'a'), step('f/x', 'b', undefined)];
    const found = { f: { holds: ['f/x', 'f/y'] }, 'f/x': 'b' };
    expect(await plan(steps, found)).toEqual({ f: 'conflict', 'f/x': 'remove' });
  });

  test('makes place for the folder when it leaves', async () => {
    const steps = [step('f', 'b', undefined), step('f/x', undefined, 'a')];
    expect(await plan(steps, { f: 'b', 'f/x': { beyond: 'f' } })).toEqual({ f: 'remove', 'f/x': 'write a' });
  });

  test('is in the way of the folder when it stays', async () => {
    const found = { 'f/x': { beyond: 'f' } };
    expect(await plan([step('f/x', undefined, 'a')], found)).toEqual({ 'f/x': 'conflict' });
    expect(await plan([step('f/x', 'a', undefined)], found)).toEqual({ 'f/x': 'none' });
  });
});
