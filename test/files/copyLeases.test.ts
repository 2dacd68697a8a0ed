import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect, onTestFinished, test } from 'vitest';
import { takeCopyPlace } from '../../src/files/copies/copyLeases.js';
import { describeThisProcess } from '../../src/utils/processIdentity.js';
import { makeTemporaryFolder } from '../config/temporaryFolder.js';
import { bundleProgram } from '../store/bundleProgram.js';

/** The lease of a process that is gone. */
const STALE = JSON.stringify({ ...describeThisProcess(), pid: 2 ** 22 + 1, conversationId: 'gone' });

function makeCopies(lease?: string): string {
  const copies = join(makeTemporaryFolder(), 'copies');
  mkdirSync(copies);
  const file = join(copies, 'ada.lease');
  if (lease !== undefined) {
    writeFileSync(file, lease);
    utimesSync(file, 1e9, 1e9);
  }
  return copies;
}

test('of many processes that take over a lease at the same moment, one gets it', {
  timeout: 60_000,
}, async () => {
  const program = await bundleProgram(new URL('leaseProgram.ts', import.meta.url));
  const racers = Array.from({ length: 4 }, () => startRacer(program));
  for (let round = 0; round < 25; round += 1) {
    const copies = makeCopies(STALE);
    const folders = await Promise.all(racers.map((race) => race(copies)));
    expect(folders.map((folder) => basename(folder)).sort()).toEqual(['ada', 'ada+2', 'ada+3', 'ada+4']);
  }
});

test.each([
  ['of a process that is gone', STALE],
  ['that was not written to its end', ''],
])('a lease %s is taken over, and nothing is left of it', (_, lease) => {
  const copies = makeCopies(lease);
  const place = takeCopyPlace(copies, 'ada', 'mine');
  expect(basename(place.folder)).toBe('ada');
  expect(readdirSync(copies)).toEqual(['ada.lease']);
  place.release();
  expect(readdirSync(copies)).toEqual([]);
});

test('a lease that was taken over by its own conversation is not let go by the one before', () => {
  const copies = makeCopies();
  const before = takeCopyPlace(copies, 'ada', 'mine');
  const place = takeCopyPlace(copies, 'ada', 'mine');
  expect(place.folder).toBe(before.folder);
  before.release();
  expect(basename(takeCopyPlace(copies, 'ada', 'other').folder)).toBe('ada+2');
});

/** A process that waits for a folder; resolves with the place that it took there. */
function startRacer(program: string): (copies: string) => Promise<string> {
  const child: ChildProcessWithoutNullStreams = spawn(process.execPath, [program]);
  onTestFinished(() => void child.kill());
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return async (copies) => {
    child.stdin.write(`${copies}\n`);
    return String((await lines.next()).value);
  };
}
