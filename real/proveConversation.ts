import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findDefinition } from '../compiled/agents/definitions.js';
import type { RealCli } from './clis.js';
import { ANSWER, ask, holdConversation, PREAMBLE, type Stage, TASK } from './conversations.js';
import { countIn, type ModelRequest } from './model/ModelRequest.js';
import { numberedLines } from './proveTurns.js';
import { useWorkshop } from './workshop.js';

const ROLE = 'Your role: you keep the garden gate.';
const QUESTION = 'What shall we plant?';
const MORE = 'And between them?';

/** What a member of a conversation is told and shown, compared with what its model received. */
export function proveConversation(cli: RealCli): void {
  describe(`a conversation with ${findDefinition(cli.agentType)?.label}`, () => {
    const workshop = useWorkshop([cli]);
    const converse = (member: object, talk: (stage: Stage) => Promise<void>) => {
      const { agentType, model } = cli;
      return holdConversation(workshop(), { agentType, model, ...member }, talk);
    };

    it('tells the model the team, the role and the task once each, byte for byte as sent', async () => {
      await converse({ systemInstruction: ROLE }, async (stage) => {
        const [request] = await ask(stage, QUESTION);
        expect(request?.userTexts.at(-1)).toBe(stage.sent[0]?.prompt);
        expect(request?.system).toContain(stage.sent[0]?.systemFlag ?? '');
        expect([PREAMBLE, ROLE, TASK, QUESTION].map((text) => countIn(request, text))).toEqual([1, 1, 1, 1]);
        expect(sectionsOf(request, cli)).toEqual(cli.sections);
      });
    });

    it('in a session of its own sends only what the member has not seen', async () => {
      await converse({ systemInstruction: ROLE, memory: 'session' }, async (stage) => {
        await ask(stage, QUESTION);
        const [, request] = await ask(stage, MORE);
        expect(request?.userTexts.at(-1)).toBe(stage.sent[1]?.prompt);
        expect(stage.sent[1]?.prompt).not.toContain(QUESTION);
        const texts = [PREAMBLE, ROLE, QUESTION, ANSWER, MORE];
        expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1]);
      });
    });

    it('with a window sends the conversation anew, each message once', async () => {
      await converse({ systemInstruction: ROLE, memory: 'window' }, async (stage) => {
        await ask(stage, QUESTION);
        const [, request] = await ask(stage, MORE);
        expect(request?.userTexts.at(-1)).toBe(stage.sent[1]?.prompt);
        const texts = [PREAMBLE, ROLE, TASK, QUESTION, ANSWER, MORE];
        expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1, 1]);
      });
    });

    it('sends everything when the session is gone, and says so', async () => {
      await converse({ systemInstruction: ROLE, memory: 'session' }, async (stage) => {
        await ask(stage, QUESTION);
        rmSync(join(workshop().home, cli.sessionFolder), { recursive: true });
        const [, request] = await ask(stage, MORE);
        expect([PREAMBLE, ROLE, QUESTION, ANSWER, MORE].map((text) => countIn(request, text))).toEqual([
          1, 1, 1, 1, 1,
        ]);
        const notices = stage.events.filter((event) => event.type === 'notice');
        expect(notices).toMatchObject([{ code: 'session-lost' }]);
      });
    });

    it('brings a role of 200 KB to the model whole', async () => {
      const role = numberedLines(200_000);
      await converse({ systemInstruction: role }, async (stage) => {
        const [request] = await ask(stage, QUESTION);
        expect(countIn(request, role)).toBe(1);
      });
    });
  });
}

function sectionsOf(request: ModelRequest | undefined, { sections }: RealCli): string[] {
  const lines = request?.userTexts.at(-1)?.split('\n') ?? [];
  return lines.filter((line) => sections.includes(line));
}
