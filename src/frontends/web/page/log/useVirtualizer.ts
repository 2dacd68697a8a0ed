import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import type { RefObject } from 'preact';
import { useEffect, useLayoutEffect, useReducer, useRef, useState } from 'preact/hooks';

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;
type Given = Omit<Options, 'observeElementOffset' | 'observeElementRect' | 'scrollToFn'>;

/** A list of which only the rows in view are elements. Its news are painted in the frame they come in. */
export function useVirtualizer(given: Given): Virtualizer<HTMLElement, HTMLElement> {
  const [, repaint] = useReducer((count: number, _news: undefined) => count + 1, 0);
  const options: Options = {
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    ...given,
    onChange: (instance, isSync) => {
      given.onChange?.(instance, isSync);
      repaint(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}

const MOST_FRAMES = 4;

type LogVirtualizer = Virtualizer<HTMLElement, HTMLElement>;

/** A row on the screen, and how far its top is below that of the log. */
interface KeptRow {
  readonly key: string | number | bigint;
  readonly top: number;
}

/**
 * Keeps the row that is being read, or the end, in its place when the size changes. Another width changes the height of
 * every row: those that were measured before are forgotten; `changes` counts that, and `onChange` must lead to a new number.
 */
export function useSizeChange(
  scroller: RefObject<HTMLElement | null>,
  list: LogVirtualizer,
  changes: number,
  onChange: () => void,
): void {
  const kept = useRef<KeptRow | 'end'>('end');
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return undefined;
    let width = element.clientWidth;
    let seen = shapeOf(element);
    const note = () => {
      const before = seen;
      seen = shapeOf(element);
      if (element.clientWidth !== width) return;
      if (list.isAtEnd()) kept.current = 'end';
      // Only people leave the end: what comes in, or below the log, moves it without moving up.
      else if (kept.current !== 'end' || isMovedUp(before, seen)) kept.current = firstRow(list);
    };
    const observer = new ResizeObserver(() => {
      if (element.clientWidth === width) {
        // Something came below the log, or went: the end stays in view.
        if (kept.current === 'end') list.scrollToEnd();
        return;
      }
      width = element.clientWidth;
      forgetHidden(list);
      onChange();
    });
    element.addEventListener('scroll', note, { passive: true });
    observer.observe(element);
    return () => {
      element.removeEventListener('scroll', note);
      observer.disconnect();
    };
  }, [list]);
  useLayoutEffect(() => {
    if (changes === 0) return;
    settle(list, kept.current, MOST_FRAMES);
  }, [changes]);
}

/** The place of the list, and its sizes. */
type Shape = readonly [top: number, height: number, inView: number];

function shapeOf({ scrollTop, scrollHeight, clientHeight }: HTMLElement): Shape {
  return [scrollTop, scrollHeight, clientHeight];
}

/** Whether it was scrolled up, and not by a change of its sizes. */
function isMovedUp([top, ...sizes]: Shape, [newTop, ...newSizes]: Shape): boolean {
  return newTop < top && sizes.every((size, index) => size === newSizes[index]);
}

/** The first row that begins on the screen, else the one that fills it. */
function firstRow(list: LogVirtualizer): KeptRow | 'end' {
  const offset = list.scrollOffset ?? 0;
  const rows = list.getVirtualItems();
  const row = rows.find(({ start }) => start >= offset) ?? rows.find(({ end }) => end > offset);
  return row === undefined ? 'end' : { key: row.key, top: row.start - offset };
}

/** Brings a row to its place, again in the next frames: the rows that come into view by that have other heights than guessed. */
function settle(list: LogVirtualizer, row: KeptRow | 'end', frames: number): void {
  if (row === 'end') list.scrollToEnd();
  else if (frames > 0) {
    scrollTo(list, row);
    requestAnimationFrame(() => settle(list, row, frames - 1));
  }
}

/** Without a command to the list, which would hold it back from correcting heights meanwhile. */
function scrollTo(
  { options, scrollElement, getOffsetForIndex }: LogVirtualizer,
  { key, top }: KeptRow,
): void {
  const keys = Array.from({ length: options.count }, (_, index) => options.getItemKey(index));
  const offset = getOffsetForIndex(keys.indexOf(key), 'start')?.[0];
  if (offset !== undefined && scrollElement !== null) scrollElement.scrollTop = offset - top;
}

/** Heights of rows that are not there now are of the old width. */
function forgetHidden(list: LogVirtualizer): void {
  for (const key of list.itemSizeCache.keys())
    if (!list.elementsCache.has(key)) list.itemSizeCache.delete(key);
}
