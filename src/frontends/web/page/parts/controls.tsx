import { useEffect, useState } from 'preact/hooks';
import { pageWords as words } from '../state/language.js';

interface PageButtonProps {
  readonly icon?: IconName;
  /** The name of the button; shown unless `isBare`. */
  readonly label: string;
  readonly isBare?: boolean;
  readonly kind?: 'plain' | 'primary' | 'danger';
  /** It stays where it is and keeps the focus, but does nothing. */
  readonly isOff?: boolean;
  readonly title?: string;
  readonly onClick: () => void;
}

/** A button. One that can do nothing now stays reachable, so that the focus is never lost. */
export function PageButton(props: PageButtonProps) {
  const { icon, label, isBare = false, kind = 'plain', isOff = false, title, onClick } = props;
  return (
    <button
      type="button"
      class={`button ${kind}${isBare ? ' bare' : ''}`}
      aria-label={isBare ? label : undefined}
      aria-disabled={isOff ? 'true' : undefined}
      title={title ?? (isBare ? label : undefined)}
      onClick={isOff ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {!isBare && <span>{label}</span>}
    </button>
  );
}

const SHOWN_MILLISECONDS = 2000;

interface CopyButtonProps {
  readonly text: string;
  /** Name of what is copied, where that is not plain to see: then the button is a quiet one. */
  readonly label?: string;
}

/** Puts a text into the clipboard as it is, and says whether that worked. */
export function CopyButton({ text, label }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome('copied');
    } catch {
      // Refused, or not there at all: the button says so.
      setOutcome('notCopied');
    }
  };
  return (
    <button
      type="button"
      class={label === undefined ? 'button' : 'quiet-button copy'}
      aria-label={label}
      title={label}
      onClick={copy}
    >
      {words.webLog[outcome ?? 'copy']}
    </button>
  );
}

/** Space between a button and its menu. */
const GAP = 4;

/** Puts a menu below the button that was pressed for it, wherever that is now. */
export function placeMenu(menuId: string, button: HTMLElement): void {
  const { bottom, right } = button.getBoundingClientRect();
  const style = document.getElementById(menuId)?.style;
  style?.setProperty('inset-block-start', `${bottom + GAP}px`);
  style?.setProperty('inset-inline-end', `${Math.max(GAP, document.documentElement.clientWidth - right)}px`);
}

/** Drawings on a square of 16, by strokes. */
const PATHS = {
  ask: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2c-.7.4-1.1.8-1.1 1.6M8 12.5h.01',
  back: 'M10 3 5 8l5 5',
  check: 'M3 8.5 6.5 12 13 4.5',
  close: 'M4 4l8 8M12 4l-8 8',
  fail: 'M8 3v6M8 12.5h.01',
  find: 'M7 11.5a4.5 4.5 0 1 0 0-9 4.5 4.5 0 0 0 0 9ZM10.4 10.4 14 14',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  next: 'M6 3l5 5-5 5',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  play: 'M5 3.5v9L12 8 5 3.5Z',
  plus: 'M8 3v10M3 8h10',
  retry: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5V5h-2.5',
  send: 'M8 13V3.5M4 7l4-4 4 4',
  settings: 'M2.5 5h6M11.5 5h2M2.5 11h2M7.5 11h6M10 3.5v3M6 9.5v3',
  stop: 'M4.5 4.5h7v7h-7Z',
  trash: 'M3 4.5h10M6.5 4.5v-2h3v2M4.5 4.5l.6 9h5.8l.6-9',
  work: 'M8 3a5 5 0 1 0 0 10M8 3a5 5 0 0 1 0 10ZM9.5 3.5v9M11 4.5v7M12 6v4',
  invite:
    'M6.5 7.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM2 13.5c.4-2.6 2.2-4 4.5-4s4.1 1.4 4.5 4M12.5 5v4M10.5 7h4',
} as const;

export type IconName = keyof typeof PATHS;

/** A small drawing that says nothing to those who listen: the control around it has a name. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  );
}
