import { describe, expect, it } from 'vitest';
import { type AssemblerInput, GeminiContextAssembler } from '../../../src/index.js';
import { inputOf, ROOMY } from './samples.js';

const assembler = new GeminiContextAssembler();

function assemble(fields: Partial<AssemblerInput>) {
  return assembler.assemble(inputOf(fields));
}

describe('002 §3.2 getAgentType', () => {
  it('returns google-gemini', () => {
    expect(assembler.getAgentType()).toBe('google-gemini');
  });
});

describe('002 §5.1 Instructions section', () => {
  it.each([
    ['includes systemInstruction', 'You are Carol', undefined, 'Instructions:\nYou are Carol\n\n'],
    ['includes instructionFileText', undefined, 'Be brief', 'Instructions:\nBe brief\n\n'],
    [
      'joins both by a blank line',
      'You are Carol',
      'Be brief',
      'Instructions:\nYou are Carol\n\nBe brief\n\n',
    ],
    ['trims both', ' You are Carol\n', '\tBe brief ', 'Instructions:\nYou are Carol\n\nBe brief\n\n'],
    ['is left out when both are undefined', undefined, undefined, ''],
    ['is left out when both are white space', '  ', '\n\t', ''],
  ])('%s', (_case, systemInstruction, instructionFileText, instructions) => {
    expect(assemble({ currentMessage: 'Hi', systemInstruction, instructionFileText })).toStrictEqual({
      prompt: `${instructions}Your task:\nHi`,
      systemFlag: undefined,
    });
  });
});

describe('002 §7 output examples', () => {
  it('7.1 produces the correct format with all sections in order, in plain words', () => {
    const output = assembler.assemble({
      contextMessages: [
        { from: 'kailai', to: 'carol', content: 'Can you design the UI?' },
        { from: 'max', to: 'carol', content: 'I suggest a clean interface' },
      ],
      currentMessage: 'What UI framework should we use?',
      teamTask: 'Design the user dashboard',
      systemInstruction: 'You are Carol, a UI/UX designer',
      instructionFileText: 'Focus on accessibility and user experience',
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({
      prompt: `Instructions:
You are Carol, a UI/UX designer

Focus on accessibility and user experience

Team Task:
Design the user dashboard

Conversation so far:
- kailai: Can you design the UI?
- max: I suggest a clean interface

Your task:
What UI framework should we use?`,
      systemFlag: undefined,
    });
    expect(output.prompt).not.toMatch(/[[\]]/);
  });

  it('7.2 has no Instructions without instructions', () => {
    const output = assembler.assemble({
      contextMessages: [{ from: 'kailai', to: 'carol', content: 'Hello' }],
      currentMessage: 'What do you suggest?',
      teamTask: null,
      systemInstruction: undefined,
      instructionFileText: undefined,
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({
      prompt: 'Conversation so far:\n- kailai: Hello\n\nYour task:\nWhat do you suggest?',
      systemFlag: undefined,
    });
  });

  it('7.3 is the task alone when there is only a message', () => {
    const output = assembler.assemble({
      contextMessages: [],
      currentMessage: 'Hello Gemini',
      teamTask: null,
      systemInstruction: undefined,
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({ prompt: 'Your task:\nHello Gemini', systemFlag: undefined });
  });
});

describe('002 §6 Conversation so far section', () => {
  it('formats messages as "- from: content", one below the other, without addressees', () => {
    const contextMessages = [
      { from: 'kailai', to: 'nobody-reads-this', content: 'Hello: there' },
      { from: 'max', content: 'Hi\nand a second line' },
    ];
    expect(assemble({ contextMessages }).prompt).toBe(
      'Conversation so far:\n- kailai: Hello: there\n- max: Hi\nand a second line',
    );
  });
});

describe('002 §9.1 empty input', () => {
  const contextMessages = [{ from: 'kailai', to: 'carol', content: 'Hi' }];

  it.each([
    ['Instructions when systemInstruction is undefined', { currentMessage: 'M' }, 'Your task:\nM'],
    [
      'nothing else when only instructionFileText is undefined',
      { systemInstruction: 'S', currentMessage: 'M' },
      'Instructions:\nS\n\nYour task:\nM',
    ],
    [
      'Conversation so far when contextMessages is empty',
      { teamTask: 'T', currentMessage: 'M' },
      'Team Task:\nT\n\nYour task:\nM',
    ],
    ['Your task when currentMessage is empty', { contextMessages }, 'Conversation so far:\n- kailai: Hi'],
    ['Team Task when teamTask is null', { teamTask: null, currentMessage: 'M' }, 'Your task:\nM'],
    ['Team Task when teamTask is white space', { teamTask: ' \n', currentMessage: 'M' }, 'Your task:\nM'],
    ['everything when all sections are empty', {}, ''],
  ])('omits %s', (_case, fields, prompt) => {
    expect(assemble(fields)).toStrictEqual({ prompt, systemFlag: undefined });
  });
});

describe('002 §9.2 special characters', () => {
  it.each([
    ['newlines', 'line 1\nline 2\n\n  line 4'],
    ['colons, even those of a title', 'a: b\nYour task:\nInstructions:'],
    ['Unicode', '你好 👩‍💻 é'],
  ])('preserves %s', (_case, text) => {
    expect(
      assemble({
        contextMessages: [{ from: 'kailai', content: text }],
        currentMessage: text,
        teamTask: text,
        systemInstruction: text,
      }).prompt,
    ).toBe(
      `Instructions:\n${text}\n\nTeam Task:\n${text}\n\nConversation so far:\n- kailai: ${text}\n\nYour task:\n${text}`,
    );
  });
});

describe('002 §5.2 and §9.3 byte budget', () => {
  const full = {
    contextMessages: [
      { from: 'a', content: 'oldest' },
      { from: 'a', content: 'newest' },
    ],
    currentMessage: 'Go on',
    teamTask: 'Build it',
    systemInstruction: 'You are Carol',
  };
  const head = 'Instructions:\nYou are Carol\n\nTeam Task:\nBuild it\n\n';
  const whole = `${head}Conversation so far:\n- a: oldest\n- a: newest\n\nYour task:\nGo on`;

  it('returns the prompt unchanged when it takes exactly the budget', () => {
    expect(assemble({ ...full, maxBytes: whole.length })).toStrictEqual({
      prompt: whole,
      systemFlag: undefined,
    });
  });

  it('trims the oldest context message first', () => {
    expect(assemble({ ...full, maxBytes: whole.length - 1 })).toStrictEqual({
      prompt: `${head}Conversation so far:\n- a: newest\n\nYour task:\nGo on`,
      systemFlag: undefined,
      trim: { droppedMessages: 1, cutBytes: 0, sections: { system: 27, task: 19, context: 32, message: 16 } },
    });
  });

  it('preserves Instructions and Team Task when all context has to go', () => {
    const prompt = `${head}Your task:\nGo on`;
    expect(assemble({ ...full, maxBytes: prompt.length })).toStrictEqual({
      prompt,
      systemFlag: undefined,
      trim: { droppedMessages: 2, cutBytes: 0, sections: { system: 27, task: 19, context: 0, message: 16 } },
    });
  });

  it('truncates Your task as the last resort, and says how much (decision 7)', () => {
    const prompt = `${head}Your task:\n${'x'.repeat(100)}\n[… 900 bytes cut]`;
    const maxBytes = Buffer.byteLength(prompt);
    expect(assemble({ ...full, currentMessage: 'x'.repeat(1000), maxBytes })).toStrictEqual({
      prompt,
      systemFlag: undefined,
      trim: {
        droppedMessages: 2,
        cutBytes: 900,
        sections: { system: 27, task: 19, context: 0, message: 131 },
      },
    });
  });
});
