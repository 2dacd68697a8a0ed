import type { RefObject } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { focusComposer, REQUEST_ID } from '../state/composing.js';

/** A part of the page that may go away while it has the focus: then the next request has it, or without one the composer. */
export function useFocusReturn<Part extends HTMLElement>(): RefObject<Part | null> {
  return useFocusLeft(() => document.getElementById(REQUEST_ID));
}

/** A part of a panel that may go away while it has the focus: then the panel has it, or without one the composer. */
export function useFocusKept<Part extends HTMLElement>(): RefObject<Part | null> {
  return useFocusLeft(() => document.querySelector<HTMLElement>('[data-region="panel"]'));
}

function useFocusLeft<Part extends HTMLElement>(findNext: () => HTMLElement | null): RefObject<Part | null> {
  const part = useRef<Part>(null);
  useLayoutEffect(() => {
    const shown = part.current;
    const leave = () => {
      const next = findNext();
      if (next === null) focusComposer();
      else next.focus();
    };
    return () => {
      if (shown?.contains(document.activeElement)) queueMicrotask(leave);
    };
  }, []);
  return part;
}
