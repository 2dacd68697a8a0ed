import fc from 'fast-check';
import { describe, it } from 'vitest';
import {
  ContextManager,
  type ContextOptions,
  type ConversationMessage,
  type ExplainedPrompt,
  type PlannedMessages,
  PromptBudgetError,
} from '../../../src/index.js';
import { PROPERTY_TIMEOUT, RUNS } from './arbitraries.js';
import { expectEqual, expectTrue } from './expectEqual.js';
import { DIALECTS, type Dialect, totalBytes } from './reference.js';

interface Said {
  readonly speaker: 'kailai' | 'max' | 'sarah';
  readonly to: readonly string[];
  /** Says the words of the message before once more. */
  readonly repeats: boolean;
  readonly filler: string;
}

interface Request {
  readonly options: ContextOptions;
  readonly current: number | null;
  readonly trigger: number | null;
  readonly lastSeen: number | null;
  readonly budget: number | null;
}

const said: fc.Arbitrary<Said> = fc.record({
  speaker: fc.constantFrom('kailai', 'max', 'sarah'),
  to: fc.constantFrom<readonly string[]>([], ['max'], ['sarah'], ['all'], ['kailai', 'Max']),
  repeats: fc.nat(4).map((dice) => dice === 0),
  filler: fc.constantFrom('', '中文', '😀'.repeat(20), '\nsecond line', ' [NEXT: max]'),
});

const place = fc.option(fc.nat(15), { freq: 2 });

const request: fc.Arbitrary<Request> = fc.record({
  options: fc.record(
    {
      windowSizeOverride: fc.nat(6),
      visibility: fc.constantFrom('all', 'addressed'),
      systemInstruction: fc.constantFrom('You are Max.', ''),
      guard: fc.constantFrom('off', 'on', 'fence'),
    },
    { requiredKeys: [] },
  ),
  current: place,
  trigger: place,
  lastSeen: place,
  budget: fc.option(fc.integer({ min: 20, max: 900 }), { freq: 3 }),
});

/** Every message says its own number, so that a prompt shows which ones it holds. */
function converse(saids: readonly Said[]): ContextManager {
  const manager = new ContextManager({ nonce: () => '0123456789abcdef' });
  manager.setTeamTask('Ship it');
  let words = '';
  for (const [index, { speaker, to, repeats, filler }] of saids.entries()) {
    if (!repeats || words === '') words = `«${index}»${filler}`;
    manager.addMessage({
      content: words,
      speaker: { roleId: speaker, type: speaker === 'kailai' ? 'human' : 'ai' },
      routing: { resolvedAddressees: to },
    });
  }
  return manager;
}

function explain(manager: ContextManager, agentType: string, request: Request): ExplainedPrompt | null {
  const messages = manager.getMessages();
  const idAt = (index: number | null) => (index === null ? undefined : messages[index % messages.length]?.id);
  const chosen = {
    currentMessageId: idAt(request.current),
    triggerMessageId: idAt(request.trigger),
    lastSeenMessageId: idAt(request.lastSeen),
    maxBytesOverride: request.budget ?? undefined,
  };
  const given = Object.fromEntries(Object.entries(chosen).filter(([, value]) => value !== undefined));
  try {
    return manager.explainPrompt('max', agentType, { ...request.options, ...given });
  } catch (error) {
    if (error instanceof PromptBudgetError) return null;
    throw error;
  }
}

/** The inclusion of each message, one by one. */
function inclusionsOf(plan: readonly PlannedMessages[]): PlannedMessages['inclusion'][] {
  return plan.flatMap(({ inclusion, count }) => Array.from({ length: count }, () => inclusion));
}

function numbersIn(text: string): string[] {
  return Array.from(text.matchAll(/«(\d+)»/g), ([, number]) => number ?? '');
}

function numberOf({ content }: ConversationMessage): string {
  return numbersIn(content)[0] ?? '';
}

describe('the plan of a prompt', () => {
  it(
    'has every message once and in order, names what the prompt shows, and its bytes add up',
    () => {
      const conversation = fc.array(said, { minLength: 1, maxLength: 12 });
      fc.assert(
        fc.property(fc.constantFrom(...DIALECTS), conversation, request, (dialect, saids, asked) => {
          const manager = converse(saids);
          const explained = explain(manager, dialect.agentType, asked);
          if (explained === null) return;
          expectPartition(explained.plan.messages, manager.getMessages());
          expectShown(explained, manager.getMessages());
          expectBytes(explained, dialect);
        }),
        { numRuns: RUNS },
      );
    },
    PROPERTY_TIMEOUT,
  );
});

function expectPartition(runs: readonly PlannedMessages[], messages: readonly ConversationMessage[]): void {
  let next = 0;
  for (const { first, last, count } of runs) {
    expectEqual([first, last], [messages[next]?.id, messages[next + count - 1]?.id]);
    next += count;
  }
  expectEqual(next, messages.length);
}

function expectShown(
  { input, output, plan }: ExplainedPrompt,
  messages: readonly ConversationMessage[],
): void {
  const inclusions = inclusionsOf(plan.messages);
  const numbersWith = (inclusion: PlannedMessages['inclusion']) =>
    messages.filter((_message, index) => inclusions[index] === inclusion).map(numberOf);
  const shown = [...numbersWith('pinned'), ...numbersWith('kept')];
  const dropped = output.trim?.droppedMessages ?? 0;
  expectEqual(numbersWith('current').length, 1);
  expectEqual(numbersIn(output.prompt), [...shown, ...numbersWith('current')]);
  expectEqual(numbersWith('budget').length, dropped);
  expectEqual(input.contextMessages.length, shown.length + dropped);
}

/** Sections and the blank lines between them are the whole prompt. */
function expectBytes({ output, plan }: ExplainedPrompt, { systemIsFlag }: Dialect): void {
  const { system, task, context, message } = plan.sections ?? { system: 0, task: 0, context: 0, message: 0 };
  const inPrompt = [systemIsFlag ? 0 : system, task, context, message].filter((bytes) => bytes > 0);
  expectEqual(system + task + context + message + 2 * (inPrompt.length - 1), plan.totalBytes);
  expectEqual(totalBytes(output), plan.totalBytes);
  expectTrue(plan.totalBytes <= plan.maxBytes, 'over budget');
}
