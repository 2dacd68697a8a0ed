import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type AssemblerInput,
  ContextManager,
  type ContextOptions,
  type ConversationMessage,
  PromptBudgetError,
} from '../../../src/index.js';
import { PROPERTY_TIMEOUT, RUNS, text } from './arbitraries.js';
import { DIALECTS } from './reference.js';

/** A conversation as one would write it without a thought for speed. */
class NaiveConversation {
  messages: ConversationMessage[] = [];
  teamTask: string | null = null;
  #nextNumber = 1;
  readonly #maxMessages: number;

  constructor(maxMessages: number) {
    this.#maxMessages = maxMessages;
  }

  add(content: string, roleId: string, type: 'human' | 'ai', timestamp: number): void {
    const id = `msg-${this.#nextNumber++}` as ConversationMessage['id'];
    this.messages.push({
      id,
      content: content.toWellFormed(),
      speaker: { roleId, roleName: roleId, type },
      timestamp,
    });
    this.messages = this.messages.slice(-this.#maxMessages);
  }

  setTeamTask(task: string | null): void {
    this.teamTask = task === null ? null : firstBytes(task, 5 * 1024);
  }

  replace(messages: readonly ConversationMessage[], teamTask: string | null): void {
    this.messages = messages.slice(-this.#maxMessages);
    this.teamTask = teamTask;
    this.#nextNumber = Math.max(0, ...messages.map(({ id }) => Number(id.slice('msg-'.length)))) + 1;
  }
}

function firstBytes(task: string, maxBytes: number): string {
  let kept = '';
  let bytes = 0;
  for (const character of task.toWellFormed()) {
    bytes += Buffer.byteLength(character);
    if (bytes > maxBytes) break;
    kept += character;
  }
  return kept;
}

type Operation =
  | { readonly do: 'add'; readonly content: string; readonly speaker: number; readonly times: number }
  | { readonly do: 'task'; readonly task: string | null }
  | { readonly do: 'clear' | 'export' | 'import' }
  | { readonly do: 'look'; readonly dialects: readonly number[]; readonly options: ContextOptions };

const SPEAKERS = [
  ['kailai', 'human'],
  ['max', 'ai'],
  ['sarah', 'ai'],
] as const;

const operation: fc.Arbitrary<Operation> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('add' as const),
      content: text,
      speaker: fc.nat(2),
      times: fc.constantFrom(1, 1, 1, 1, 2, 12),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('task' as const),
      task: fc.oneof(fc.constant(null), text, fc.constant('任务😀'.repeat(600))),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('clear' as const, 'export' as const, 'import' as const) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('look' as const),
      dialects: fc.array(fc.nat(3), { minLength: 1, maxLength: 3 }),
      options: fc.record(
        {
          windowSizeOverride: fc.constantFrom(0, 1, 3, 50),
          guard: fc.constantFrom('off', 'on', 'fence'),
          visibility: fc.constantFrom('all', 'addressed'),
          maxBytesOverride: fc.integer({ min: 100, max: 3000 }),
        },
        { requiredKeys: [] },
      ),
    }),
  },
);

/** The same input with nothing that a conversation could recognise. */
function stranger(input: AssemblerInput): AssemblerInput {
  return { ...input, contextMessages: input.contextMessages.map((message) => ({ ...message })) };
}

function assemble(manager: ContextManager, agentType: string, input: AssemblerInput): unknown {
  try {
    return manager.assemblePrompt(agentType, input);
  } catch (error) {
    if (error instanceof PromptBudgetError) return error.message;
    throw error;
  }
}

describe('a conversation after any operations', () => {
  it(
    'equals a naive one, and what it handed out before still makes the same prompts',
    () => {
      fc.assert(
        fc.property(
          fc.constantFrom(1, 2, 5, 8, Number.POSITIVE_INFINITY),
          fc.array(operation, { maxLength: 25 }),
          (maxMessages, operations) => {
            let now = 0;
            const manager = new ContextManager({
              ...(Number.isFinite(maxMessages) && { maxMessages }),
              clock: () => ++now,
              logger: {},
              nonce: () => '0123456789abcdef',
            });
            const naive = new NaiveConversation(maxMessages);
            const handedOut: { agentType: string; input: AssemblerInput; output: unknown }[] = [];
            let exported = manager.exportSnapshot();

            for (const step of operations) {
              switch (step.do) {
                case 'add': {
                  const [roleId, type] = SPEAKERS[step.speaker] ?? SPEAKERS[0];
                  for (let time = 0; time < step.times; time++) {
                    manager.addMessage({ content: step.content, speaker: { roleId, type } });
                    naive.add(step.content, roleId, type, now);
                  }
                  break;
                }
                case 'task':
                  manager.setTeamTask(step.task);
                  naive.setTeamTask(step.task);
                  break;
                case 'clear':
                  manager.clear();
                  naive.replace([], null);
                  break;
                case 'export':
                  exported = manager.exportSnapshot();
                  expect(exported).toEqual({
                    messages: naive.messages,
                    teamTask: naive.teamTask,
                    timestamp: now,
                    version: 1,
                  });
                  break;
                case 'import':
                  manager.importSnapshot(JSON.parse(JSON.stringify(exported)));
                  naive.replace(exported.messages, exported.teamTask);
                  break;
                case 'look':
                  for (const index of step.dialects) {
                    const agentType = DIALECTS[index]?.agentType ?? '';
                    const input = manager.getContextForAgent('max', agentType, step.options);
                    const output = assemble(manager, agentType, input);
                    expect(output).toEqual(assemble(manager, agentType, stranger(input)));
                    handedOut.push({ agentType, input, output });
                  }
                  break;
              }
            }

            expect(manager.getMessages()).toEqual(naive.messages);
            expect(manager.getLatestMessage()).toEqual(naive.messages.at(-1) ?? null);
            expect(manager.getTeamTask()).toBe(naive.teamTask);
            for (const message of naive.messages) expect(manager.getMessage(message.id)).toEqual(message);
            expect(manager.findMessages({ speaker: 'max' })).toEqual(
              naive.messages.filter(({ speaker }) => speaker.roleId === 'max'),
            );
            for (const { agentType, input, output } of handedOut) {
              expect(assemble(manager, agentType, input)).toEqual(output);
              expect(assemble(new ContextManager(), agentType, input)).toEqual(output);
            }
          },
        ),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT,
  );

  it('shows each format its own lines when formats and guards take turns on the same history', () => {
    const manager = new ContextManager({ nonce: () => '0123456789abcdef' });
    for (const content of ['one\ntwo', '- max: x\nmax: y', 'three'])
      manager.addMessage({ content, speaker: { roleId: 'max', type: 'ai' } });
    const prompts = () =>
      DIALECTS.flatMap(({ agentType }) =>
        (['off', 'on', 'fence'] as const).map((guard) => {
          const input = manager.getContextForAgent('sarah', agentType, { guard });
          return manager.assemblePrompt(agentType, input).prompt;
        }),
      );
    const fresh = prompts();
    expect(prompts()).toEqual(fresh);
    expect(new Set(fresh.slice(3)).size).toBe(9);
  });
});
