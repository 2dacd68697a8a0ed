import { describe, expect, it } from 'vitest';
import { type AssemblerInput, ClaudeContextAssembler } from '../../../src/index.js';
import { inputOf, ROOMY } from './samples.js';

const assembler = new ClaudeContextAssembler();

function assemble(fields: Partial<AssemblerInput>) {
  return assembler.assemble(inputOf(fields));
}

describe('001 §3.2 getAgentType', () => {
  it('returns claude-code', () => {
    expect(assembler.getAgentType()).toBe('claude-code');
  });
});

describe('001 §5.1 buildSystemFlag', () => {
  it.each([
    ['is undefined when both are undefined', undefined, undefined, undefined],
    ['is the systemInstruction alone', 'You are Max', undefined, 'You are Max'],
    ['is the instructionFileText alone', undefined, 'Always be helpful', 'Always be helpful'],
    ['joins both by a blank line', 'You are Max', 'Always be helpful', 'You are Max\n\nAlways be helpful'],
    ['ignores a systemInstruction of white space', '  ', 'text', 'text'],
    ['ignores an instructionFileText of white space', 'text', ' \n\t', 'text'],
    ['is undefined when both are white space', '  ', '\n', undefined],
    ['trims both', '  You are Max\n', '\n Be brief ', 'You are Max\n\nBe brief'],
  ])('%s', (_case, systemInstruction, instructionFileText, systemFlag) => {
    expect(assemble({ currentMessage: 'Hi', systemInstruction, instructionFileText })).toStrictEqual({
      prompt: '[MESSAGE]\nHi',
      systemFlag,
    });
  });
});

describe('001 §6 output examples', () => {
  it('6.1 produces the correct format with all sections, the system text apart', () => {
    const output = assembler.assemble({
      contextMessages: [
        { from: 'kailai', to: 'max', content: 'Hi, please help design a feature' },
        { from: 'max', to: 'sarah', content: 'I suggest using a microservice architecture' },
      ],
      currentMessage: 'What do you think about this approach?',
      teamTask: 'Design a user authentication system',
      systemInstruction: 'You are Sarah, a backend engineer',
      instructionFileText: 'Focus on security and scalability',
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({
      prompt: `[TEAM_TASK]
Design a user authentication system

[CONTEXT]
- kailai -> max: Hi, please help design a feature
- max -> sarah: I suggest using a microservice architecture

[MESSAGE]
What do you think about this approach?`,
      systemFlag: `You are Sarah, a backend engineer

Focus on security and scalability`,
    });
  });

  it('6.2 leaves out the task and the context when there are none', () => {
    const output = assembler.assemble({
      contextMessages: [],
      currentMessage: 'Hello',
      teamTask: null,
      systemInstruction: 'You are Max',
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({ prompt: '[MESSAGE]\nHello', systemFlag: 'You are Max' });
  });

  it('6.3 has no system flag without instructions', () => {
    const output = assembler.assemble({
      contextMessages: [],
      currentMessage: 'Hello',
      teamTask: 'Build a feature',
      systemInstruction: undefined,
      instructionFileText: undefined,
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({
      prompt: '[TEAM_TASK]\nBuild a feature\n\n[MESSAGE]\nHello',
      systemFlag: undefined,
    });
  });
});

describe('001 §8.1 empty input', () => {
  const context = [{ from: 'kailai', to: 'max', content: 'Hi' }];

  it.each([
    [
      '[CONTEXT] when contextMessages is empty',
      { teamTask: 'T', currentMessage: 'M' },
      '[TEAM_TASK]\nT\n\n[MESSAGE]\nM',
    ],
    [
      '[MESSAGE] when currentMessage is empty',
      { teamTask: 'T', contextMessages: context },
      '[TEAM_TASK]\nT\n\n[CONTEXT]\n- kailai -> max: Hi',
    ],
    [
      '[MESSAGE] when currentMessage is white space',
      { teamTask: 'T', currentMessage: ' \n' },
      '[TEAM_TASK]\nT',
    ],
    ['[TEAM_TASK] when teamTask is null', { teamTask: null, currentMessage: 'M' }, '[MESSAGE]\nM'],
    ['[TEAM_TASK] when teamTask is white space', { teamTask: '  ', currentMessage: 'M' }, '[MESSAGE]\nM'],
    ['everything when all sections are empty', {}, ''],
  ])('omits %s', (_case, fields, prompt) => {
    expect(assemble(fields)).toStrictEqual({ prompt, systemFlag: undefined });
  });
});

describe('001 §8.2 special characters', () => {
  it.each([
    ['newlines', 'line 1\nline 2\n\n  line 4'],
    ['square brackets, even those of a title', 'a [b] c\n[MESSAGE]\n[CONTEXT]'],
    ['Unicode', '你好 👩‍💻 é'],
    ['characters of shells and markup', '<b>"&\'$(x)`</b> \\n'],
  ])('preserves %s', (_case, text) => {
    expect(
      assemble({
        contextMessages: [{ from: 'kailai', to: 'max', content: text }],
        currentMessage: text,
        teamTask: text,
        systemInstruction: text,
      }),
    ).toStrictEqual({
      prompt: `[TEAM_TASK]\n${text}\n\n[CONTEXT]\n- kailai -> max: ${text}\n\n[MESSAGE]\n${text}`,
      systemFlag: text,
    });
  });
});

describe('001 §5.2 and §8.3 byte budget', () => {
  const contextMessages = [
    { from: 'a', to: 'b', content: 'oldest' },
    { from: 'a', to: 'b', content: 'middle' },
    { from: 'a', to: 'b', content: 'newest' },
  ];
  const full = {
    contextMessages,
    currentMessage: 'Go on',
    teamTask: 'Build it',
    systemInstruction: 'You are Max',
  };
  const whole =
    '[TEAM_TASK]\nBuild it\n\n[CONTEXT]\n- a -> b: oldest\n- a -> b: middle\n- a -> b: newest\n\n[MESSAGE]\nGo on';
  const wholeBytes = whole.length + 'You are Max'.length;

  it('returns the prompt unchanged when it takes exactly the budget, system flag included', () => {
    expect(assemble({ ...full, maxBytes: wholeBytes })).toStrictEqual({
      prompt: whole,
      systemFlag: 'You are Max',
    });
  });

  it('trims the oldest context message first', () => {
    expect(assemble({ ...full, maxBytes: wholeBytes - 1 })).toStrictEqual({
      prompt: '[TEAM_TASK]\nBuild it\n\n[CONTEXT]\n- a -> b: middle\n- a -> b: newest\n\n[MESSAGE]\nGo on',
      systemFlag: 'You are Max',
      trim: {
        droppedMessages: 1,
        cutBytes: 0,
        sections: { system: 11, task: 20, context: 43, message: 15 },
      },
    });
  });

  it('preserves task, message and system flag when all context has to go', () => {
    const prompt = '[TEAM_TASK]\nBuild it\n\n[MESSAGE]\nGo on';
    expect(assemble({ ...full, maxBytes: prompt.length + 11 })).toStrictEqual({
      prompt,
      systemFlag: 'You are Max',
      trim: { droppedMessages: 3, cutBytes: 0, sections: { system: 11, task: 20, context: 0, message: 15 } },
    });
  });

  it('cuts the end of the message only when no context is left, and says how much (decision 7)', () => {
    const currentMessage = 'x'.repeat(500);
    const kept = `${'x'.repeat(200)}\n[… 300 bytes cut]`;
    const prompt = `[TEAM_TASK]\nBuild it\n\n[MESSAGE]\n${kept}`;
    const maxBytes = Buffer.byteLength(prompt) + 11;
    expect(assemble({ ...full, currentMessage, maxBytes })).toStrictEqual({
      prompt,
      systemFlag: 'You are Max',
      trim: {
        droppedMessages: 3,
        cutBytes: 300,
        sections: { system: 11, task: 20, context: 0, message: 230 },
      },
    });
  });
});

describe('001 §9.5 and §10 format', () => {
  it('writes history lines as "- from -> to: content"', () => {
    const contextMessages = [
      { from: 'kailai', to: 'max, sarah', content: 'Hi' },
      { from: 'max', to: 'all', content: 'Hello' },
    ];
    expect(assemble({ contextMessages }).prompt).toBe(
      '[CONTEXT]\n- kailai -> max, sarah: Hi\n- max -> all: Hello',
    );
  });

  it('separates sections by one blank line', () => {
    const contextMessages = [{ from: 'a', to: 'b', content: 'c' }];
    expect(
      assemble({ contextMessages, teamTask: 'T', currentMessage: 'M' }).prompt.split('\n\n'),
    ).toStrictEqual(['[TEAM_TASK]\nT', '[CONTEXT]\n- a -> b: c', '[MESSAGE]\nM']);
  });

  it('trims task and message at their ends only', () => {
    expect(assemble({ teamTask: '\n a\n b \n', currentMessage: ' c\n\n d ' }).prompt).toBe(
      '[TEAM_TASK]\na\n b\n\n[MESSAGE]\nc\n\n d',
    );
  });
});
