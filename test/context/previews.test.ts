import { describe, expect, it } from 'vitest';
import { ContextManager } from '../../src/context/ContextManager.js';

const max = { roleId: 'max', roleName: 'max', type: 'ai' } as const;

describe('a message that is previewed before it is added', () => {
  it('is the one that is added, and shown without its markers', () => {
    const context = new ContextManager();
    const preview = context.previewMessage({ content: 'Done. [NEXT: sarah]', speaker: max });
    expect(context.addMessage(preview)).toStrictEqual(preview);
    expect(context.getMessages()).toStrictEqual([preview]);
    expect(context.getContextForAgent('sarah', 'claude').currentMessage).toBe('Done.');
  });

  it('is read after it was repaired, since its parts may have come together', () => {
    const context = new ContextManager();
    const content = '\ud83d[NEXT: sarah]\ude00';
    context.addMessage(context.previewMessage({ content, speaker: max }));
    expect(context.getContextForAgent('sarah', 'claude').currentMessage).toBe('\ufffd\ufffd');
  });

  it('changes nothing about another one that is added in its place', () => {
    const context = new ContextManager();
    const preview = context.previewMessage({ content: 'Never said.', speaker: max });
    const added = context.addMessage({ content: 'Said. [NEXT: sarah]', speaker: max });
    expect(added.id).toBe(preview.id);
    expect(context.getContextForAgent('sarah', 'claude').currentMessage).toBe('Said.');
  });
});
