import type { ComponentChildren } from 'preact';
import { Icon, type IconName } from './Icon.js';

interface PageButtonProps {
  readonly icon?: IconName;
  /** The name of the button; shown unless `isBare`. */
  readonly label: string;
  readonly isBare?: boolean;
  readonly kind?: 'plain' | 'primary' | 'danger';
  /** It stays where it is and keeps the focus, but does nothing. */
  readonly isOff?: boolean;
  readonly title?: string;
  readonly children?: ComponentChildren;
  readonly onClick: () => void;
}

/** A button. One that can do nothing now stays reachable, so that the focus is never lost. */
export function PageButton(props: PageButtonProps) {
  const { icon, label, isBare = false, kind = 'plain', isOff = false, title, children, onClick } = props;
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
      {children}
    </button>
  );
}
