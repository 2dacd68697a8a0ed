import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  type Conversation,
  type ConversationEvent,
  MemoryStore,
  type PermissionRequestEvent,
} from '../compiled/index.js';
import type { RealAcpAgent } from './acpAgents.js';
import { ANSWER, ask, holdConversation, PREAMBLE, type Stage, type StageOptions } from './conversations.js';
import { countIn } from './model/ModelRequest.js';
import { say, USAGE, useThenSay } from './model/Reply.js';
import { useWorkshop } from './workshop.js';

const ROLE = 'Your role: you keep the garden gate.';
const QUESTION = 'What shall we plant?';
const MORE = 'And between them?';
const DONE = 'That was all.';

/** One real ACP agent in a conversation: prompts, questions, cancelling. */
export function proveAcp(agent: RealAcpAgent): void {
  describe(`a conversation with ${agent.label} over ACP`, () => {
    const workshop = useWorkshop([agent]);

    function converse(
      member: object,
      talk: (stage: Stage) => Promise<void>,
      options?: StageOptions,
    ): Promise<void> {
      const command = [agent.command, ...agent.args];
      const ada = { agentType: 'acp', command, model: agent.model, memory: 'session', ...member };
      return holdConversation(workshop(), ada, talk, options);
    }

    const agentProcesses = () =>
      workshop()
        .findLeftovers()
        .filter((process) => process.includes(`/bin/${agent.command}`));

    /** The model wants to write a file; whether it came to be. */
    async function tryToWrite(member: object, options: StageOptions, ending: RegExp): Promise<WriteAttempt> {
      const path = join(workshop().workingFolder, 'border.txt');
      rmSync(path, { force: true });
      let decisions: readonly object[] = [];
      await converse(
        member,
        async (stage) => {
          workshop().model.behave(useThenSay([{ kind: 'write', path, text: 'roses' }], DONE));
          await ask(stage, 'Write it down.', ending);
          decisions = decisionsIn(stage.events);
        },
        options,
      );
      return { isWritten: existsSync(path), decisions };
    }

    it('shows the answer piece by piece, and tells the model the role and the question once', async () => {
      await converse({ systemInstruction: ROLE }, async (stage) => {
        workshop().model.behave(() => say('Fox', 'gloves', '.'));
        const [request] = await ask(stage, QUESTION);
        const deltas = stage.events.flatMap((event) =>
          event.type === 'turn-progress' && event.event.type === 'text-delta' ? [event.event.text] : [],
        );
        expect(deltas.join('')).toBe(ANSWER);
        expect(deltas.length).toBeGreaterThan(1);
        expect([PREAMBLE, ROLE, QUESTION].map((text) => countIn(request, text))).toEqual([1, 1, 1]);
        expect(request?.userTexts).toContainEqual(expect.stringContaining(stage.sent[0]?.prompt ?? ''));
      });
    });

    it('goes on in the same process and sends only what the member has not seen', async () => {
      await converse({ systemInstruction: ROLE }, async (stage) => {
        await ask(stage, QUESTION);
        const before = agentProcesses();
        const [, request] = await ask(stage, MORE);
        expect(before).toHaveLength(1);
        expect(agentProcesses()).toEqual(before);
        const texts = [PREAMBLE, ROLE, QUESTION, ANSWER, MORE];
        expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1]);
        const usage = { inputTokens: USAGE.input + USAGE.cached, outputTokens: USAGE.output };
        expect(usagesIn(stage.events)).toMatchObject([usage, usage]);
      });
    });

    it('goes on another day: a new process opens the session that the member had', async () => {
      const store = new MemoryStore();
      await converse({ systemInstruction: ROLE }, async (stage) => void (await ask(stage, QUESTION)), {
        store,
      });
      await converse(
        { systemInstruction: ROLE },
        async (stage) => {
          const [request] = await ask(stage, MORE);
          expect(stage.sent[0]?.prompt).not.toContain(QUESTION);
          const texts = [PREAMBLE, ROLE, QUESTION, ANSWER, MORE];
          expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1]);
        },
        { store },
      );
    });

    it('asks a person before it writes, and writes when that is allowed', async () => {
      const attempt = await tryToWrite({ permission: 'read' }, answerWith('allow'), /That was all\.$/);
      const by = { kind: 'person', memberId: 'kim' };
      expect(attempt).toEqual({ isWritten: true, decisions: [{ decision: 'allowed', by }] });
    });

    it('does not write when the person denies it', async () => {
      const attempt = await tryToWrite({ permission: 'read' }, answerWith('deny'), /./);
      const by = { kind: 'person', memberId: 'kim' };
      expect(attempt).toEqual({ isWritten: false, decisions: [{ decision: 'denied', by }] });
    });

    it('shows what it wants to write, and is not asked about it twice', async () => {
      const requests: object[] = [];
      const { onEvent } = answerWith('allow');
      await tryToWrite(
        { permission: 'read' },
        {
          interactive: true,
          onEvent: (event, conversation) => {
            if (isQuestion(event)) requests.push(event.event);
            onEvent?.(event, conversation);
          },
        },
        /That was all\.$/,
      );
      expect(requests).toMatchObject([
        { kind: 'edit', paths: ['border.txt'], isInFolder: true, isOpen: true },
      ]);
      expect(JSON.stringify(requests)).toContain('roses');
    });

    it(`${agent.asksBeforeRunning ? 'asks before it runs' : 'cannot run, and asks nobody about,'} a command that changes something`, async () => {
      const path = join(workshop().workingFolder, 'ran.txt');
      rmSync(path, { force: true });
      const command = `node -e 'fs.writeFileSync("${path}", "ran")'`;
      const commands: unknown[] = [];
      const { onEvent } = answerWith('deny');
      await converse(
        { permission: 'read' },
        async (stage) => {
          workshop().model.behave(useThenSay([{ kind: 'run', command }], DONE));
          await ask(stage, 'Run it.', /./);
        },
        {
          interactive: true,
          onEvent: (event, conversation) => {
            if (isQuestion(event)) commands.push(event.event.command ?? event.event.title);
            onEvent?.(event, conversation);
          },
        },
      );
      expect(commands).toEqual(agent.asksBeforeRunning ? [expect.stringContaining(command)] : []);
      expect(existsSync(path)).toBe(false);
    });

    it('is denied when nobody is there to be asked', async () => {
      const attempt = await tryToWrite({ permission: 'read' }, {}, /./);
      expect(attempt).toEqual({
        isWritten: false,
        decisions: [{ decision: 'denied', by: { kind: 'nobody' } }],
      });
    });

    it('withdraws its question when the turn is cancelled', async () => {
      const cancel = (event: ConversationEvent, conversation: Conversation) =>
        isQuestion(event) && conversation.cancel();
      const path = join(workshop().workingFolder, 'border.txt');
      await converse(
        { permission: 'read' },
        async ({ conversation, events }) => {
          workshop().model.behave(useThenSay([{ kind: 'write', path, text: 'roses' }], DONE));
          await conversation.send('Write it down.');
          await conversation.settled();
          expect(decisionsIn(events)).toMatchObject([{ decision: 'cancelled' }]);
          expect(resultsIn(events)).toMatchObject([{ kind: 'cancelled' }]);
        },
        { interactive: true, onEvent: cancel },
      );
      expect(existsSync(path)).toBe(false);
    });

    it('writes without a question when the permission is edit', async () => {
      const attempt = await tryToWrite({ permission: 'edit' }, {}, /That was all\.$/);
      expect(attempt.isWritten).toBe(true);
    });

    it('is cancelled while the model is silent, and answers the next message', async () => {
      await converse({}, async (stage) => {
        workshop().model.behave(() => ({ kind: 'hang' }));
        const asked = workshop().model.nextRequest();
        await stage.conversation.send(QUESTION);
        await asked;
        await stage.conversation.cancel();
        await stage.conversation.settled();
        expect(resultsIn(stage.events)).toMatchObject([{ kind: 'cancelled' }]);
        workshop().model.behave(() => say(ANSWER));
        await ask(stage, MORE);
      });
    });
  });
}

interface WriteAttempt {
  readonly isWritten: boolean;
  readonly decisions: readonly object[];
}

function answerWith(verdict: 'allow' | 'deny'): StageOptions {
  return {
    interactive: true,
    onEvent: (event, conversation) => {
      if (isQuestion(event)) conversation.answerPermission(event.event.requestId, verdict);
    },
  };
}

function isQuestion(event: ConversationEvent): event is ConversationEvent & {
  readonly event: PermissionRequestEvent;
} {
  return event.type === 'turn-activity' && event.event.type === 'permission-request';
}

function decisionsIn(events: readonly ConversationEvent[]): object[] {
  return events.flatMap((event) =>
    event.type === 'permission-decided' ? [{ decision: event.decision, by: event.by }] : [],
  );
}

function usagesIn(events: readonly ConversationEvent[]): unknown[] {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.usage] : []));
}

function resultsIn(events: readonly ConversationEvent[]): object[] {
  return events.flatMap((event) => (event.type === 'turn-end' ? [event.result] : []));
}
