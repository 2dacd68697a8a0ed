import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import {
  type AssemblerInput,
  ClaudeContextAssembler,
  CodexContextAssembler,
  ContextManager,
  type ContextManagerOptions,
  type ContextOptions,
  type ContextSnapshot,
  GeminiContextAssembler,
  HuddleError,
  type IContextAssembler,
  InvalidOptionError,
  InvalidSnapshotError,
  normalizeAgentType,
  PlainTextAssembler,
  PromptBudgetError,
  type Speaker,
  UnknownMessageError,
} from '../../../src/index.js';
import { createLogKeeper, inputOf, max, sarah, user } from './samples.js';

const LONE_SURROGATE = '\ud83d';
const REPLACEMENT = '\ufffd';
const NO_COUNTS = [-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];

const ASSEMBLERS: readonly IContextAssembler[] = [
  new ClaudeContextAssembler(),
  new CodexContextAssembler(),
  new GeminiContextAssembler(),
  new PlainTextAssembler(),
];

type Line = readonly [speaker: Speaker, content: string, ...to: string[]];

/** A manager that has heard these lines, at the times 1, 2, 3, … */
function conversation(lines: readonly Line[], options: ContextManagerOptions = {}): ContextManager {
  let time = 0;
  const manager = new ContextManager({ clock: () => ++time, ...options });
  for (const [speaker, content, ...to] of lines) {
    manager.addMessage({ speaker, content, ...(to.length > 0 && { routing: { resolvedAddressees: to } }) });
  }
  return manager;
}

function numbered(count: number, options: ContextManagerOptions = {}): ContextManager {
  const lines = Array.from({ length: count }, (_, index): Line => [user, `m${index + 1}`]);
  return conversation(lines, options);
}

/** What sarah sees: the history's texts, and behind a bar the current one. */
function seen(manager: ContextManager, options: ContextOptions = {}, agentId = 'sarah'): string {
  const input = manager.getContextForAgent(agentId, 'claude', options);
  return `${input.contextMessages.map(({ content }) => content).join(' ')} | ${input.currentMessage}`;
}

/** The plan of sarah's prompt in short: `first..last inclusion`. */
function inclusions(manager: ContextManager, options: ContextOptions = {}, agentType = 'claude'): string[] {
  return manager
    .explainPrompt('sarah', agentType, options)
    .plan.messages.map(({ first, last, count, inclusion }) => `${first}..${last} (${count}) ${inclusion}`);
}

function assemblyError(assembler: IContextAssembler, input: AssemblerInput): unknown {
  try {
    assembler.assemble(input);
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('decision 7: the byte budget', () => {
  const codex = new CodexContextAssembler();
  const title = '[MESSAGE]\n'.length;

  it('keeps the largest newest run that fits: no older message slips in behind a dropped one', () => {
    const contextMessages = ['1', 'a message that is too long', '3', '4'].map((content) => ({
      from: 'a',
      content,
    }));
    const prompt = '[CONTEXT]\n- a -> all: 3\n- a -> all: 4\n\n[MESSAGE]\nGo on';
    const input = inputOf({ contextMessages, currentMessage: 'Go on', maxBytes: prompt.length + 20 });
    expect(codex.assemble(input)).toStrictEqual({
      prompt,
      systemFlag: undefined,
      trim: { droppedMessages: 2, cutBytes: 0, sections: { system: 0, task: 0, context: 37, message: 15 } },
    });
  });

  it('lets at least 64 bytes of a cut message survive beside the mark', () => {
    const mark = '\n[… 136 bytes cut]';
    const smallest = title + 64 + Buffer.byteLength(mark);
    const currentMessage = 'x'.repeat(200);
    expect(codex.assemble(inputOf({ currentMessage, maxBytes: smallest })).prompt).toBe(
      `[MESSAGE]\n${'x'.repeat(64)}${mark}`,
    );
    expect(() => codex.assemble(inputOf({ currentMessage, maxBytes: smallest - 1 }))).toThrow(
      PromptBudgetError,
    );
  });

  it('never cuts a message that is shorter than what must survive', () => {
    const currentMessage = 'x'.repeat(60);
    expect(codex.assemble(inputOf({ currentMessage, maxBytes: title + 60 })).prompt).toBe(
      `[MESSAGE]\n${currentMessage}`,
    );
    expect(() => codex.assemble(inputOf({ currentMessage, maxBytes: title + 59 }))).toThrow(
      PromptBudgetError,
    );
  });

  it('cuts between characters, never through one (decision 16)', () => {
    const maxBytes = title + 100 + Buffer.byteLength('\n[… 300 bytes cut]');
    expect(codex.assemble(inputOf({ currentMessage: '👍'.repeat(100), maxBytes })).prompt).toBe(
      `[MESSAGE]\n${'👍'.repeat(25)}\n[… 300 bytes cut]`,
    );
    expect(codex.assemble(inputOf({ currentMessage: '👍'.repeat(100), maxBytes: maxBytes + 3 })).prompt).toBe(
      `[MESSAGE]\n${'👍'.repeat(25)}\n[… 300 bytes cut]`,
    );
  });

  it('states the facts in PromptBudgetError: the bytes of each section and what to shorten', () => {
    const error = assemblyError(
      codex,
      inputOf({
        systemInstruction: 's'.repeat(100),
        teamTask: 'Build it',
        contextMessages: [{ from: 'a', content: 'Hi' }],
        currentMessage: 'hello',
        maxBytes: 50,
      }),
    );
    expect(error).toBeInstanceOf(PromptBudgetError);
    expect(error).toBeInstanceOf(HuddleError);
    expect(error).toMatchObject({
      name: 'PromptBudgetError',
      code: 'PROMPT_BUDGET',
      maxBytes: 50,
      neededBytes: 148,
      sections: { system: 109, task: 20, context: 24, message: 15 },
      message:
        'The prompt does not fit into 50 bytes: at least 148 are needed (system 109, task 20, context 24, message 15). ' +
        'Shorten the system instruction or instruction file or raise maxBytes.',
    });
  });

  it.each([
    ['team task', { teamTask: 't'.repeat(200), currentMessage: 'Hi' }],
    ['message', { currentMessage: 'x'.repeat(60) }],
    [
      'system instruction or instruction file',
      { instructionFileText: 'f'.repeat(200), currentMessage: 'Hi' },
    ],
  ])('asks to shorten the %s where that is the largest', (part, fields) => {
    expect(() => codex.assemble(inputOf({ ...fields, maxBytes: 40 }))).toThrow(
      `Shorten the ${part} or raise maxBytes.`,
    );
  });

  it.each(ASSEMBLERS.map((assembler) => [assembler.getAgentType(), assembler] as const))(
    '%s throws rather than make an empty prompt of a history that does not fit',
    (_type, assembler) => {
      const input = inputOf({ contextMessages: [{ from: 'a', content: 'x'.repeat(100) }], maxBytes: 50 });
      expect(() => assembler.assemble(input)).toThrow(PromptBudgetError);
    },
  );

  it('counts the system flag when it looks whether an empty prompt would be left', () => {
    const input = inputOf({
      systemInstruction: 'You are Max',
      contextMessages: [{ from: 'a', content: 'x'.repeat(100) }],
      maxBytes: 50,
    });
    expect(() => new ClaudeContextAssembler().assemble(input)).toThrow(PromptBudgetError);
  });

  it('names the smallest budget that is enough, also where only a history would fill the prompt', () => {
    const claude = new ClaudeContextAssembler();
    const input = inputOf({
      systemInstruction: 's'.repeat(100),
      contextMessages: [{ from: 'a', content: 'Hi' }],
      maxBytes: 50,
    });
    const error = assemblyError(claude, input) as PromptBudgetError;
    expect(error.neededBytes).toBe(100 + '[CONTEXT]\n- a -> all: Hi'.length);
  });

  const text = fc.string({ unit: 'binary', maxLength: 200 });
  const inputs = fc.record({
    contextMessages: fc.array(fc.record({ from: fc.string({ maxLength: 8 }), content: text }), {
      maxLength: 6,
    }),
    currentMessage: fc.oneof(text, fc.string({ minLength: 60, maxLength: 400 })),
    teamTask: fc.option(fc.string({ maxLength: 40 })),
    systemInstruction: fc.string({ maxLength: 40 }),
    maxBytes: fc.nat({ max: 900 }),
    firstIsPinned: fc.boolean(),
  });

  it.each(ASSEMBLERS.map((assembler) => [assembler.getAgentType(), assembler] as const))(
    '%s fits every budget, or names the smallest that is enough',
    (_type, assembler) => {
      const untrimmed = (input: AssemblerInput) => assembler.assemble({ ...input, maxBytes: 1_000_000 });
      fc.assert(
        fc.property(inputs, (input) => {
          const error = assemblyError(assembler, input);
          if (error !== undefined) {
            expect(error).toBeInstanceOf(PromptBudgetError);
            const { neededBytes } = error as PromptBudgetError;
            expect(neededBytes).toBeGreaterThan(input.maxBytes);
            expect(assemblyError(assembler, { ...input, maxBytes: neededBytes })).toBeUndefined();
            expect(assemblyError(assembler, { ...input, maxBytes: neededBytes - 1 })).toBeInstanceOf(
              PromptBudgetError,
            );
            return;
          }
          const output = assembler.assemble(input);
          const whole = untrimmed(input);
          expect(Buffer.byteLength(output.prompt + (output.systemFlag ?? ''))).toBeLessThanOrEqual(
            input.maxBytes,
          );
          expect(output.systemFlag).toBe(whole.systemFlag);
          expect(output.prompt.isWellFormed()).toBe(true);
          expect(output.prompt === '').toBe(whole.prompt === '');
          if (output.trim === undefined) expect(output).toStrictEqual(whole);
          else expect(output.trim.droppedMessages + output.trim.cutBytes).toBeGreaterThan(0);
        }),
        { numRuns: 300 },
      );
    },
  );
});

describe('decision 8: what was trimmed, and why', () => {
  it('has no trim key when nothing was trimmed', () => {
    for (const assembler of ASSEMBLERS) {
      expect(Object.keys(assembler.assemble(inputOf({ currentMessage: 'Hi' })))).toStrictEqual([
        'prompt',
        'systemFlag',
      ]);
    }
  });

  it('explains a prompt: input, output and plan', () => {
    const manager = numbered(4, { contextWindowSize: 2 });
    const options = { systemInstruction: 'You are Sarah' };
    const input = manager.getContextForAgent('sarah', 'claude', options);
    expect(manager.explainPrompt('sarah', 'claude', options)).toStrictEqual({
      input,
      output: manager.assemblePrompt('claude', input),
      plan: {
        agentId: 'sarah',
        agentType: 'claude-code',
        maxBytes: 786_432,
        totalBytes: 13 + '[CONTEXT]\n- User -> all: m2\n- User -> all: m3\n\n[MESSAGE]\nm4'.length,
        sections: { system: 13, task: 0, context: 45, message: 12 },
        messages: [
          { first: 'msg-1', last: 'msg-1', count: 1, inclusion: 'window' },
          { first: 'msg-2', last: 'msg-3', count: 2, inclusion: 'kept' },
          { first: 'msg-4', last: 'msg-4', count: 1, inclusion: 'current' },
        ],
        cutBytes: 0,
      },
    });
  });

  it('gives the budget as the reason for messages that did not fit', () => {
    const manager = numbered(5);
    const maxBytesOverride = '[CONTEXT]\n- User -> all: m4\n\n[MESSAGE]\nm5'.length;
    expect(inclusions(manager, { maxBytesOverride })).toStrictEqual([
      'msg-1..msg-3 (3) budget',
      'msg-4..msg-4 (1) kept',
      'msg-5..msg-5 (1) current',
    ]);
  });

  it('gives a duplicate as the reason', () => {
    const manager = conversation([
      [user, 'Hi'],
      [max, 'Hello!'],
      [max, 'Hello!'],
    ]);
    expect(inclusions(manager)).toStrictEqual([
      'msg-1..msg-1 (1) kept',
      'msg-2..msg-2 (1) duplicate',
      'msg-3..msg-3 (1) current',
    ]);
  });

  it('gives seen as the reason for what a resumed session knows', () => {
    const manager = conversation([
      [user, 'a'],
      [sarah, 'b'],
      [max, 'c'],
      [sarah, 'd'],
      [user, 'e'],
    ]);
    expect(inclusions(manager, { lastSeenMessageId: 'msg-2' })).toStrictEqual([
      'msg-1..msg-2 (2) seen',
      'msg-3..msg-3 (1) kept',
      'msg-4..msg-4 (1) seen',
      'msg-5..msg-5 (1) current',
    ]);
  });

  it('gives not-addressed as the reason for what went to others', () => {
    const manager = conversation([
      [user, 'a', 'max'],
      [user, 'b', 'sarah'],
      [user, 'c', 'max'],
      [user, 'd'],
    ]);
    expect(inclusions(manager, { visibility: 'addressed' })).toStrictEqual([
      'msg-1..msg-1 (1) not-addressed',
      'msg-2..msg-2 (1) kept',
      'msg-3..msg-3 (1) not-addressed',
      'msg-4..msg-4 (1) current',
    ]);
  });

  it('says how many bytes were cut off the message', () => {
    const manager = conversation([
      [user, 'Hi'],
      [user, 'x'.repeat(1000)],
    ]);
    const { plan, output } = manager.explainPrompt('sarah', 'codex', { maxBytesOverride: 300 });
    expect(plan.cutBytes).toBe(output.trim?.cutBytes);
    expect(plan.cutBytes).toBe(
      1000 - (300 - '[MESSAGE]\n'.length - Buffer.byteLength('\n[… 730 bytes cut]')),
    );
    expect(plan.totalBytes).toBe(300);
    expect(plan.sections).toStrictEqual({ system: 0, task: 0, context: 0, message: 300 });
  });

  it('gives every message one inclusion, and as kept those that are in the prompt', () => {
    const lines = fc.array(
      fc.tuple(
        fc.constantFrom(user, max, sarah),
        fc.constantFrom('a', 'b', 'c'.repeat(90)),
        fc.constantFrom('max', 'sarah', 'User', 'all'),
      ),
      { minLength: 1, maxLength: 10 },
    );
    const index = fc.nat({ max: 9 });
    const choices = fc.record({
      options: fc.record(
        {
          visibility: fc.constantFrom('all' as const, 'addressed' as const),
          windowSizeOverride: fc.nat({ max: 6 }),
          maxBytesOverride: fc.integer({ min: 120, max: 500 }),
        },
        { requiredKeys: [] },
      ),
      ids: fc.record(
        { currentMessageId: index, triggerMessageId: index, lastSeenMessageId: index },
        { requiredKeys: [] },
      ),
    });
    fc.assert(
      fc.property(lines, choices, (said, { options, ids }) => {
        const manager = conversation(said);
        const messages = manager.getMessages();
        const named = Object.entries(ids).map(([key, at]) => [key, messages[at % messages.length]?.id]);
        const chosen: ContextOptions = { ...options, ...Object.fromEntries(named) };
        const { output, plan } = manager.explainPrompt('sarah', 'codex', chosen);
        const inclusionOf = plan.messages.flatMap(({ count, inclusion }) =>
          new Array<string>(count).fill(inclusion),
        );
        const linesOf = (inclusion: string) =>
          messages
            .filter((_, at) => inclusionOf[at] === inclusion)
            .map(
              ({ speaker, content, routing }) =>
                `- ${speaker.roleName} -> ${routing?.resolvedAddressees}: ${content}`,
            );
        const history = [...linesOf('pinned'), ...linesOf('kept')].join('\n');
        expect(inclusionOf).toHaveLength(messages.length);
        expect(output.prompt.split('[MESSAGE]')[0]).toBe(history === '' ? '' : `[CONTEXT]\n${history}\n\n`);
      }),
      { numRuns: 300 },
    );
  });

  it('has an empty plan for an empty conversation', () => {
    expect(new ContextManager().explainPrompt('sarah', 'claude').plan).toStrictEqual({
      agentId: 'sarah',
      agentType: 'claude-code',
      maxBytes: 786_432,
      totalBytes: 0,
      sections: { system: 0, task: 0, context: 0, message: 0 },
      messages: [],
      cutBytes: 0,
    });
  });
});

describe('decision 9: addressees', () => {
  it('renders a missing to as all, where the layout shows addressees', () => {
    const input = inputOf({ contextMessages: [{ from: 'max', content: 'Hi' }] });
    expect(ASSEMBLERS.map((assembler) => assembler.assemble(input).prompt)).toStrictEqual([
      '[CONTEXT]\n- max -> all: Hi',
      '[CONTEXT]\n- max -> all: Hi',
      'Conversation so far:\n- max: Hi',
      'max: Hi',
    ]);
  });
});

describe('decision 10: duplicates are neighbours', () => {
  it('does not take a later repetition for a duplicate when the turn is about an older message', () => {
    const manager = conversation([
      [user, 'Ready?'],
      [max, 'Yes'],
      [user, 'Sure?'],
      [max, 'Yes'],
    ]);
    expect(seen(manager, { currentMessageId: 'msg-2' })).toBe('Ready? Sure? Yes | Yes');
  });
});

describe('decision 11: what each member sees', () => {
  const lines: readonly Line[] = [
    [user, 'to-all'],
    [user, 'to-max', 'max'],
    [user, 'to-sarah', 'sarah'],
    [sarah, 'by-sarah', 'max'],
    [max, 'to-both', 'max', 'sarah'],
    [max, 'to-user', 'User'],
    [user, 'now'],
  ];

  it('shows everything to everybody by default', () => {
    expect(seen(conversation(lines))).toBe('to-max to-sarah by-sarah to-both to-user | now');
  });

  it('shows with visibility addressed what is to all, to this member, or its own: filter first, then window', () => {
    const manager = conversation(lines);
    expect(seen(manager, { visibility: 'addressed' })).toBe('to-all to-sarah by-sarah to-both | now');
    expect(seen(manager, { visibility: 'addressed', windowSizeOverride: 3 })).toBe(
      'to-sarah by-sarah to-both | now',
    );
    expect(seen(manager, { visibility: 'addressed' }, 'max')).toBe(
      'to-all to-max by-sarah to-both to-user | now',
    );
  });

  it('knows a member by its id and by its name, whatever the case', () => {
    const manager = conversation([
      [user, 'by-name', 'SARAH CONNOR'],
      [user, 'by-id', 'Sarah'],
      [user, 'now'],
    ]);
    expect(seen(manager, { visibility: 'addressed', agentName: 'Sarah Connor' })).toBe('by-name by-id | now');
  });

  it('has windows per member and per agent type, the member before the type', () => {
    const manager = numbered(6, {
      contextWindowSize: 4,
      windowSizes: { sarah: 1, 'google-gemini': 2, codex: 3 },
    });
    const window = (agentId: string, type: string) =>
      manager.getContextForAgent(agentId, type).contextMessages.length;
    expect(window('sarah', 'gemini')).toBe(1);
    expect(window('carol', 'gemini')).toBe(2);
    expect(window('dave', 'codex')).toBe(3);
    expect(window('max', 'claude')).toBe(4);
  });

  it('lets windowSizeOverride go before every other window', () => {
    expect(seen(numbered(4, { windowSizes: { sarah: 1 } }), { windowSizeOverride: 2 })).toBe('m2 m3 | m4');
  });

  it.each([
    ['contextWindowSize', { contextWindowSize: 0 }, {}],
    ['windowSizes', { windowSizes: { sarah: 0 } }, {}],
    ['windowSizeOverride', {}, { windowSizeOverride: 0 }],
  ])('means no history by a %s of 0', (_option, options, call) => {
    expect(seen(numbered(3, options), call)).toBe(' | m3');
  });

  it('does not take inherited properties for windows', () => {
    expect(seen(numbered(3), {}, 'constructor')).toBe('m1 m2 | m3');
    expect(seen(numbered(3), {}, '__proto__')).toBe('m1 m2 | m3');
  });

  it.each(NO_COUNTS)('refuses %d as a window or a budget', (count) => {
    const manager = numbered(2);
    expect(() => new ContextManager({ contextWindowSize: count })).toThrow(InvalidOptionError);
    expect(() => new ContextManager({ maxBytes: count })).toThrow(InvalidOptionError);
    expect(() => new ContextManager({ maxMessages: count })).toThrow(InvalidOptionError);
    expect(() => new ContextManager({ windowSizes: { sarah: count } })).toThrow(InvalidOptionError);
    expect(() => seen(manager, { windowSizeOverride: count })).toThrow(InvalidOptionError);
    expect(() => seen(manager, { maxBytesOverride: count })).toThrow(InvalidOptionError);
    for (const assembler of ASSEMBLERS) {
      expect(() => assembler.assemble(inputOf({ currentMessage: 'Hi', maxBytes: count }))).toThrow(
        InvalidOptionError,
      );
    }
  });

  it('names the option and the value it refuses', () => {
    expect(() => new ContextManager({ contextWindowSize: -1 })).toThrow(
      'contextWindowSize must be a whole number of at least 0, not -1',
    );
  });
});

describe('decision 12: current and trigger message', () => {
  it('pins nothing without the options', () => {
    expect(Object.keys(numbered(9).getContextForAgent('sarah', 'claude'))).toStrictEqual([
      'contextMessages',
      'currentMessage',
      'teamTask',
      'systemInstruction',
      'instructionFileText',
      'maxBytes',
    ]);
  });

  it('asks b about Q in [NEXT: a, b] Q when currentMessageId says so, and shows what a answered', () => {
    const manager = conversation([
      [user, 'Q [NEXT: max, sarah]'],
      [max, 'A'],
    ]);
    expect(seen(manager)).toBe('Q | A');
    expect(seen(manager, { currentMessageId: 'msg-1' })).toBe('A | Q');
  });

  it('takes the window from the newest messages beside an older current one', () => {
    const manager = numbered(6);
    expect(seen(manager, { currentMessageId: 'msg-5', windowSizeOverride: 2 })).toBe('m4 m6 | m5');
    expect(seen(manager, { currentMessageId: 'msg-1', windowSizeOverride: 2 })).toBe('m5 m6 | m1');
  });

  it('puts a trigger outside the window first, in addition to the window', () => {
    const options = { triggerMessageId: 'msg-1', windowSizeOverride: 2 };
    expect(seen(numbered(6), options)).toBe('m1 m4 m5 | m6');
    expect(inclusions(numbered(6), options)).toStrictEqual([
      'msg-1..msg-1 (1) pinned',
      'msg-2..msg-3 (2) window',
      'msg-4..msg-5 (2) kept',
      'msg-6..msg-6 (1) current',
    ]);
  });

  it('leaves a trigger inside the window where it is', () => {
    expect(seen(numbered(4), { triggerMessageId: 'msg-2' })).toBe('m1 m2 m3 | m4');
  });

  it('does not repeat a trigger that is the current message', () => {
    expect(seen(numbered(4), { triggerMessageId: 'msg-1', currentMessageId: 'msg-1' })).toBe('m2 m3 m4 | m1');
  });

  it('shows a trigger although the window is 0', () => {
    expect(seen(numbered(4), { triggerMessageId: 'msg-2', windowSizeOverride: 0 })).toBe('m2 | m4');
  });

  it('drops the trigger last when the budget is short', () => {
    const manager = numbered(6);
    const options = { triggerMessageId: 'msg-1', windowSizeOverride: 2 };
    const bytes = (history: string) => `[CONTEXT]\n${history}\n\n[MESSAGE]\nm6`.length;
    const one = bytes('- User -> all: m1\n- User -> all: m5');
    expect(inclusions(manager, { ...options, maxBytesOverride: one })).toStrictEqual([
      'msg-1..msg-1 (1) pinned',
      'msg-2..msg-3 (2) window',
      'msg-4..msg-4 (1) budget',
      'msg-5..msg-5 (1) kept',
      'msg-6..msg-6 (1) current',
    ]);
    const none = bytes('- User -> all: m1');
    const { output } = manager.explainPrompt('sarah', 'claude', { ...options, maxBytesOverride: none });
    expect(output.prompt).toBe('[CONTEXT]\n- User -> all: m1\n\n[MESSAGE]\nm6');
    expect(inclusions(manager, { ...options, maxBytesOverride: none - 1 })).toStrictEqual([
      'msg-1..msg-1 (1) budget',
      'msg-2..msg-3 (2) window',
      'msg-4..msg-5 (2) budget',
      'msg-6..msg-6 (1) current',
    ]);
  });

  it.each([
    ['far back', 2],
    ['near', 5],
  ])('shows a trigger that was not addressed to the member, %s', (_place, windowSizeOverride) => {
    const manager = conversation([
      [user, 'T', 'max'],
      [user, 'b'],
      [user, 'c'],
      [user, 'd'],
      [max, 'now'],
    ]);
    const options: ContextOptions = {
      triggerMessageId: 'msg-1',
      visibility: 'addressed',
      windowSizeOverride,
    };
    const history = windowSizeOverride === 2 ? 'c d' : 'b c d';
    expect(seen(manager, options)).toBe(`T ${history} | now`);
  });

  it.each(['currentMessageId', 'triggerMessageId', 'lastSeenMessageId'])(
    'refuses an unknown %s',
    (option) => {
      const attempt = () => seen(numbered(2), { [option]: 'msg-9' });
      expect(attempt).toThrow(UnknownMessageError);
      expect(attempt).toThrow(`${option}: there is no message "msg-9" in this conversation`);
    },
  );

  it.each([
    ['[NEXT: sarah]', user, '(User hands off to you.)'],
    ['  [NEXT: sarah]\n[FROM: max]  ', max, '(Max hands off to you.)'],
    ['[TEAM_TASK] Build it', user, '(User hands off to you.)'],
    ['[NEXT: sarah] Hi', user, 'Hi'],
    ['`[NEXT: sarah]`', user, '`[NEXT: sarah]`'],
    ['', user, ''],
  ])('hands %j over as a sentence where nothing else is left', (content, speaker, current) => {
    expect(seen(conversation([[speaker, content]]))).toBe(` | ${current}`);
  });
});

describe('decision 11: what a member has already seen', () => {
  const lines: readonly Line[] = [
    [user, 'a'],
    [sarah, 'b'],
    [user, 'c'],
    [max, 'd'],
    [sarah, 'e'],
    [user, 'f'],
  ];

  it('shows only what came after, without what the member said itself', () => {
    expect(seen(conversation(lines), { lastSeenMessageId: 'msg-2' })).toBe('c d | f');
  });

  it('has no window then, so that nothing is missed', () => {
    expect(seen(numbered(12), { lastSeenMessageId: 'msg-2' })).toBe('m3 m4 m5 m6 m7 m8 m9 m10 m11 | m12');
    expect(seen(numbered(12), { lastSeenMessageId: 'msg-2', windowSizeOverride: 2 })).toBe('m10 m11 | m12');
  });

  it('does not repeat a trigger the member has seen', () => {
    expect(seen(numbered(4), { lastSeenMessageId: 'msg-2', triggerMessageId: 'msg-1' })).toBe('m3 | m4');
  });

  it('shows all there is when the last message seen has been forgotten', () => {
    expect(seen(numbered(9, { maxMessages: 3 }), { lastSeenMessageId: 'msg-2' })).toBe('m7 m8 | m9');
  });
});

describe('decision 13: the logger', () => {
  it('takes output as another name of logger, and logger before output', () => {
    const logger = createLogKeeper();
    const output = createLogKeeper();
    new ContextManager({ output }).assemblePrompt('xxx', inputOf());
    expect(output.lines).toHaveLength(1);
    new ContextManager({ output, logger }).assemblePrompt('xxx', inputOf());
    expect([output.lines.length, logger.lines.length]).toStrictEqual([1, 1]);
  });

  it('writes nothing to the console but warnings and errors by default', () => {
    const quiet = (['log', 'debug', 'info'] as const).map((level) => vi.spyOn(console, level));
    numbered(2).explainPrompt('sarah', 'claude');
    for (const spy of quiet) expect(spy).not.toHaveBeenCalled();
  });

  it('is content with a logger that has no levels at all', () => {
    const manager = conversation(
      [
        [max, 'Hi'],
        [max, 'Hi'],
      ],
      { logger: {} },
    );
    manager.setTeamTask('x'.repeat(9000));
    expect(() => manager.explainPrompt('sarah', 'xxx')).not.toThrow();
  });
});

describe('decision 14: what a message becomes', () => {
  it('has one id authority: an id handed in is not kept', () => {
    const message = { id: 'mine', content: 'Hi', speaker: user };
    expect(new ContextManager().addMessage(message).id).toBe('msg-1');
  });

  it('fills in what is missing: time from the clock, name from the id, type human', () => {
    const manager = new ContextManager({ clock: () => 42 });
    expect(manager.addMessage({ content: 'Hi', speaker: { roleId: 'kai' } })).toStrictEqual({
      id: 'msg-1',
      content: 'Hi',
      speaker: { roleId: 'kai', roleName: 'kai', type: 'human' },
      timestamp: 42,
    });
  });

  it('takes a Date and keeps epoch milliseconds', () => {
    expect(
      new ContextManager().addMessage({ content: 'Hi', speaker: user, timestamp: new Date(99) }).timestamp,
    ).toBe(99);
  });

  it('shares nothing with the caller', () => {
    const resolvedAddressees = ['max'];
    const speaker = { ...user };
    const manager = new ContextManager();
    manager.addMessage({ content: 'Hi', speaker, routing: { resolvedAddressees } });
    resolvedAddressees.push('sarah');
    speaker.roleName = 'Mallory' as never;
    expect(manager.getLatestMessage()).toMatchObject({
      speaker: { roleName: 'User' },
      routing: { resolvedAddressees: ['max'] },
    });
  });

  it.each([
    ['routing null', { routing: null }],
    ['a routing without addressees', { routing: {} }],
    ['addressees null', { routing: { resolvedAddressees: null } }],
    ['a time that is none', { timestamp: Number.NaN }],
    ['a time null', { timestamp: null }],
    ['an invalid Date', { timestamp: new Date(Number.NaN) }],
    ['a roleName null', { speaker: { roleId: 'kai', roleName: null } }],
  ])('makes do with %s, since only the four documented checks throw', (_case, fields) => {
    const manager = new ContextManager({ clock: () => 42 });
    manager.addMessage({ content: 'Hi', speaker: { roleId: 'kai' }, ...fields } as never);
    manager.addMessage({ content: 'now', speaker: user });
    const { contextMessages } = manager.getContextForAgent('max', 'claude', { visibility: 'addressed' });
    expect(contextMessages).toStrictEqual([{ from: 'kai', to: 'all', content: 'Hi' }]);
    expect(manager.getMessages()[0]?.timestamp).toBe(42);
    new ContextManager().importSnapshot(manager.exportSnapshot());
  });

  it('repairs lone surrogates on the way in', () => {
    const manager = new ContextManager();
    const message = manager.addMessage({
      content: `a${LONE_SURROGATE}b`,
      speaker: { roleId: `i${LONE_SURROGATE}`, roleName: `n${LONE_SURROGATE}` },
    });
    expect(message.content).toBe(`a${REPLACEMENT}b`);
    expect(message.speaker).toMatchObject({ roleId: `i${REPLACEMENT}`, roleName: `n${REPLACEMENT}` });
    manager.setTeamTask(`t${LONE_SURROGATE}`);
    expect(manager.getTeamTask()).toBe(`t${REPLACEMENT}`);
  });

  it('repairs lone surrogates in titles and addressees too', () => {
    const message = new ContextManager().addMessage({
      content: 'Hi',
      speaker: { ...user, roleTitle: LONE_SURROGATE },
      routing: { resolvedAddressees: [LONE_SURROGATE] },
    });
    expect(message.speaker.roleTitle).toBe(REPLACEMENT);
    expect(message.routing).toStrictEqual({ resolvedAddressees: [REPLACEMENT] });
  });

  it('lets no lone surrogate into a prompt, whoever calls the assembler', () => {
    const bad = `a${LONE_SURROGATE}b`;
    for (const assembler of ASSEMBLERS) {
      const { prompt, systemFlag = '' } = assembler.assemble(
        inputOf({
          contextMessages: [{ from: bad, to: bad, content: bad }],
          currentMessage: bad,
          teamTask: bad,
          systemInstruction: bad,
          instructionFileText: bad,
        }),
      );
      expect((prompt + systemFlag).isWellFormed()).toBe(true);
    }
  });

  it('passes NULs unchanged', () => {
    const manager = conversation([[user, 'a\u0000b']]);
    expect(manager.getLatestMessage()?.content).toBe('a\u0000b');
    expect(seen(manager)).toBe(' | a\u0000b');
  });
});

describe('decision 15: snapshots', () => {
  const good = (): Record<string, unknown> => ({
    id: 'msg-1',
    content: 'Hi',
    speaker: { ...user },
    timestamp: 1,
  });
  const snapshotOf = (...messages: unknown[]): ContextSnapshot =>
    ({ messages, teamTask: null, timestamp: 1, version: 1 }) as unknown as ContextSnapshot;

  it('comes back whole through JSON', () => {
    const manager = conversation([
      [user, 'Hi [NEXT: max]\n\n    code\u0000 👍', 'max'],
      [{ ...max, type: 'system' }, ''],
      [sarah, `x${LONE_SURROGATE}`],
    ]);
    manager.setTeamTask('Build it');
    const copy = new ContextManager();
    copy.importSnapshot(JSON.parse(JSON.stringify(manager.exportSnapshot())));
    expect(copy.getMessages()).toStrictEqual(manager.getMessages());
    expect(copy.getTeamTask()).toBe('Build it');
    expect(copy.addMessage({ content: 'on', speaker: user }).id).toBe('msg-4');
  });

  it('is cloned on the way out and on the way in', () => {
    const manager = conversation([[user, 'Hi', 'max']]);
    const snapshot = JSON.parse(JSON.stringify(manager.exportSnapshot()));
    const copy = new ContextManager();
    copy.importSnapshot(snapshot);
    snapshot.messages[0].speaker.roleName = 'Mallory';
    snapshot.messages[0].routing.resolvedAddressees.push('mallory');
    const exported = copy.exportSnapshot() as unknown as { messages: { content: string }[] };
    for (const message of exported.messages) message.content = 'changed';
    expect(copy.getMessages()).toStrictEqual(manager.getMessages());
  });

  it.each<[string, unknown, string]>([
    ['a message null', snapshotOf(null), 'messages[0] must be an object, not null'],
    ['a message that is text', snapshotOf(good(), 'Hi'), 'messages[1] must be an object, not string'],
    ['a hole', snapshotOf(...new Array(1)), 'messages[0] must be plain data, not undefined'],
    ['no id', snapshotOf({ ...good(), id: undefined }), 'messages[0].id must be a string, not undefined'],
    ['an empty id', snapshotOf({ ...good(), id: '' }), 'messages[0].id must not be empty'],
    [
      'an id beyond counting',
      snapshotOf({ ...good(), id: `msg-${'9'.repeat(20)}` }),
      'messages[0].id has too large a number',
    ],
    ['a duplicate id', snapshotOf(good(), good()), 'messages[1].id repeats the id of messages[0]'],
    [
      'content that is no text',
      snapshotOf({ ...good(), content: 1 }),
      'messages[0].content must be a string, not number',
    ],
    [
      'no speaker',
      snapshotOf({ ...good(), speaker: null }),
      'messages[0].speaker must be an object, not null',
    ],
    [
      'no roleId',
      snapshotOf({ ...good(), speaker: {} }),
      'messages[0].speaker.roleId must be a string, not undefined',
    ],
    [
      'an unknown speaker type',
      snapshotOf({ ...good(), speaker: { ...user, type: 'god' } }),
      'messages[0].speaker.type must be human, ai or system, not string',
    ],
    [
      'a time that is text',
      snapshotOf({ ...good(), timestamp: 'now' }),
      'messages[0].timestamp must be epoch milliseconds, not string',
    ],
    [
      'addressees that are no list',
      snapshotOf({ ...good(), routing: { resolvedAddressees: 'max' } }),
      'messages[0].routing.resolvedAddressees must be an array',
    ],
    [
      'an addressee that is no text',
      snapshotOf({ ...good(), routing: { resolvedAddressees: [1] } }),
      'messages[0].routing.resolvedAddressees[0] must be a string, not number',
    ],
    ['messages that are no list', { ...snapshotOf(), messages: {} }, 'messages must be an array'],
    ['a task that is no text', { ...snapshotOf(), teamTask: 1 }, 'teamTask must be a string, not number'],
    [
      'a time of its own that is none',
      { ...snapshotOf(), timestamp: 'x' },
      'timestamp must be epoch milliseconds, not string',
    ],
    ['a list', [], 'snapshot must be an object, not an array'],
    ['inherited fields only', Object.create(snapshotOf(good())), 'version must be 1, not undefined'],
  ])('refuses %s as a whole', (_case, snapshot, problem) => {
    const manager = conversation([[user, 'kept']]);
    manager.setTeamTask('kept');
    const before = { messages: manager.getMessages(), task: manager.getTeamTask() };
    expect(() => manager.importSnapshot(snapshot as never)).toThrow(
      new InvalidSnapshotError(
        problem.slice(0, problem.indexOf(' ')),
        problem.slice(problem.indexOf(' ') + 1),
      ),
    );
    expect({ messages: manager.getMessages(), task: manager.getTeamTask() }).toStrictEqual(before);
    expect(manager.addMessage({ content: 'next', speaker: user }).id).toBe('msg-2');
  });

  it('begins every refusal with the documented words', () => {
    expect(() => new ContextManager().importSnapshot(snapshotOf(null))).toThrow(/^Invalid snapshot format: /);
  });

  it.each([
    ['the snapshot', '{"version":1,"messages":[],"teamTask":null,"timestamp":1,"__proto__":{"polluted":1}}'],
    [
      'a message',
      '{"version":1,"teamTask":null,"timestamp":1,"messages":[{"id":"msg-1","content":"Hi","speaker":{"roleId":"a"},"timestamp":1,"__proto__":{"polluted":1}}]}',
    ],
    [
      'a speaker',
      '{"version":1,"teamTask":null,"timestamp":1,"messages":[{"id":"msg-1","content":"Hi","speaker":{"roleId":"a","__proto__":{"polluted":1}},"timestamp":1}]}',
    ],
  ])('is not poisoned by a prototype key in %s', (_case, json) => {
    const manager = new ContextManager();
    expect(() => manager.importSnapshot(JSON.parse(json))).toThrow(InvalidSnapshotError);
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
    expect(manager.getMessages()).toStrictEqual([]);
  });

  it('takes ids like those of prototype members for what they are', () => {
    const manager = new ContextManager();
    const ids = ['constructor', '__proto__', 'toString'];
    manager.importSnapshot(snapshotOf(...ids.map((id) => ({ ...good(), id }))));
    expect(manager.getMessages().map(({ id }) => id)).toStrictEqual(ids);
    expect(manager.getMessage('__proto__')?.id).toBe('__proto__');
    expect(manager.getMessage('hasOwnProperty')).toBeNull();
  });

  it('refuses what is nested too deeply instead of overflowing the stack', () => {
    let deep: unknown = 1;
    for (let level = 0; level < 100_000; level++) deep = { deep };
    expect(() => new ContextManager().importSnapshot(snapshotOf({ ...good(), deep }))).toThrow(
      InvalidSnapshotError,
    );
  });

  it('limits the team task of a snapshot like any other', () => {
    const manager = new ContextManager({ logger: {} });
    manager.importSnapshot({ ...snapshotOf(), teamTask: 'x'.repeat(9000) });
    expect(manager.getTeamTask()).toBe('x'.repeat(5120));
  });
});

describe('decision 16: truncation', () => {
  it('never leaves half a surrogate pair', () => {
    const manager = new ContextManager({ logger: {} });
    manager.setTeamTask(`x${'👍'.repeat(2000)}`);
    expect(manager.getTeamTask()).toBe(`x${'👍'.repeat(1279)}`);
  });

  it('takes a team task of 10 MB and keeps its first 5 KB', () => {
    const logger = createLogKeeper();
    const manager = new ContextManager({ logger });
    manager.setTeamTask('x'.repeat(10 * 1024 * 1024));
    expect(manager.getTeamTask()).toBe('x'.repeat(5120));
    expect(logger.lines).toStrictEqual([
      'warn: [ContextManager] TeamTask exceeded 5KB limit (10485760 bytes), truncated to 5120 bytes',
    ]);
  });
});

describe('decision 17: agent types', () => {
  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty', 'valueOf', ''])(
    'passes %j on as it is and prompts in plain text',
    (type) => {
      const logger = createLogKeeper();
      expect(normalizeAgentType(type)).toBe(type);
      const output = new ContextManager({ logger }).assemblePrompt(type, inputOf({ currentMessage: 'Hi' }));
      expect(output).toStrictEqual({ prompt: 'Hi', systemFlag: undefined });
      expect(logger.lines).toHaveLength(1);
    },
  );

  it('trims known types and leaves unknown ones as given', () => {
    expect(normalizeAgentType('  Claude\n')).toBe('claude-code');
    expect(normalizeAgentType(' My Agent ')).toBe(' My Agent ');
  });
});

describe('decision 18: hooks', () => {
  it.each([
    ['an Error', new Error('no'), 'Error: no'],
    ['a text', 'no', 'no'],
    ['undefined', undefined, 'undefined'],
  ])('logs a hook that throws %s and goes on', (_case, thrown, text) => {
    const logger = createLogKeeper();
    const fail = () => {
      throw thrown;
    };
    const hooks = { onMessageAdded: fail, onTeamTaskChanged: fail, onReset: fail };
    const manager = new ContextManager({ logger, ...hooks });
    expect(manager.addMessage({ content: 'Hi', speaker: user }).id).toBe('msg-1');
    manager.setTeamTask('Build it');
    expect(manager.getTeamTask()).toBe('Build it');
    manager.clear();
    expect(manager.getMessages()).toStrictEqual([]);
    expect(logger.lines.filter((line) => line.startsWith('error'))).toStrictEqual([
      `error: [ContextManager] Hook onMessageAdded failed: ${text}`,
      `error: [ContextManager] Hook onTeamTaskChanged failed: ${text}`,
      `error: [ContextManager] Hook onTeamTaskChanged failed: ${text}`,
      `error: [ContextManager] Hook onReset failed: ${text}`,
    ]);
  });

  it('survives a hook that throws what cannot be written down', () => {
    const onMessageAdded = () => {
      throw Object.create(null);
    };
    const manager = new ContextManager({ logger: createLogKeeper(), onMessageAdded });
    expect(manager.addMessage({ content: 'Hi', speaker: user }).id).toBe('msg-1');
  });

  it('calls onReset after clear and importSnapshot, when the new state is there', () => {
    const counts: number[] = [];
    const manager: ContextManager = new ContextManager({
      onReset: () => counts.push(manager.getMessages().length),
    });
    manager.addMessage({ content: 'Hi', speaker: user });
    const snapshot = manager.exportSnapshot();
    manager.clear();
    manager.importSnapshot(snapshot);
    expect(counts).toStrictEqual([0, 1]);
  });

  it('does not call onReset for a snapshot it refuses', () => {
    const onReset = vi.fn();
    const manager = new ContextManager({ onReset });
    expect(() => manager.importSnapshot({} as never)).toThrow(InvalidSnapshotError);
    expect(onReset).not.toHaveBeenCalled();
  });

  it.each([
    ['setTeamTask(null)', (manager: ContextManager) => manager.setTeamTask(null)],
    ['clearTeamTask()', (manager: ContextManager) => manager.clearTeamTask()],
  ])('clears the team task by %s and says so', (_case, clear) => {
    const heard: (string | null)[] = [];
    const manager = new ContextManager({ onTeamTaskChanged: (task) => heard.push(task) });
    manager.setTeamTask('Build it');
    clear(manager);
    expect(manager.getTeamTask()).toBeNull();
    expect(heard).toStrictEqual(['Build it', null]);
  });
});

describe('decision 24: the message cap and the lookup of messages', () => {
  it('forgets the oldest messages beyond maxMessages and goes on counting', () => {
    const manager = numbered(20, { maxMessages: 3 });
    expect(manager.getMessages().map(({ id }) => id)).toStrictEqual(['msg-18', 'msg-19', 'msg-20']);
    expect(manager.getMessage('msg-17')).toBeNull();
    expect(seen(manager)).toBe('m18 m19 | m20');
    expect(manager.exportSnapshot().messages).toHaveLength(3);
  });

  it('applies maxMessages to a snapshot too, without reusing ids', () => {
    const manager = new ContextManager({ maxMessages: 2 });
    manager.importSnapshot(numbered(5).exportSnapshot());
    expect(manager.getMessages().map(({ content }) => content)).toStrictEqual(['m4', 'm5']);
    expect(manager.addMessage({ content: 'm6', speaker: user }).id).toBe('msg-6');
  });

  it('refuses a forgotten message as the current one and does without a forgotten trigger', () => {
    const manager = numbered(9, { maxMessages: 3 });
    expect(() => seen(manager, { currentMessageId: 'msg-1' })).toThrow(UnknownMessageError);
    expect(seen(manager, { triggerMessageId: 'msg-1' })).toBe('m7 m8 | m9');
  });

  it('finds a message by its id', () => {
    const manager = numbered(3);
    expect(manager.getMessage('msg-2')).toBe(manager.getMessages()[1]);
    expect(manager.getMessage('msg-9')).toBeNull();
    expect(manager.getMessage('')).toBeNull();
  });

  it('finds messages by speaker, by time, and by both', () => {
    const manager = conversation([
      [user, 'a'],
      [max, 'b'],
      [user, 'c'],
      [max, 'd'],
    ]);
    const find = (query: Parameters<ContextManager['findMessages']>[0]) =>
      manager.findMessages(query).map(({ content }) => content);
    expect(find({ speaker: 'max' })).toStrictEqual(['b', 'd']);
    expect(find({ speaker: 'Max' })).toStrictEqual(['b', 'd']);
    expect(find({ speaker: 'nobody' })).toStrictEqual([]);
    expect(find({ since: 2, until: 3 })).toStrictEqual(['b', 'c']);
    expect(find({ speaker: 'user', since: 2 })).toStrictEqual(['c']);
    expect(find({})).toStrictEqual(['a', 'b', 'c', 'd']);
  });
});
