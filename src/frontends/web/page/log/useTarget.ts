import type { Virtualizer } from '@tanstack/virtual-core';
import { useEffect } from 'preact/hooks';
import type { OpenConversation } from '../state/OpenConversation.js';
import type { LogItem } from './logItems.js';

/** As many as the server gives at once: what is looked for may be far up. */
const ROWS_AT_ONCE = 500;

/** Brings the row that is asked for into view; rows that are not there yet are loaded. */
export function useTarget(
  conversation: OpenConversation,
  items: readonly LogItem[],
  virtualizer: Virtualizer<HTMLElement, HTMLElement>,
): void {
  const target = conversation.target.value;
  const oldest = conversation.rows.value[0]?.seq ?? 0;
  const isLoaded = target !== undefined && (oldest <= target || !conversation.hasOlder.value);
  useEffect(() => {
    if (target === undefined) return;
    // The reason is shown above the oldest row, which loads again when it comes near.
    if (!isLoaded) void conversation.loadOlder(ROWS_AT_ONCE).catch(() => undefined);
    else {
      const index = items.findIndex((item) => item.kind !== 'running' && item.seq >= target);
      if (index >= 0) virtualizer.scrollToIndex(index, { align: 'center' });
    }
  }, [target, isLoaded, oldest]);
}
