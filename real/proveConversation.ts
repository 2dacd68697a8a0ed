import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { findDefinition } from '../dist/agents/definitions.js';
import { type Conversation, createConversation, loadTeamFile, type SentText } from '../dist/index.js';
import type { RealCli } from './clis.js';
import { countIn, type ModelRequest } from './model/ModelRequest.js';
import { say } from './model/Reply.js';
import { numberedLines } from './proveTurns.js';
import { useWorkshop } from './workshop.js';

const ROLE = 'Your role: you keep the garden gate.';
const PREAMBLE = 'You are ada (Gardener), a member of the team "garden".';
const TASK = 'Plant the border before June.';
const QUESTION = 'What shall we plant?';
const ANSWER = 'Foxgloves.';
const MORE = 'And between them?';

/** What a member of a conversation is told and shown, compared with what its model received. */
export function proveConversation(cli: RealCli): void {
  describe(`a conversation with ${findDefinition(cli.agentType)?.label}`, () => {
    const workshop = useWorkshop([cli]);
    // Conversations give their members the environment of this process.
    beforeAll(() => void Object.assign(process.env, workshop().environment));

    async function converse(member: object, talk: (garden: Garden) => Promise<void>): Promise<void> {
      const { workingFolder, model } = workshop();
      const file = join(workingFolder, 'huddle.jsonc');
      const { agentType } = cli;
      const ada = { name: 'ada', type: 'ai', agentType, title: 'Gardener', model: cli.model, ...member };
      const members = [{ name: 'kim', type: 'human' }, ada];
      writeFileSync(file, JSON.stringify({ version: 1, name: 'garden', task: TASK, members }));
      const { team } = await loadTeamFile(file);
      const sent: SentText[] = [];
      const conversation = createConversation({ team, workingFolder, onPrompt: (text) => sent.push(text) });
      model.behave(() => say(ANSWER));
      try {
        await talk({ conversation, sent, received: model.received, home: workshop().home });
      } finally {
        await conversation.close();
      }
    }

    it('tells the model the team, the role and the task once each, byte for byte as sent', async () => {
      await converse({ systemInstruction: ROLE }, async (garden) => {
        const [request] = await ask(garden, QUESTION);
        expect(request?.userTexts.at(-1)).toBe(garden.sent[0]?.prompt);
        expect(request?.system).toContain(garden.sent[0]?.systemFlag ?? '');
        expect([PREAMBLE, ROLE, TASK, QUESTION].map((text) => countIn(request, text))).toEqual([1, 1, 1, 1]);
        expect(sectionsOf(request, cli)).toEqual(cli.sections);
      });
    });

    it('in a session of its own sends only what the member has not seen', async () => {
      await converse({ systemInstruction: ROLE, memory: 'session' }, async (garden) => {
        await ask(garden, QUESTION);
        const [, request] = await ask(garden, MORE);
        expect(request?.userTexts.at(-1)).toBe(garden.sent[1]?.prompt);
        expect(garden.sent[1]?.prompt).not.toContain(QUESTION);
        const texts = [PREAMBLE, ROLE, QUESTION, ANSWER, MORE];
        expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1]);
      });
    });

    it('with a window sends the conversation anew, each message once', async () => {
      await converse({ systemInstruction: ROLE, memory: 'window' }, async (garden) => {
        await ask(garden, QUESTION);
        const [, request] = await ask(garden, MORE);
        expect(request?.userTexts.at(-1)).toBe(garden.sent[1]?.prompt);
        const texts = [PREAMBLE, ROLE, TASK, QUESTION, ANSWER, MORE];
        expect(texts.map((text) => countIn(request, text))).toEqual([1, 1, 1, 1, 1, 1]);
      });
    });

    it('sends everything when the session is gone, and says so', async () => {
      await converse({ systemInstruction: ROLE, memory: 'session' }, async (garden) => {
        await ask(garden, QUESTION);
        rmSync(join(garden.home, cli.sessionFolder), { recursive: true });
        const [, request] = await ask(garden, MORE);
        expect([PREAMBLE, ROLE, QUESTION, ANSWER, MORE].map((text) => countIn(request, text))).toEqual([
          1, 1, 1, 1, 1,
        ]);
        const notices = [...garden.conversation.history()].filter((event) => event.type === 'notice');
        expect(notices).toMatchObject([{ code: 'session-lost' }]);
      });
    });

    it('brings a role of 200 KB to the model whole', async () => {
      const role = numberedLines(200_000);
      await converse({ systemInstruction: role }, async (garden) => {
        const [request] = await ask(garden, QUESTION);
        expect(countIn(request, role)).toBe(1);
      });
    });
  });
}

interface Garden {
  readonly conversation: Conversation;
  readonly sent: readonly SentText[];
  readonly received: readonly ModelRequest[];
  readonly home: string;
}

/** Everything the model has received when the answer is there. */
async function ask({ conversation, received }: Garden, question: string): Promise<readonly ModelRequest[]> {
  conversation.send(question);
  await conversation.settled();
  expect(conversation.snapshot().messages.at(-1)?.content).toBe(ANSWER);
  return received;
}

function sectionsOf(request: ModelRequest | undefined, { sections }: RealCli): string[] {
  const lines = request?.userTexts.at(-1)?.split('\n') ?? [];
  return lines.filter((line) => sections.includes(line));
}
