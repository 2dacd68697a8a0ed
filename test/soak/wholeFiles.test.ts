import { existsSync, type FSWatcher, readdirSync, rmSync, watch, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { FilesRecorded } from '../../src/models/ConversationEvent.js';
import type { ConversationId } from '../../src/models/ids.js';
import { SqliteStore } from '../../src/store/sqlite/SqliteStore.js';
import { createFileSession, type FileSession } from '../cli/fileSession.js';
import { finished } from '../cli/runHuddle.js';
import { createRandom, type Random, readFiles } from '../files/randomTurns.js';
import { isFull } from './isFull.js';

const FILES = isFull ? 3000 : 300;
const ROUNDS = isFull ? 50 : 5;
/** Rounds with one session: each leaves two long records. */
const ROUNDS_OF_ONE = 8;
const ACTIONS = ['undo', 'apply'] as const;
const SIGNALS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

type Action = (typeof ACTIONS)[number];
type Files = Record<string, string>;

const nameOf = (index: number): string => `src/${String(index % 7)}/${index}.txt`;

/** A session in which a turn changed, made and deleted many files: here for an undo, in its copy for an apply. */
interface Stage {
  readonly session: FileSession;
  readonly action: Action;
  /** The folder before the action, and after it. */
  readonly start: Files;
  readonly target: Files;
}

async function stageTurn(action: Action): Promise<Stage> {
  const of = (kinds: readonly number[], text: string): Files =>
    Object.fromEntries(
      Array.from({ length: FILES }, (_, index) => index)
        .filter((index) => kinds.includes(index % 10))
        .map((index) => [nameOf(index), `${text} ${index}\n`]),
    );
  const kept = [0, 1, 2, 3, 4, 5];
  const session = await createFileSession({ 'other.txt': 'other\n', ...of([...kept, 6, 7], 'before') });
  const before = readFiles(session.folder);
  const change = (folder: string): void => {
    for (const path of Object.keys(of([6, 7], ''))) rmSync(join(folder, path));
    for (const [path, text] of Object.entries(of([...kept, 8, 9], 'after'))) {
      writeFileSync(join(folder, path), text);
    }
  };
  await session.turn('ada', change, { isCopy: action === 'apply' });
  if (action === 'apply') {
    const target = Object.fromEntries(
      Object.entries(of([...kept, 8, 9], 'after')).map(([path, text]) => [path, `file ${text}`]),
    );
    return { session, action, start: before, target: { 'other.txt': before['other.txt'] ?? '', ...target } };
  }
  return { session, action, start: readFiles(session.folder), target: before };
}

/** Removes what is large at once: after the test there is little time for it. */
function removeStage(stage: Stage | undefined): void {
  if (stage !== undefined) rmSync(stage.session.machine.folder, { recursive: true, force: true });
}

/** Begins the action, and resolves at a random moment after its first file moved; or after everything was got ready beside them. */
async function begin({ session, action }: Stage, random: Random, lasting: number, isEarly: boolean) {
  const folders = isEarly
    ? [session.folder]
    : readdirSync(join(session.folder, 'src')).map((name) => join(session.folder, 'src', name));
  const watchers: FSWatcher[] = [];
  const began = new Promise<void>((resolve) => {
    for (const folder of folders)
      watchers.push(
        watch(folder, (_, name) => {
          if (!isEarly || name?.startsWith('.huddle-')) resolve();
        }),
      );
  });
  const child = session.machine.start([action, '1', '--yes']);
  child.stdin.end();
  const done = finished(child);
  await Promise.race([began, done]);
  for (const watcher of watchers) watcher.close();
  await Promise.race([delay(random(Math.ceil(lasting))), done]);
  return { child, done };
}

/** Whether an action is begun and not over. */
function hasIntent({ dataFolder }: FileSession): boolean {
  const begun = join(dataFolder, 'files/begun');
  return existsSync(begun) && readdirSync(begun).some((name) => !name.endsWith('.draft'));
}

/** The undos and applies in the log. */
async function readActions({ session }: Stage): Promise<readonly FilesRecorded[]> {
  const store = new SqliteStore({ file: join(session.dataFolder, 'conversations.sqlite') });
  const reader = await store.read(session.id as ConversationId);
  const records: FilesRecorded[] = [];
  for await (const event of reader.read())
    if (event.type === 'files-recorded' && (event.by.kind === 'undo' || event.by.kind === 'apply'))
      records.push(event);
  await reader.close();
  await store.close();
  return records;
}

function idOf(record: FilesRecorded | undefined): string {
  return record?.by.kind === 'undo' || record?.by.kind === 'apply' ? record.by.id : '';
}

/** Plays rounds, each from the start and back to it; half of them undo, half apply. */
async function playRounds(
  seed: number,
  play: (stage: Stage, round: Round) => Promise<string>,
): Promise<void> {
  const met: Record<string, number> = {};
  for (const [at, action] of ACTIONS.entries()) {
    const random = createRandom(seed + at);
    const rounds = at === 0 ? Math.ceil(ROUNDS / 2) : Math.floor(ROUNDS / 2);
    let stage: Stage | undefined;
    let lasting = FILES / 20;
    for (let number = 0; number < rounds; number += 1) {
      if (stage === undefined || number % ROUNDS_OF_ONE === 0) {
        removeStage(stage);
        stage = await stageTurn(action);
      }
      const known = (await readActions(stage)).length;
      const begun = await begin(stage, random, lasting, number % 5 === 4);
      const what = `${action}: ${await play(stage, { ...begun, random, known, number })}`;
      met[what] = (met[what] ?? 0) + 1;
      // In all of the time that it takes on this machine, and now and then after it.
      lasting = Math.max(4, lasting * (/too late|recorded|in time/u.test(what) ? 0.6 : 1.3));
      expect(readFiles(stage.session.folder), what).toEqual(stage.start);
      expect(readdirSync(stage.session.folder).filter((name) => name.startsWith('.huddle-'))).toEqual([]);
    }
    removeStage(stage);
  }
  console.info(`${FILES} files, ${ROUNDS} rounds: ${JSON.stringify(met)}`);
}

interface Round extends Awaited<ReturnType<typeof begin>> {
  readonly random: Random;
  /** Number of undos and applies before it. */
  readonly known: number;
  readonly number: number;
}

/** Expects that all was done and is one action, and takes it back. */
async function takeBack(stage: Stage, known: number): Promise<void> {
  const { session, target } = stage;
  expect(readFiles(session.folder)).toEqual(target);
  const actions = await readActions(stage);
  expect(actions.slice(known).map(idOf)).toEqual([idOf(actions.at(-1))]);
  expect(actions.at(-1)?.files).toHaveLength(FILES);
  const undone = await session.machine.run(['undo', idOf(actions.at(-1)), '--yes']);
  expect(undone).toMatchObject({ code: 0, stderr: '' });
}

test(`${ROUNDS} kills in undo and apply of ${FILES} files: the next command finishes one action`, async () => {
  await playRounds(100, async (stage, { child, done, known, number }) => {
    const { session, action } = stage;
    child.kill('SIGKILL');
    const { signal } = await done;
    const isBegun = hasIntent(session);
    const isRecorded = (await readActions(stage)).length > known;
    const when =
      signal === null ? 'too late' : isRecorded ? 'recorded' : isBegun ? 'in the middle' : 'before';
    if (isRecorded) await takeBack(stage, known);
    else if (isBegun && number % 3 === 2) {
      // Taken back at once, by the name that it gets.
      const count = (await readActions(stage)).filter(({ by }) => by.kind === action).length;
      const back = await session.machine.run(['undo', `${action}-${count + 1}`, '--yes']);
      expect(back).toMatchObject({ code: 0, stderr: '' });
      expect((await readActions(stage)).length - known).toBe(2);
    } else {
      const again = await session.machine.run([action, '1', '--yes']);
      expect(again).toMatchObject({ code: 0, stderr: '' });
      await takeBack(stage, known);
    }
    return when;
  });
}, 3_600_000);

test(`${ROUNDS} signals in undo and apply of ${FILES} files wait for the end`, async () => {
  await playRounds(200, async (stage, { child, done, random, known }) => {
    const { session, action, start } = stage;
    const names = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];
    const sent = names[random(names.length)] ?? 'SIGINT';
    child.kill(sent);
    const { code, signal, stdout, stderr } = await done;
    if (signal !== null) {
      // Before it began.
      expect(readFiles(session.folder)).toEqual(start);
      expect(await session.machine.run([action, '1', '--yes'])).toMatchObject({ code: 0, stderr: '' });
      await takeBack(stage, known);
      return 'before';
    }
    expect(stdout).toMatch(/^(?:Undone|Applied): turn-1 \(\d+ files\)/mu);
    if (stderr === '') expect(code).toBe(0);
    else expect([code, stderr]).toEqual([SIGNALS[sent], expect.stringContaining('finished first')]);
    await takeBack(stage, known);
    return stderr === '' ? 'too late' : 'in the middle';
  });
}, 3_600_000);

test(`${ROUNDS} saves beside undo and apply of ${FILES} files are all kept`, async () => {
  await playRounds(300, async (stage, { done, random, known, number }) => {
    const { session, action, start, target } = stage;
    // One that was in its copy only is made where it will be, or is not there any more.
    const path = nameOf(random(FILES));
    const mine = `kim ${number}\n`;
    session.write({ [path]: mine });
    const { code, stdout, stderr } = await done;
    expect(session.read(path)).toBe(mine);
    const without = (files: Files): Files => ({ ...files, [path]: '' });
    const [record] = (await readActions(stage)).slice(known);
    const putBack = (files: Files): void => {
      const text = files[path];
      if (text === undefined) rmSync(join(session.folder, path));
      else session.write({ [path]: text.slice('file '.length) });
    };
    if (record === undefined) {
      expect([code, stderr]).toEqual([1, expect.stringMatching(/error\[FILES_CHANG(?:ING|ED_SINCE)\]/u)]);
      expect(without(readFiles(session.folder))).toEqual(without(start));
      putBack(start);
      return 'refused';
    }
    expect(without(readFiles(session.folder))).toEqual(without(target));
    const isLeft = !record.files.some((file) => file.path === path);
    expect(code).toBe(isLeft ? 1 : 0);
    expect(stdout.includes(`Left alone, since changed meanwhile: ${path}.`)).toBe(isLeft);
    expect(record.by).toMatchObject(isLeft ? { kind: action, left: [path] } : { kind: action });
    if (!isLeft) putBack(target);
    const undone = await session.machine.run(['undo', idOf(record), '--yes']);
    expect(undone).toMatchObject({ code: 0, stderr: '' });
    if (isLeft) {
      expect(session.read(path)).toBe(mine);
      putBack(start);
    }
    return isLeft ? 'left' : 'in time for neither';
  });
}, 3_600_000);
