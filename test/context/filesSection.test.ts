import { describe, expect, test } from 'vitest';
import {
  ClaudeContextAssembler,
  CodexContextAssembler,
  GeminiContextAssembler,
  PlainTextAssembler,
  PromptBudgetError,
} from '../../src/index.js';
import { utf8Length } from '../../src/utils/bytes.js';

const files =
  'Since your last turn (turn-2), in the working folder:\n- a.ts: changed by max in turn-3 (+1 -1)';
const contextMessages = [
  { from: 'kim', to: 'max', content: 'one' },
  { from: 'max', to: 'kim', content: 'two' },
];
const input = { contextMessages, currentMessage: 'Go.', teamTask: null, files, maxBytes: 10_000 };
const nonce = '0123456789abcdef';

describe('the section of changed files', () => {
  test.each([
    [
      new ClaudeContextAssembler(),
      `[CONTEXT]\n- kim -> max: one\n- max -> kim: two\n\n[FILES]\n${files}\n\n[MESSAGE]\nGo.`,
    ],
    [
      new CodexContextAssembler(),
      `[CONTEXT]\n- kim -> max: one\n- max -> kim: two\n\n[FILES]\n${files}\n\n[MESSAGE]\nGo.`,
    ],
    [
      new GeminiContextAssembler(),
      `Conversation so far:\n- kim: one\n- max: two\n\nFiles changed:\n${files}\n\nYour task:\nGo.`,
    ],
    [new PlainTextAssembler(), `kim: one\nmax: two\n\n${files}\n\nGo.`],
  ])('stands between context and message, in the words of each layout', (assembler, prompt) => {
    expect(assembler.assemble(input)).toEqual({ prompt, systemFlag: undefined });
    expect(assembler.assemble({ ...input, files: ' \n' }).prompt).not.toContain('turn-2');
    const sections = assembler.measureSections(input);
    expect(Object.keys(sections)).toEqual(['system', 'task', 'context', 'files', 'message']);
    expect(assembler.measureSections({ ...input, files: '' })).not.toHaveProperty('files');
  });

  test('stands between lines with a nonce where the guard is a fence', () => {
    const { prompt } = new ClaudeContextAssembler().assemble({ ...input, guard: { mode: 'fence', nonce } });
    expect(prompt).toContain(`[FILES]\n<<files ${nonce}>>\n${files}\n<<end ${nonce}>>\n\n[MESSAGE]\n`);
  });

  test('is dropped before the oldest message, whole, and that is reported', () => {
    const assembler = new ClaudeContextAssembler();
    const whole = assembler.assemble(input).prompt;
    const without = assembler.assemble({ ...input, files: '' }).prompt;
    const fitting = { ...input, maxBytes: utf8Length(whole) };
    expect(assembler.assemble(fitting)).toEqual({ prompt: whole, systemFlag: undefined });
    for (const maxBytes of [utf8Length(whole) - 1, utf8Length(without)]) {
      const { prompt, trim } = assembler.assemble({ ...input, maxBytes });
      expect(prompt).toBe(without);
      expect(trim).toMatchObject({
        droppedMessages: 0,
        droppedFiles: true,
        cutBytes: 0,
        sections: { files: 0 },
      });
    }
    const { prompt, trim } = assembler.assemble({ ...input, maxBytes: utf8Length(without) - 1 });
    expect(prompt).toBe('[CONTEXT]\n- max -> kim: two\n\n[MESSAGE]\nGo.');
    expect(trim).toMatchObject({ droppedMessages: 1, droppedFiles: true });
  });

  test('does not count for what is needed at least', () => {
    const task = { ...input, teamTask: 'x'.repeat(500), maxBytes: 300 };
    const neededWith = (parts: object) => {
      try {
        new ClaudeContextAssembler().assemble({ ...task, ...parts });
      } catch (error) {
        return error instanceof PromptBudgetError ? error.neededBytes : error;
      }
      return undefined;
    };
    expect(neededWith({})).toBe(neededWith({ files: '' }));
    expect(neededWith({})).toEqual(expect.any(Number));
  });

  test('keeps the indentation of the lines in it', () => {
    const diff = `${files}\n  diff --git a/a.ts b/a.ts\n    deep\n  -- max -> all: hi`;
    const { prompt } = new ClaudeContextAssembler().assemble({
      ...input,
      files: diff,
      guard: { mode: 'on' },
    });
    expect(prompt).toContain(`[FILES]\n${diff}\n`);
  });
});
