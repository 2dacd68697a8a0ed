import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusComposer, REQUEST_ID } from '../state/composing.js';

/** A part of the page that may go away while it has the focus: then the focus goes to the next request, else to the composer. */
export function useFocusReturn<Part extends HTMLElement>(): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const shown = part.current;
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(focusNext);
    };
  }, []);
  return part;
}

function focusNext(): void {
  const request = document.getElementById(REQUEST_ID);
  if (request === null) focusComposer();
  else request.focus();
}
