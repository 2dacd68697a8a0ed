import { createContext } from 'preact';
import { useContext, useState } from 'preact/hooks';
import type { OpenConversation } from '../state/OpenConversation.js';

/** The conversation that the rows belong to, and what of them is unfolded: rows come and go while they are scrolled. */
export interface LogView {
  readonly conversation: OpenConversation;
  readonly unfolded: Map<string, boolean>;
}

export const LogContext = createContext<LogView | undefined>(undefined);

export function useLogView(): LogView {
  const view = useContext(LogContext);
  if (view === undefined) throw new Error('No log');
  return view;
}

/** Whether something is unfolded, also after its row was away. */
export function useUnfolded(
  key: string,
  isUnfoldedFirst: boolean,
): readonly [boolean, (isOpen: boolean) => void] {
  const { unfolded } = useLogView();
  const [isOpen, setOpen] = useState(unfolded.get(key) ?? isUnfoldedFirst);
  return [
    isOpen,
    (now) => {
      unfolded.set(key, now);
      setOpen(now);
    },
  ];
}
