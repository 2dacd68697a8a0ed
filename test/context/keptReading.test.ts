import { describe, expect, it } from 'vitest';
import { ContextManager } from '../../src/context/ContextManager.js';
import { cleanMessage } from '../../src/markers/parseMessage.js';

const max = { roleId: 'max', roleName: 'max', type: 'ai' } as const;

/** What a member is shown of a message that was read before it was added. */
function shown(content: string, cleanContent: string): string {
  const context = new ContextManager();
  context.addMessage(context.previewMessage({ content, speaker: max }, { cleanContent }));
  return context.getContextForAgent('sarah', 'claude').currentMessage;
}

describe('a message that was read before it is added', () => {
  it('is not read again', () => {
    expect(shown('Done. [NEXT: sarah]', 'As it was read.')).toBe('As it was read.');
  });

  it('is read again when it had to be repaired, since its parts may have come together', () => {
    const content = '\ud83d[NEXT: sarah]\ude00';
    expect(shown(content, cleanMessage(content, 'ai'))).toBe('\ufffd\ufffd');
  });

  it('leaves its reading to no other message', () => {
    const context = new ContextManager();
    context.previewMessage({ content: 'Never said.', speaker: max }, { cleanContent: 'Never said.' });
    context.addMessage({ content: 'Said. [NEXT: sarah]', speaker: max });
    expect(context.getContextForAgent('sarah', 'claude').currentMessage).toBe('Said.');
  });
});
