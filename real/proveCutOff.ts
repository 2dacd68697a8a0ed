import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import type { ConversationEvent } from '../compiled/index.js';
import type { RealProgram } from './clis.js';
import { ANSWER, ask, holdConversation, PREAMBLE, type Stage, type StageOptions } from './conversations.js';
import { countIn, type ModelRequest } from './model/ModelRequest.js';
import { type Behaviour, say, useThenSay } from './model/Reply.js';
import { TURN_HANGS_AFTER } from './patience.js';
import { useWorkshop, type Workshop } from './workshop.js';

const HUDDLE = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));
const ROLE = 'Your role: you keep the garden gate.';
const QUESTION = 'What shall we plant?';
const SECOND = 'And between them?';
const THIRD = 'And behind the shed?';
const HANG: Behaviour = () => ({ kind: 'hang' });
/** Long enough for every CLI to have asked its model. */
const SHORT_LIMIT = { turnMinutes: 0.1 };

/** A member whose turns are cut off, and what its CLI is known to do its own way. */
export interface CutOffAgent extends RealProgram {
  readonly label: string;
  readonly member: object;
  /** The session of the turn after one that was cut off; `new` when nobody could tell what the old one holds. */
  readonly sessionAfter: (name: CutOffName) => 'fork' | 'resume' | 'new';
  /** Ways of ending a turn that do not come about with this agent, each with the reason. */
  readonly never?: Partial<Record<CutOffName, string>>;
}

export type CutOffName = keyof typeof CUT_OFFS;

/** How a turn is cut off. */
interface CutOff {
  readonly behaviour: Behaviour;
  readonly result: string;
  /** When the model has been asked. */
  readonly onRequest?: (stage: Stage, workshop: Workshop) => void;
  readonly onEvent?: StageOptions['onEvent'];
  readonly options?: StageOptions;
  readonly permission?: string;
}

const refuse =
  (status: number): Behaviour =>
  () => ({ kind: 'refuse', status });

const CUT_OFFS = {
  'cancelled while the model is silent': {
    behaviour: HANG,
    result: 'cancelled',
    onRequest: ({ conversation }) => conversation.cancel(),
  },
  'cancelled in the middle of a sentence': {
    behaviour: () => ({ kind: 'say', pieces: ['Once upon', ' a time'], ending: 'hang' }),
    result: 'cancelled',
    onEvent: (event, conversation) => isPreview(event, 'time') && conversation.cancel(),
  },
  'cancelled while a command runs': {
    behaviour: useThenSay([{ kind: 'run', command: 'tail -f /dev/null' }], 'Never said.'),
    result: 'cancelled',
    permission: 'full',
    onEvent: (event, conversation) =>
      event.type === 'turn-activity' && event.event.type === 'tool-start' && conversation.cancel(),
  },
  'killed while the model is silent': {
    behaviour: HANG,
    result: 'failed',
    onRequest: (_, workshop) => workshop.killLeftovers(),
  },
  'timed out': { behaviour: HANG, result: 'timed-out', options: { limits: SHORT_LIMIT } },
  'failed with 429': { behaviour: refuse(429), result: 'failed' },
  'failed with 500': { behaviour: refuse(500), result: 'failed' },
  'failed with 404': { behaviour: refuse(404), result: 'failed' },
  'failed with 529': { behaviour: refuse(529), result: 'failed' },
  'failed after a command': {
    behaviour: ({ toolResults }) =>
      toolResults.length === 0
        ? { kind: 'use', tool: { kind: 'run', command: 'echo hi' } }
        : { kind: 'refuse', status: 500 },
    result: 'failed',
    permission: 'full',
  },
} satisfies Record<string, CutOff>;

/** After a turn that did not complete nothing is sent twice, nothing is lost, and the member keeps its session. */
export function proveCutOff(agent: CutOffAgent): void {
  describe(`after a turn of ${agent.label} that was cut off`, () => {
    const workshop = useWorkshop([agent]);
    const cases = Object.entries<CutOff>(CUT_OFFS).filter(
      ([name]) => agent.never?.[name as CutOffName] === undefined, // The keys of a record of these.
    );

    /** One answered turn, one that is cut off, and what the model receives in the one after that. */
    async function cutOff(
      { behaviour, result, onRequest, onEvent, options, permission }: CutOff,
      goOn: (stage: Stage) => Promise<void>,
    ): Promise<{
      readonly request: ModelRequest | undefined;
      readonly events: readonly ConversationEvent[];
    }> {
      const { model } = workshop();
      let isCutOff = false;
      let request: ModelRequest | undefined;
      let events: readonly ConversationEvent[] = [];
      const talk = async (stage: Stage) => {
        await ask(stage, QUESTION);
        model.behave(behaviour);
        const asked = model.nextRequest();
        await stage.conversation.send(SECOND);
        if (onRequest !== undefined) {
          await asked;
          onRequest(stage, workshop());
        }
        await stage.conversation.settled();
        expect(resultsIn(stage.events)).toEqual(['completed', result]);
        isCutOff = true;
        model.behave(() => say(ANSWER));
        await goOn(stage);
        request = model.received[0];
        events = stage.events;
      };
      const watch: StageOptions['onEvent'] = (event, conversation) =>
        isCutOff ? undefined : onEvent?.(event, conversation);
      const member = { systemInstruction: ROLE, memory: 'session', ...(permission && { permission }) };
      await holdConversation(workshop(), { ...agent.member, ...member }, talk, {
        ...options,
        onEvent: watch,
      });
      return { request, events };
    }

    const expectSessions = (events: readonly ConversationEvent[], name: string) => {
      const after = agent.sessionAfter(name as CutOffName);
      expect(sessionsIn(events)).toEqual(['new', 'resume', after]);
      expect(noticesIn(events)).toEqual(after === 'new' ? ['session-lost'] : []);
    };

    it.each(cases)('%s, the next message finds each message once', async (name, how) => {
      const { request, events } = await cutOff(how, async (stage) => void (await ask(stage, THIRD)));
      const texts = [PREAMBLE, ROLE, QUESTION, SECOND, THIRD];
      expect(texts.map((text) => [text, countIn(request, text)])).toEqual(texts.map((text) => [text, 1]));
      expectSessions(events, name);
    });

    it.each(cases)('%s, it is asked again and finds each message once', async (name, how) => {
      const { request, events } = await cutOff(how, async ({ conversation }) => {
        expect(await conversation.retry()).toBe(1);
        await conversation.settled();
        expect(conversation.snapshot().messages.at(-1)?.content).toBe(ANSWER);
      });
      const texts = [PREAMBLE, ROLE, QUESTION, SECOND];
      expect(texts.map((text) => [text, countIn(request, text)])).toEqual(texts.map((text) => [text, 1]));
      expectSessions(events, name);
    });

    it('killed together with Huddle, it is asked again and finds each message once', async () => {
      const { model, workingFolder, environment, findLeftovers } = workshop();
      const members = [
        { name: 'kim', type: 'human' },
        {
          name: 'ada',
          type: 'ai',
          title: 'Gardener',
          systemInstruction: ROLE,
          memory: 'session',
          ...agent.member,
        },
      ];
      writeFileSync(
        join(workingFolder, 'huddle.jsonc'),
        JSON.stringify({ version: 1, name: 'garden', members }),
      );
      const start = (...args: readonly string[]) =>
        spawn(process.execPath, [HUDDLE, ...args, '--trust'], {
          cwd: workingFolder,
          env: environment,
          stdio: 'ignore',
        });
      model.behave(() => say(ANSWER));
      expect(await once(start('run', QUESTION), 'exit')).toEqual([0, null]);
      model.behave(HANG);
      const asked = model.nextRequest();
      const killed = start('run', '-c', SECOND);
      await asked;
      killed.kill('SIGKILL');
      await expect.poll(findLeftovers, { timeout: TURN_HANGS_AFTER }).toEqual([]);
      model.behave(() => say(ANSWER));
      expect(await once(start('resume', '--retry'), 'exit')).toEqual([0, null]);
      const texts = [PREAMBLE, ROLE, QUESTION, SECOND];
      const [request] = model.received;
      expect(texts.map((text) => [text, countIn(request, text)])).toEqual(texts.map((text) => [text, 1]));
    });
  });
}

function isPreview(event: ConversationEvent, ending: string): boolean {
  return (
    event.type === 'turn-progress' && event.event.type === 'text-delta' && event.event.text.endsWith(ending)
  );
}

function resultsIn(events: readonly ConversationEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.result.kind] : []));
}

function sessionsIn(events: readonly ConversationEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'turn-start' ? [event.prompt.session] : []));
}

function noticesIn(events: readonly ConversationEvent[]): string[] {
  return events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
}
