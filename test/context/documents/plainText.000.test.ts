import { describe, expect, it } from 'vitest';
import { type AssemblerInput, ContextManager, PlainTextAssembler } from '../../../src/index.js';
import { createLogKeeper, inputOf, ROOMY, user } from './samples.js';

const assembler = new PlainTextAssembler();

function assemble(fields: Partial<AssemblerInput>) {
  return assembler.assemble(inputOf(fields));
}

describe('000 §3.2 getAgentType', () => {
  it('returns unknown', () => {
    expect(assembler.getAgentType()).toBe('unknown');
  });
});

describe('000 §5.1 system body', () => {
  it.each([
    ['is systemInstruction without a title', 'You are a tutor', undefined, 'You are a tutor\n\n'],
    ['is instructionFileText without a title', undefined, 'Be brief', 'Be brief\n\n'],
    ['joins both by a blank line', 'You are a tutor', 'Be brief', 'You are a tutor\n\nBe brief\n\n'],
    ['trims both', '\nYou are a tutor ', ' Be brief\n', 'You are a tutor\n\nBe brief\n\n'],
    ['is left out when both are undefined', undefined, undefined, ''],
    ['is left out when both are white space', ' ', '\n', ''],
  ])('%s', (_case, systemInstruction, instructionFileText, body) => {
    expect(assemble({ currentMessage: 'Hi', systemInstruction, instructionFileText })).toStrictEqual({
      prompt: `${body}Hi`,
      systemFlag: undefined,
    });
  });
});

describe('000 §6 output examples', () => {
  it('6.1 produces plain text without titles, parts joined by blank lines', () => {
    const output = assembler.assemble({
      contextMessages: [
        { from: 'kailai', to: 'agent', content: 'Hello, how are you?' },
        { from: 'max', to: 'agent', content: 'I am doing well, thanks!' },
      ],
      currentMessage: 'What can you help me with?',
      teamTask: 'Assist with general questions',
      systemInstruction: 'You are a helpful assistant',
      instructionFileText: 'Be concise and friendly',
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({
      prompt: `You are a helpful assistant

Be concise and friendly

Assist with general questions

kailai: Hello, how are you?
max: I am doing well, thanks!

What can you help me with?`,
      systemFlag: undefined,
    });
  });

  it('6.2 is the message alone when there is nothing else', () => {
    const output = assembler.assemble({
      contextMessages: [],
      currentMessage: 'Hello',
      teamTask: null,
      systemInstruction: undefined,
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({ prompt: 'Hello', systemFlag: undefined });
  });

  it('6.3 is system instruction and message', () => {
    const output = assembler.assemble({
      contextMessages: [],
      currentMessage: 'What is 2+2?',
      teamTask: null,
      systemInstruction: 'You are a math tutor',
      maxBytes: ROOMY,
    });
    expect(output).toStrictEqual({ prompt: 'You are a math tutor\n\nWhat is 2+2?', systemFlag: undefined });
  });
});

describe('000 §7 context message format', () => {
  it('outputs contextMessages as "from: content" and omits to', () => {
    const contextMessages = [
      { from: 'kailai', to: 'nobody-reads-this', content: 'Hello' },
      { from: 'max', content: 'Hi\nand a second line' },
    ];
    expect(assemble({ contextMessages }).prompt).toBe('kailai: Hello\nmax: Hi\nand a second line');
  });
});

describe('000 §8 and §10.5 fallback of ContextManager', () => {
  it('produces valid output for an unknown agentType', () => {
    const manager = new ContextManager({ logger: {} });
    manager.addMessage({ content: 'Hello', speaker: user });
    manager.addMessage({ content: 'What is 2+2?', speaker: user });
    const input = manager.getContextForAgent('tutor', 'custom-agent', {
      systemInstruction: 'You are a tutor',
    });
    expect(manager.assemblePrompt('custom-agent', input)).toStrictEqual({
      prompt: 'You are a tutor\n\nUser: Hello\n\nWhat is 2+2?',
      systemFlag: undefined,
    });
  });

  it('logs the warning for an unknown agentType in the words of 003 §4.11', () => {
    const logger = createLogKeeper();
    new ContextManager({ logger }).assemblePrompt('custom-agent', inputOf({ currentMessage: 'Hi' }));
    expect(logger.lines).toStrictEqual([
      'warn: [ContextManager] Unknown agentType "custom-agent" (normalized: "custom-agent"), using PlainTextAssembler',
    ]);
  });

  it('serves command members without a warning (decision 1)', () => {
    const logger = createLogKeeper();
    const input = inputOf({ currentMessage: 'Hi', systemInstruction: 'You are a script' });
    expect(new ContextManager({ logger }).assemblePrompt('command', input)).toStrictEqual(
      assembler.assemble(input),
    );
    expect(logger.lines).toStrictEqual([]);
  });
});

describe('000 §9.1 empty input', () => {
  const contextMessages = [{ from: 'kailai', content: 'Hi' }];

  it.each([
    [
      'the system body when both instructions are undefined',
      { teamTask: 'T', currentMessage: 'M' },
      'T\n\nM',
    ],
    ['the context when it is an empty array', { systemInstruction: 'S', currentMessage: 'M' }, 'S\n\nM'],
    ['the message when it is an empty string', { teamTask: 'T', contextMessages }, 'T\n\nkailai: Hi'],
    ['the message when it is white space', { teamTask: 'T', currentMessage: ' \n ' }, 'T'],
    ['the task when it is null', { contextMessages, currentMessage: 'M' }, 'kailai: Hi\n\nM'],
    ['the task when it is white space', { teamTask: ' ', currentMessage: 'M' }, 'M'],
    ['everything when all parts are empty', {}, ''],
  ])('omits %s', (_case, fields, prompt) => {
    expect(assemble(fields)).toStrictEqual({ prompt, systemFlag: undefined });
  });
});

describe('000 §9.2 special characters', () => {
  it.each([
    ['newlines and blank lines', 'line 1\nline 2\n\n\nline 5'],
    ['runs of spaces and indentation', 'a   b\n    c\td'],
    ['special characters', '<b>"&\'$(x)`[NEXT]</b> \\n \u0000'],
    ['Unicode', '你好 👩‍💻 é'],
  ])('preserves %s', (_case, text) => {
    const fields = {
      contextMessages: [{ from: 'kailai', content: text }],
      currentMessage: text,
      teamTask: text,
    };
    expect(assemble(fields).prompt).toBe(`${text}\n\nkailai: ${text}\n\n${text}`);
  });
});

describe('000 §9.3 byte budget', () => {
  const full = {
    contextMessages: [
      { from: 'a', content: 'oldest' },
      { from: 'a', content: 'newest' },
    ],
    currentMessage: 'Go on',
    teamTask: 'Build it',
    systemInstruction: 'You help',
  };
  const whole = 'You help\n\nBuild it\n\na: oldest\na: newest\n\nGo on';

  it('returns the prompt unchanged when it takes exactly the budget', () => {
    expect(assemble({ ...full, maxBytes: whole.length })).toStrictEqual({
      prompt: whole,
      systemFlag: undefined,
    });
  });

  it('trims the oldest context message first', () => {
    expect(assemble({ ...full, maxBytes: whole.length - 1 })).toStrictEqual({
      prompt: 'You help\n\nBuild it\n\na: newest\n\nGo on',
      systemFlag: undefined,
      trim: { droppedMessages: 1, cutBytes: 0, sections: { system: 8, task: 8, context: 9, message: 5 } },
    });
  });

  it('preserves system body and team task, and cuts the message last (decision 7)', () => {
    const prompt = `You help\n\nBuild it\n\n${'x'.repeat(64)}\n[… 936 bytes cut]`;
    const maxBytes = Buffer.byteLength(prompt);
    expect(assemble({ ...full, currentMessage: 'x'.repeat(1000), maxBytes })).toStrictEqual({
      prompt,
      systemFlag: undefined,
      trim: { droppedMessages: 2, cutBytes: 936, sections: { system: 8, task: 8, context: 0, message: 84 } },
    });
  });
});
