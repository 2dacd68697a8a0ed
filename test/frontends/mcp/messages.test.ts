import { expect, test } from 'vitest';
import { addressMessage } from '../../../src/frontends/mcp/Asks.js';

test('the marker stands behind plain text, and before what could swallow it or come first', () => {
  expect(addressMessage('Where?', [])).toBe('Where?');
  expect(addressMessage('Where?', ['max', 'carol'])).toBe('Where?\n\n[NEXT: max, carol]');
  for (const message of ['```\ncode', '~~~', '<!-- x', '[NEXT: carol] x', '@carol x', '【NEXT：carol】'])
    expect(addressMessage(message, ['max'])).toBe(`[NEXT: max] ${message}`);
});
