import { useRef } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import type { LogItem } from './logItems.js';

interface FollowButtonProps {
  /** Number of the latest event that has a row. */
  readonly latest: number;
  readonly items: readonly LogItem[];
  readonly isAtEnd: boolean;
  readonly onFollow: () => void;
}

/** The way back to the end, with the number of rows that came since it was left. */
export function FollowButton({ latest, items, isAtEnd, onFollow }: FollowButtonProps) {
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
