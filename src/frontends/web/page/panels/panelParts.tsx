import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { useFocusKept } from '../parts/useFocus.js';
import { explainRefusal } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, go } from '../state/place.js';
import { panelWords as words } from './panelWords.js';

/** Properties of a panel: the conversation beside it, and the turn it is about if the address names one. */
export interface PanelProps {
  readonly conversation: OpenConversation;
  readonly turn?: string;
}

/** The content of a panel. A link in it may lead to another content: the focus then stays in the panel. */
export function PanelContent({ children }: { readonly children: ComponentChildren }) {
  const content = useFocusKept<HTMLDivElement>();
  return (
    <div ref={content} class="panel-content">
      {children}
    </div>
  );
}

/** The answer to a question as far as it has come. What was shown stays while it is asked again. */
interface Answer<Value> {
  readonly value?: Value;
  readonly error?: unknown;
  readonly retry: () => void;
}

/**
 * Asks when the panel is shown, and again when `version` changes. With another `key` it is another question, and the answer
 * before is gone.
 */
export function useAnswer<Value>(
  key: string,
  version: number,
  ask: (signal: AbortSignal) => Promise<Value>,
): Answer<Value> {
  const [shown, setShown] = useState<{ key: string; value?: Value; error?: unknown }>({ key });
  const [tries, setTries] = useState(0);
  const asking = useRef(ask);
  asking.current = ask;
  useEffect(() => {
    const abort = new AbortController();
    asking.current(abort.signal).then(
      (value) => !abort.signal.aborted && setShown({ key, value }),
      (error: unknown) => !abort.signal.aborted && setShown({ key, error }),
    );
    return () => abort.abort();
  }, [key, version, tries]);
  const retry = useCallback(() => {
    setShown({ key });
    setTries((count) => count + 1);
  }, [key]);
  return shown.key === key ? { ...shown, retry } : { retry };
}

/** The place of an answer that is not there: it is being loaded, or could not be. */
export function Pending({ error, retry }: Answer<unknown>) {
  const { loading, tryAgain } = words.webPanels;
  if (error === undefined)
    return (
      <p class="panel-note" role="status">
        {loading}
      </p>
    );
  return (
    <div class="panel-note" role="alert">
      <p>{explainRefusal(error)}</p>
      <MoreButton label={tryAgain} onClick={retry} />
    </div>
  );
}

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

/** A button that shows more, or asks again, and goes away then. */
export function MoreButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  const button = useFocusKept<HTMLButtonElement>();
  return (
    <button ref={button} type="button" class="button" onClick={onClick}>
      {label}
    </button>
  );
}

interface ScrollAreaProps {
  readonly class: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A part that scrolls by itself. It can be reached with the keyboard, else nobody could scroll it so. */
export function ScrollArea({ class: name, label, children }: ScrollAreaProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys scroll only what has the focus.
    <section class={name} aria-label={label} tabIndex={0}>
      {children}
    </section>
  );
}

/** Does something in the conversation. A panel that covers it, as on a narrow screen, is closed first. */
export function inConversation(conversation: string, act: () => void): void {
  const isCovered = document.querySelector('main.conversation')?.checkVisibility() !== true;
  if (!isCovered) {
    act();
    return;
  }
  go(formatPlace({ conversation }));
  // What is not shown yet takes no focus, and does not scroll.
  requestAnimationFrame(() => requestAnimationFrame(act));
}
