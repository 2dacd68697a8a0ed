import { expect, test } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { AnswerText } from '../../../src/agents/process/AnswerText.js';
import { createRecordOutput } from '../../../src/agents/process/turnOutput.js';

const COLOURED = 'a \u001b[31mred\u001b[0m word';
const delta = (content: string) => ({ type: 'message', role: 'assistant', content, delta: true });

test.each<[string, Parameters<typeof createRecordOutput>[0], object[]]>([
  ['Gemini CLI', geminiDialect.createReader({}), [{ type: 'message', role: 'assistant', content: COLOURED }]],
  ['Gemini CLI, cut', geminiDialect.createReader({}), ['a \u001b[3', '1mred\u001b', '[0m word'].map(delta)],
  [
    'Claude Code',
    claudeDialect.createReader({}),
    [{ type: 'assistant', message: { content: [{ type: 'text', text: COLOURED }] } }],
  ],
  [
    'Codex',
    codexDialect.createReader({}),
    [{ type: 'item.completed', item: { id: '1', type: 'agent_message', text: COLOURED } }],
  ],
])('the colours of %s are not part of what it says', (_, reader, records) => {
  const output = createRecordOutput(reader, {});
  const answer = new AnswerText();
  const lines = records.map((record) => `${JSON.stringify(record)}\n`).join('');
  for (const event of [...output.push(Buffer.from(lines)), ...output.end()]) answer.add(event);
  expect(answer.draft).toBe('a red word');
});
