import type { Virtualizer } from '@tanstack/virtual-core';
import { useEffect, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { LogRow } from './LogRow.js';
import { estimateHeight, type LogItem, listItems, withRunning } from './logItems.js';
import { LogContext, type LogView, useLogView } from './rowParts.js';
import { useSizeChange, useVirtualizer } from './useVirtualizer.js';
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

/** Loads older rows when the oldest one comes near, and says so above it. */
function OlderRows({ isNear }: { readonly isNear: boolean }) {
  const { conversation } = useLogView();
  const [refusal, setRefusal] = useState('');
  const oldest = conversation.rows.value[0]?.seq;
  const load = () => {
    setRefusal('');
    conversation.loadOlder().catch((error: Error) => setRefusal(error.message));
  };
  useEffect(() => {
    if (isNear && conversation.hasOlder.value) load();
  }, [isNear, oldest]);
  if (!conversation.hasOlder.value) return null;
  if (refusal === '') return <p class="older">{words.webLog.loadingOlder}</p>;
  return (
    <p class="older" role="alert">
      {words.webLog.notLoaded(refusal)}{' '}
      <button type="button" class="quiet-button" onClick={load}>
        {words.webLog.tryAgain}
      </button>
    </p>
  );
}

interface FollowButtonProps {
  /** Number of the latest event that has a row. */
  readonly latest: number;
  readonly items: readonly LogItem[];
  readonly isAtEnd: boolean;
  readonly onFollow: () => void;
}

/** The way back to the end, with the number of rows that came since it was left. */
function FollowButton({ latest, items, isAtEnd, onFollow }: FollowButtonProps) {
  const seen = useRef(latest);
  if (isAtEnd) seen.current = latest;
  if (isAtEnd) return null;
  const count = countAfter(items, seen.current);
  return (
    <div class="follow">
      <button type="button" onClick={onFollow}>
        {count === 0 ? words.webLog.toEnd : words.webLog.newRows(count)}
      </button>
    </div>
  );
}

function countAfter(items: readonly LogItem[], seq: number): number {
  const first = items.findLastIndex((item) => item.kind === 'running' || item.seq <= seq);
  return items.length - 1 - first;
}

/** As many as the server gives at once: what is looked for may be far up. */
const ROWS_AT_ONCE = 500;

/** Brings the row that is asked for into view; rows that are not there yet are loaded. */
function useTarget(
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
