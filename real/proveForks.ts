import { describe, expect, it } from 'vitest';
import { type ConversationEvent, forkConversation, MemoryStore } from '../compiled/index.js';
import type { RealProgram } from './clis.js';
import { ask, holdConversation, PREAMBLE, type Stage } from './conversations.js';
import { countIn } from './model/ModelRequest.js';
import { useWorkshop } from './workshop.js';

const ROLE = 'Your role: you keep the garden gate.';
const QUESTION = 'What shall we plant?';
const SECOND = 'And between them?';
const THIRD = 'And behind the shed?';

/** A member whose conversation is forked, and the sessions that its CLI can copy. */
export interface ForkedAgent extends RealProgram {
  readonly label: string;
  readonly member: object;
  /** The session of its first turn in a fork at the latest message, and at an earlier one. */
  readonly latest: 'fork' | 'new';
  readonly earlier: 'fork' | 'new';
  /** Whether it says only when it is asked that it takes no copy. */
  readonly refuses?: boolean;
}

/** In a fork the model receives the past up to the cut, once, and nothing that came after; the original never hears of it. */
export function proveForks(agent: ForkedAgent): void {
  describe(`a fork of a conversation with ${agent.label}`, () => {
    const workshop = useWorkshop([agent]);
    const member = { ...agent.member, systemInstruction: ROLE, memory: 'session' };
    const hold = (store: MemoryStore, talk: (stage: Stage) => Promise<void>) =>
      holdConversation(workshop(), member, talk, { store });

    /** What the model receives with the last question. */
    const received = async (stage: Stage, question: string, texts: readonly string[]) => {
      await ask(stage, question);
      const request = stage.received.findLast((each) => countIn(each, question) > 0);
      return texts.map((text) => [text, countIn(request, text)]);
    };

    /** Two questions to the original, a fork at a message, a third question to it; then to the original. */
    const fork = async (at: string, before: readonly string[]) => {
      const store = new MemoryStore();
      await hold(store, async (stage) => {
        for (const question of [QUESTION, SECOND]) await ask(stage, question);
      });
      const [original] = (await store.list({ limit: 1 })).summaries;
      if (original === undefined) throw new Error('Nothing was saved.');
      await forkConversation(store, original.id, { at });
      let events: readonly ConversationEvent[] = [];
      const texts = [PREAMBLE, ROLE, QUESTION, SECOND, THIRD];
      await hold(store, async (stage) => {
        const once = [PREAMBLE, ROLE, ...before, THIRD];
        const wanted = texts.map((text) => [text, once.includes(text) ? 1 : 0]);
        expect(await received(stage, THIRD, texts)).toEqual(wanted);
        events = stage.events;
      });
      // Opened last, it is the one that is gone on with.
      await (await store.open(original.id)).close();
      await hold(store, async (stage) => {
        const wanted = texts.map((text) => [text, text === THIRD ? 0 : 1]);
        expect(await received(stage, 'And then?', texts)).toEqual(wanted);
      });
      return events;
    };

    const expectSession = (
      events: readonly ConversationEvent[],
      session: 'fork' | 'new',
      refuses = false,
    ) => {
      const starts = events.flatMap((event) => (event.type === 'turn-start' ? [event.prompt.session] : []));
      const codes = events.flatMap((event) => (event.type === 'notice' ? [event.code] : []));
      expect(starts).toEqual(refuses ? ['fork', 'new'] : [session]);
      expect(codes).toEqual(session === 'new' ? ['session-not-forked'] : []);
    };

    it('at the latest message has all of it', async () => {
      expectSession(await fork('msg-4', [QUESTION, SECOND]), agent.latest, agent.refuses);
    });

    it('at an earlier message has nothing of what came after', async () => {
      expectSession(await fork('msg-2', [QUESTION]), agent.earlier);
    });
  });
}
