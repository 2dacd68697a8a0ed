import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { MoreButton } from './MoreButton.js';

interface GraduallyProps<Item> {
  readonly items: readonly Item[];
  /** Number that is shown at first, and more of at every wish for more. */
  readonly most: number;
  readonly show: (item: Item) => ComponentChildren;
}

/** The rows of a list that may be long: some of them, and a button for more. */
export function Gradually<Item>({ items, most, show }: GraduallyProps<Item>) {
  const [shown, setShown] = useState(most);
  const hidden = items.length - shown;
  return (
    <>
      {items.slice(0, shown).map(show)}
      {hidden > 0 && (
        <li>
          <MoreButton
            label={words.webPanels.more(formatNumber(hidden))}
            // Ten times as many, so that the end is a few clicks away.
            onClick={() => setShown(shown * 10)}
          />
        </li>
      )}
    </>
  );
}
