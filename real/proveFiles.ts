import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { type ConversationEvent, MemoryStore } from '../compiled/index.js';
import type { RealProgram } from './clis.js';
import { ANSWER, ask, holdConversation, PREAMBLE, type Stage, type StageOptions } from './conversations.js';
import { countIn, type ModelRequest } from './model/ModelRequest.js';
import { type Reply, say, type ToolUse, useThenSay } from './model/Reply.js';
import { useWorkshop } from './workshop.js';

const QUESTION = 'What shall we plant?';
const MORE = 'And between them?';
const LATER = 'And behind the shed?';
const DONE = 'That was all.';
const HAS_DONE = /That was all\.$/;

/** A member that works on files. */
export interface FilesAgent extends RealProgram {
  readonly label: string;
  readonly member: object;
  /** Between two days. */
  readonly ageSessions?: ((home: string) => void) | undefined;
}

/** What is recorded of the files that one real agent changes, in the working folder and in a copy of its own. */
export function proveFiles(agent: FilesAgent): void {
  describe(`files that ${agent.label} changes`, () => {
    const workshop = useWorkshop([agent]);
    const namesInFolder = () => readdirSync(workshop().workingFolder).filter((name) => name !== '.git');

    beforeEach(() => {
      const { workingFolder, environment } = workshop();
      for (const name of readdirSync(workingFolder)) rmSync(join(workingFolder, name), { recursive: true });
      writeFileSync(join(workingFolder, 'moss.txt'), 'moss\n');
      const kim = ['-c', 'user.name=Kim', '-c', 'user.email=kim@example.org'];
      for (const args of [
        ['init', '-q'],
        ['add', '.'],
        [...kim, 'commit', '-qm', 'Moss'],
      ])
        execFileSync('git', args, { cwd: workingFolder, env: environment });
    });

    function converse(
      member: object,
      talk: (stage: Stage) => Promise<void>,
      options?: StageOptions,
    ): Promise<void> {
      const ada = { ...agent.member, memory: 'session', ...member };
      return holdConversation(workshop(), ada, talk, { ...options, records: true });
    }

    /** Has the model use these tools. Returns the first request that it received. */
    async function work(
      stage: Stage,
      question: string,
      tools: readonly ToolUse[],
      answer = HAS_DONE,
    ): Promise<ModelRequest | undefined> {
      workshop().model.behave(useThenSay(tools, DONE));
      const [request] = await ask(stage, question, answer);
      await stage.conversation.files();
      return request;
    }

    it('are recorded as reported when its own tool wrote them, and as not when a command did', async () => {
      await converse({ permission: 'full' }, async (stage) => {
        await work(stage, QUESTION, [write('border.txt'), run('ran.txt')]);
        const files = [reported('border.txt'), { ...reported('ran.txt'), isReported: undefined }];
        expect(recordsIn(stage.events)).toEqual([{ turnIds: ['turn-1'], files }]);
        expect(noticesIn(stage.events)).toEqual([]);
      });
    });

    it('are none when it may only read, and it is not said to have changed any', async () => {
      await converse({ permission: 'read' }, async (stage) => {
        await work(stage, QUESTION, [write('border.txt')], /./);
        await work(stage, MORE, [run('ran.txt')], /./);
        expect(recordsIn(stage.events)).toEqual([
          { turnIds: ['turn-1'], files: [] },
          { turnIds: ['turn-2'], files: [] },
        ]);
        expect(noticesIn(stage.events)).toEqual([]);
        expect(namesInFolder()).toEqual(['huddle.jsonc', 'moss.txt']);
      });
    });

    it('stay in its copy, in which its session goes on, also another day, until a person applies them', async () => {
      const store = new MemoryStore();
      const member = { permission: 'edit', workspace: 'copy' };
      const seen = [PREAMBLE, QUESTION, MORE, LATER];
      const countSeen = (request: ModelRequest | undefined) => seen.map((text) => countIn(request, text));
      await converse(
        member,
        async (stage) => {
          await work(stage, QUESTION, [write('border.txt')]);
          const request = await work(stage, MORE, [write('hedge.txt')]);
          expect(countSeen(request)).toEqual([1, 1, 1, 0]);
          expect(stage.sent[1]?.prompt).not.toContain(QUESTION);
          expect(startsIn(stage.events)).toEqual([inCopy('new'), inCopy('resume')]);
          expect(recordsIn(stage.events)).toEqual([
            { turnIds: ['turn-1'], copyOf: 'ada', files: [reported('border.txt')] },
            { turnIds: ['turn-2'], copyOf: 'ada', files: [reported('hedge.txt')] },
          ]);
        },
        { store },
      );
      agent.ageSessions?.(workshop().home);
      await converse(
        member,
        async (stage) => {
          const request = await work(stage, LATER, [write('shed.txt')]);
          expect(countSeen(request)).toEqual([1, 1, 1, 1]);
          expect(stage.sent[0]?.prompt).not.toContain(QUESTION);
          expect(startsIn(stage.events)).toEqual([inCopy('resume')]);
          expect(noticesIn(stage.events)).toEqual([]);
          expect(namesInFolder()).toEqual(['huddle.jsonc', 'moss.txt']);
          await stage.conversation.apply('3');
          expect(namesInFolder()).toEqual([
            'border.txt',
            'hedge.txt',
            'huddle.jsonc',
            'moss.txt',
            'shed.txt',
          ]);
        },
        { store },
      );
    });

    it('are apart in a blind round: it begins a new session in its copy, and nothing is said to be lost', async () => {
      const may = { permission: 'edit' };
      const bob = { name: 'bob', type: 'ai', title: 'Mason', ...agent.member, ...may };
      await converse(
        may,
        async (stage) => {
          await ask(stage, `${QUESTION} [NEXT: ada]`);
          workshop().model.behave(writeOwn);
          await ask(stage, `${MORE} [NEXT: ada, bob]`, HAS_DONE);
          await stage.conversation.files();
          const toAda = workshop().model.received.find(isForAda);
          expect([PREAMBLE, QUESTION, ANSWER, MORE].map((text) => countIn(toAda, text))).toEqual([
            1, 1, 1, 1,
          ]);
          expect(startsIn(stage.events)).toEqual([{ session: 'new' }, inCopy('new'), inCopy('new')]);
          expect(recordsIn(stage.events)).toEqual([
            { turnIds: ['turn-1'], files: [] },
            { turnIds: ['turn-2'], copyOf: 'ada', files: [reported('border.txt')] },
            { turnIds: ['turn-3'], copyOf: 'bob', files: [reported('border.txt')] },
          ]);
          expect(noticesIn(stage.events)).toEqual([]);
          expect(namesInFolder()).toEqual(['huddle.jsonc', 'moss.txt']);
          await stage.conversation.apply('3');
          const applied = readFileSync(join(workshop().workingFolder, 'border.txt'), 'utf8');
          expect(applied.trim()).toBe('by bob');
        },
        { others: [bob] },
      );
    });
  });
}

function write(path: string, text = 'roses'): ToolUse {
  return { kind: 'write', path, text };
}

function run(name: string): ToolUse {
  return { kind: 'run', command: `node -e 'fs.writeFileSync("${name}", "ran")'` };
}

/** Both members write the same file. */
function writeOwn(request: ModelRequest): Reply {
  if (request.toolResults.length > 0) return say(DONE);
  return { kind: 'use', tool: write('border.txt', isForAda(request) ? 'by ada' : 'by bob') };
}

function isForAda(request: ModelRequest): boolean {
  return countIn(request, PREAMBLE) > 0;
}

function reported(path: string): object {
  return { path, change: 'add', isReported: true };
}

function inCopy(session: string): object {
  return { session, copy: true };
}

function recordsIn(events: readonly ConversationEvent[]): object[] {
  return events.flatMap((event) => {
    if (event.type !== 'files-recorded' || event.by.kind !== 'turns') return [];
    const files = event.files.map(({ path, change, isReported }) => ({ path, change, isReported }));
    return [{ turnIds: event.by.turnIds, copyOf: event.copyOf, files }];
  });
}

function startsIn(events: readonly ConversationEvent[]): object[] {
  return events.flatMap((event) =>
    event.type === 'turn-start' ? [{ session: event.prompt.session, copy: event.copy }] : [],
  );
}

function noticesIn(events: readonly ConversationEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
}
