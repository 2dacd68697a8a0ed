import type { ComponentChildren } from 'preact';
import { useUnfolded } from './LogView.js';

export interface FoldProps {
  /** By which it is known that it is open. */
  readonly name: string;
  readonly summary: ComponentChildren;
  readonly isOpenFirst?: boolean;
  /** Only made when it is open. */
  readonly children: () => ComponentChildren;
}

/** Something that is only shown when it is asked for. */
export function Fold({ name, summary, isOpenFirst = false, children }: FoldProps) {
  const [isOpen, setOpen] = useUnfolded(name, isOpenFirst);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children() : null}
    </details>
  );
}
