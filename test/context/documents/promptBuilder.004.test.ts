import { describe, expect, it } from 'vitest';
import {
  buildPrompt,
  ClaudeContextAssembler,
  CodexContextAssembler,
  GeminiContextAssembler,
  InvalidOptionError,
  PlainTextAssembler,
  PromptBudgetError,
  type PromptInput,
} from '../../../src/index.js';
import { inputOf } from './samples.js';

const contextMessages = [
  { from: 'kailai', to: 'max', content: 'Hi', timestamp: new Date(0) },
  { from: 'max', content: 'Hello' },
];

function build(fields: Partial<PromptInput>) {
  return buildPrompt({ agentType: 'openai-codex', contextMessages: [], message: 'Go on', ...fields });
}

describe('004 goal: system instructions always arrive', () => {
  it.each([
    ['both, merged', 'You are Max', 'Be brief', '[SYSTEM]\nYou are Max\n\nBe brief\n\n[MESSAGE]\nGo on'],
    [
      'the configuration alone when the file is missing',
      'You are Max',
      undefined,
      '[SYSTEM]\nYou are Max\n\n[MESSAGE]\nGo on',
    ],
    [
      'the configuration alone when the file is empty',
      'You are Max',
      '',
      '[SYSTEM]\nYou are Max\n\n[MESSAGE]\nGo on',
    ],
    [
      'the file alone when the configuration is missing',
      undefined,
      'Be brief',
      '[SYSTEM]\nBe brief\n\n[MESSAGE]\nGo on',
    ],
  ])('sends %s', (_case, systemInstructionText, instructionFileText, prompt) => {
    expect(
      build({
        ...(systemInstructionText !== undefined && { systemInstructionText }),
        ...(instructionFileText !== undefined && { instructionFileText }),
      }),
    ).toStrictEqual({ prompt, systemFlag: undefined });
  });
});

describe('004 agent strategies', () => {
  const parts = {
    systemInstructionText: 'You are Max',
    instructionFileText: 'Be brief',
    contextMessages,
    message: 'Go on',
  };

  it('Claude Code: system text in the flag, without a [SYSTEM] title; context and message in the prompt', () => {
    expect(buildPrompt({ agentType: 'claude-code', ...parts })).toStrictEqual({
      prompt: '[CONTEXT]\n- kailai -> max: Hi\n- max -> all: Hello\n\n[MESSAGE]\nGo on',
      systemFlag: 'You are Max\n\nBe brief',
    });
  });

  it('Codex: everything inline', () => {
    expect(buildPrompt({ agentType: 'openai-codex', ...parts })).toStrictEqual({
      prompt:
        '[SYSTEM]\nYou are Max\n\nBe brief\n\n[CONTEXT]\n- kailai -> max: Hi\n- max -> all: Hello\n\n[MESSAGE]\nGo on',
      systemFlag: undefined,
    });
  });

  it('Gemini: everything inline, in the format of 002', () => {
    expect(buildPrompt({ agentType: 'google-gemini', ...parts })).toStrictEqual({
      prompt:
        'Instructions:\nYou are Max\n\nBe brief\n\nConversation so far:\n- kailai: Hi\n- max: Hello\n\nYour task:\nGo on',
      systemFlag: undefined,
    });
  });

  it('any other agent: plain text, in the format of 000', () => {
    expect(buildPrompt({ agentType: 'custom-agent', ...parts })).toStrictEqual({
      prompt: 'You are Max\n\nBe brief\n\nkailai: Hi\nmax: Hello\n\nGo on',
      systemFlag: undefined,
    });
  });

  it.each([
    ['claude', new ClaudeContextAssembler()],
    ['codex', new CodexContextAssembler()],
    ['gemini', new GeminiContextAssembler()],
    ['acp', new CodexContextAssembler()],
    ['command', new PlainTextAssembler()],
    ['custom-agent', new PlainTextAssembler()],
  ])('makes of %s what its assembler makes (decision 21)', (agentType, assembler) => {
    expect(buildPrompt({ agentType, ...parts, teamTask: 'Build it' })).toStrictEqual(
      assembler.assemble(
        inputOf({
          contextMessages,
          currentMessage: 'Go on',
          teamTask: 'Build it',
          systemInstruction: 'You are Max',
          instructionFileText: 'Be brief',
        }),
      ),
    );
  });
});

describe('004 context: the newest messages, five by default', () => {
  const seven = ['1', '2', '3', '4', '5', '6', '7'].map((content) => ({ from: 'a', to: 'b', content }));
  const lines = (contents: readonly string[]) => contents.map((content) => `- a -> b: ${content}`).join('\n');

  it.each([
    [undefined, ['3', '4', '5', '6', '7']],
    [2, ['6', '7']],
    [7, ['1', '2', '3', '4', '5', '6', '7']],
    [100, ['1', '2', '3', '4', '5', '6', '7']],
  ])('with windowSize %s keeps %j', (windowSize, kept) => {
    expect(build({ contextMessages: seven, ...(windowSize !== undefined && { windowSize }) }).prompt).toBe(
      `[CONTEXT]\n${lines(kept)}\n\n[MESSAGE]\nGo on`,
    );
  });

  it('with windowSize 0 sends no history', () => {
    expect(build({ contextMessages: seven, windowSize: 0 }).prompt).toBe('[MESSAGE]\nGo on');
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a windowSize of %d', (windowSize) => {
    expect(() => build({ contextMessages: seven, windowSize })).toThrow(InvalidOptionError);
  });

  it.each([-1, 1.5, Number.NaN, Number.POSITIVE_INFINITY])('refuses a maxBytes of %d', (maxBytes) => {
    expect(() => build({ maxBytes, instructionFileText: 'x'.repeat(2000) })).toThrow(InvalidOptionError);
  });
});

describe('004 length limit', () => {
  it('is 768 KB of UTF-8 by default, the limit itself included', () => {
    const room = 768 * 1024 - '[MESSAGE]\n'.length;
    expect(build({ message: 'x'.repeat(room) })).toStrictEqual({
      prompt: `[MESSAGE]\n${'x'.repeat(room)}`,
      systemFlag: undefined,
    });
    const { prompt, trim } = build({ message: '任'.repeat(room) });
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(768 * 1024);
    expect(trim?.cutBytes).toBeGreaterThan(0);
  });

  it('drops whole messages, the oldest first, and leaves the instruction file alone where that is enough', () => {
    const instructionFileText = 'f'.repeat(2000);
    const whole = build({ contextMessages, instructionFileText }).prompt;
    const { prompt, trim } = build({ contextMessages, instructionFileText, maxBytes: whole.length - 1 });
    expect(prompt).toBe(whole.replace('- kailai -> max: Hi\n', ''));
    expect(trim).toStrictEqual({
      droppedMessages: 1,
      cutBytes: 0,
      sections: { system: 2009, task: 0, context: 29, message: 15 },
    });
  });

  it('shortens the instruction file, head and tail kept and the cut marked, before it gives up', () => {
    const systemInstructionText = 'You are Max';
    const instructionFileText = `HEAD${'x'.repeat(20_000)}TAIL`;
    const { prompt, systemFlag, trim } = build({
      systemInstructionText,
      instructionFileText,
      maxBytes: 4096,
    });
    expect(Buffer.byteLength(prompt)).toBeLessThanOrEqual(4096);
    expect(systemFlag).toBeUndefined();
    const [, kept, cutBytes] =
      /^\[SYSTEM\]\nYou are Max\n\n(HEADx+\n\[… (\d+) bytes cut\]\nx+TAIL)\n\n\[MESSAGE\]\nGo on$/.exec(
        prompt,
      ) ?? [];
    expect(Number(cutBytes)).toBe(20_008 - (kept?.replace(/\n\[… \d+ bytes cut\]\n/, '').length ?? 0));
    expect(trim).toStrictEqual({
      droppedMessages: 0,
      cutBytes: 0,
      instructionCutBytes: Number(cutBytes),
      sections: { system: Buffer.byteLength(prompt) - 2 - 15, task: 0, context: 0, message: 15 },
    });
  });

  it('shortens the file in the system flag of Claude too', () => {
    const instructionFileText = `HEAD${'任'.repeat(5000)}TAIL`;
    const output = build({ agentType: 'claude', instructionFileText, maxBytes: 4096 });
    expect(output.prompt).toBe('[MESSAGE]\nGo on');
    expect(output.systemFlag).toMatch(/^HEAD任+\n\[… \d+ bytes cut\]\n任+TAIL$/);
    expect(Buffer.byteLength(output.prompt + output.systemFlag)).toBeLessThanOrEqual(4096);
  });

  it('never cuts configuration text: says so in an error instead of cutting silently', () => {
    const attempt = () => build({ systemInstructionText: 'c'.repeat(5000), maxBytes: 4096 });
    expect(attempt).toThrow(PromptBudgetError);
    expect(attempt).toThrow(
      'The prompt does not fit into 4096 bytes: at least 5026 are needed (system 5009, task 0, context 0, message 15). ' +
        'Shorten the system instruction or instruction file or raise maxBytes.',
    );
  });

  it('gives up when configuration, task and message do not fit even without the file', () => {
    const parts = { systemInstructionText: 'c'.repeat(5000), instructionFileText: 'f'.repeat(5000) };
    expect(() => build({ ...parts, maxBytes: 4096 })).toThrow(PromptBudgetError);
  });
});
