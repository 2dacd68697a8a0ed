import { useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { estimateHeight } from './estimateHeight.js';
import { FollowButton } from './FollowButton.js';
import { LogRow } from './LogRow.js';
import { LogContext, type LogView } from './LogView.js';
import { type LogItem, listItems, withRunning } from './logItems.js';
import { OlderRows } from './OlderRows.js';
import { useSizeChange } from './useSizeChange.js';
import { useTarget } from './useTarget.js';
import { useVirtualizer } from './useVirtualizer.js';
import './log.css';

/** Rows above and below those in view: their texts are read before they are seen. */
const ROWS_AHEAD = 6;
/** The end is in view if no more than this is below it. */
const END_PIXELS = 8;
/** The line above the oldest row. */
const HEAD_PIXELS = 36;

/** The messages of a conversation and what runs in it. Follows the end only when that is in view. */
export function Log({ conversation }: { readonly conversation: OpenConversation }) {
  const view = useMemo<LogView>(() => ({ conversation, unfolded: new Map() }), [conversation]);
  const rows = conversation.rows.value;
  const { turns } = conversation.telling.value;
  const recorded = useMemo(() => listItems(rows), [rows]);
  const items = useMemo(() => withRunning(recorded, turns), [recorded, turns]);
  const scroller = useRef<HTMLDivElement>(null);
  const [widths, setWidths] = useState(0);
  const width = useRef(0);
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => scroller.current,
    getItemKey: useMemo(() => (index: number) => items[index]?.key ?? index, [items, widths]),
    estimateSize: (index) => estimateHeight(items[index], width.current),
    overscan: ROWS_AHEAD,
    anchorTo: 'end',
    followOnAppend: true,
    scrollEndThreshold: END_PIXELS,
    paddingStart: HEAD_PIXELS,
  });
  width.current = virtualizer.scrollRect?.width ?? 0;
  useSizeChange(scroller, virtualizer, widths, () => setWidths((count) => count + 1));
  useLayoutEffect(() => virtualizer.scrollToEnd(), [virtualizer, conversation]);
  useTarget(conversation, items, virtualizer);
  const shown = virtualizer.getVirtualItems();
  return (
    <LogContext.Provider value={view}>
      <div class="log-frame">
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must do so by keys as well. */}
        <div class="log" role="log" aria-live="off" aria-label={words.webLog.log} tabIndex={0} ref={scroller}>
          <div class="rows" style={{ height: `${virtualizer.getTotalSize()}px` }}>
            <OlderRows isNear={shown[0]?.index === 0} />
            <div class="shown" style={{ transform: `translateY(${shown[0]?.start ?? 0}px)` }}>
              {shown.map(({ index, key }) => {
                const item = items[index];
                if (item === undefined) return null;
                return (
                  <div key={key} class="row-place" data-index={index} ref={virtualizer.measureElement}>
                    <LogRow item={item} isTarget={isAt(item, conversation.target.value)} />
                  </div>
                );
              })}
            </div>
          </div>
          <FollowButton
            latest={rows.at(-1)?.seq ?? 0}
            items={recorded}
            isAtEnd={virtualizer.isAtEnd()}
            onFollow={() => virtualizer.scrollToEnd()}
          />
        </div>
      </div>
    </LogContext.Provider>
  );
}

function isAt(item: LogItem, target: number | undefined): boolean {
  return item.kind !== 'running' && item.seq === target;
}
