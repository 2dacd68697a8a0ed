import { expect, test } from 'vitest';
import { ContextManager } from '../../src/context/ContextManager.js';
import { utf8Length } from '../../src/utils/bytes.js';

test('a very long message of the history is the same in every prompt, whole or not at all', () => {
  const context = new ContextManager({ maxBytes: 1024 * 1024 });
  const speaker = { roleId: 'max', roleName: 'max', type: 'ai' } as const;
  const long = '很长 line of text\n'.repeat(20_000).trim();
  for (const content of [long, 'And now?']) context.addMessage({ content, speaker });
  const prompts = [1024 * 1024, 1024 * 1024, 10_000].map((maxBytesOverride) => {
    const input = context.getContextForAgent('sarah', 'codex', { maxBytesOverride });
    return context.assemblePrompt('codex', input).prompt;
  });
  expect(prompts[0] === prompts[1]).toBe(true);
  expect(prompts[0]?.includes(long)).toBe(true);
  expect(utf8Length(prompts[2] ?? '')).toBeLessThan(200);
  expect(prompts[2]).toContain('And now?');
});
