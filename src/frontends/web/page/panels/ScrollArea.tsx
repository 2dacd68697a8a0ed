import type { ComponentChildren } from 'preact';

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
