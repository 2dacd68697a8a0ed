import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusComposer } from '../state/composing.js';

/** A part of the page that may go away while it has the focus: then the focus goes to the composer. */
export function useFocusReturn<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const shown = part.current;
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(focusComposer);
    };
  }, []);
  return part;
}
