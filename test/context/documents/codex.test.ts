import { describe, expect, it } from 'vitest';
import { type AssemblerInput, CodexContextAssembler, ContextManager } from '../../../src/index.js';
import { createLogKeeper, inputOf } from './samples.js';

const assembler = new CodexContextAssembler();

function assemble(fields: Partial<AssemblerInput>) {
  return assembler.assemble(inputOf(fields));
}

const full = {
  contextMessages: [
    { from: 'kailai', to: 'max', content: 'Hi, please help design a feature' },
    { from: 'max', to: 'sarah', content: 'I suggest using a microservice architecture' },
  ],
  currentMessage: 'What do you think about this approach?',
  teamTask: 'Design a user authentication system',
  systemInstruction: 'You are Sarah, a backend engineer',
  instructionFileText: 'Focus on security and scalability',
};

describe('the Codex format, as the comparison tables and decision 1 have it', () => {
  it('is of type openai-codex', () => {
    expect(assembler.getAgentType()).toBe('openai-codex');
  });

  it('has all sections in brackets, the system text among them, and no system flag', () => {
    expect(assemble(full)).toStrictEqual({
      prompt: `[SYSTEM]
You are Sarah, a backend engineer

Focus on security and scalability

[TEAM_TASK]
Design a user authentication system

[CONTEXT]
- kailai -> max: Hi, please help design a feature
- max -> sarah: I suggest using a microservice architecture

[MESSAGE]
What do you think about this approach?`,
      systemFlag: undefined,
    });
  });

  it('carries the role text exactly once', () => {
    const { prompt, systemFlag } = assemble(full);
    expect(prompt.split('You are Sarah')).toHaveLength(2);
    expect(systemFlag).toBeUndefined();
  });

  it('writes all for a message without addressee (decision 9)', () => {
    expect(assemble({ contextMessages: [{ from: 'max', content: 'Hi' }] }).prompt).toBe(
      '[CONTEXT]\n- max -> all: Hi',
    );
  });

  it.each([
    ['[SYSTEM] without instructions', { currentMessage: 'M' }, '[MESSAGE]\nM'],
    [
      '[SYSTEM] of white space',
      { systemInstruction: ' ', instructionFileText: '\n', currentMessage: 'M' },
      '[MESSAGE]\nM',
    ],
    [
      '[TEAM_TASK] without a task',
      { systemInstruction: 'S', currentMessage: 'M' },
      '[SYSTEM]\nS\n\n[MESSAGE]\nM',
    ],
    ['[CONTEXT] without messages', { teamTask: 'T', currentMessage: 'M' }, '[TEAM_TASK]\nT\n\n[MESSAGE]\nM'],
    ['[MESSAGE] without a message', { instructionFileText: 'F' }, '[SYSTEM]\nF'],
    ['everything when all is empty', {}, ''],
  ])('omits %s', (_case, fields, prompt) => {
    expect(assemble(fields)).toStrictEqual({ prompt, systemFlag: undefined });
  });

  it('drops the oldest message first and never the system text or the task', () => {
    const { prompt } = assemble(full);
    const dropped = '- kailai -> max: Hi, please help design a feature\n';
    expect(assemble({ ...full, maxBytes: prompt.length })).toStrictEqual({ prompt, systemFlag: undefined });
    expect(assemble({ ...full, maxBytes: prompt.length - 1 })).toStrictEqual({
      prompt: prompt.replace(dropped, ''),
      systemFlag: undefined,
      trim: { droppedMessages: 1, cutBytes: 0, sections: { system: 77, task: 47, context: 69, message: 48 } },
    });
  });

  it('serves acp members, without a warning', () => {
    const logger = createLogKeeper();
    const input = inputOf(full);
    expect(new ContextManager({ logger }).assemblePrompt('acp', input)).toStrictEqual(
      assembler.assemble(input),
    );
    expect(logger.lines).toStrictEqual([]);
  });
});
