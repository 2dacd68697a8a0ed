import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusComposer } from '../state/composing.js';

/** A part of a panel that may go away while it has the focus: then the panel has it, or without one the composer. */
export function useFocusKept<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const shown = part.current;
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(focusPanel);
    };
  }, []);
  return part;
}

function focusPanel(): void {
  const panel = document.querySelector<HTMLElement>('[data-region="panel"]');
  if (panel === null) focusComposer();
  else panel.focus();
}
