import {
  elementScroll,
  observeElementOffset,
  observeElementRect,
  Virtualizer,
  type VirtualizerOptions,
} from '@tanstack/virtual-core';
import { useLayoutEffect, useReducer, useState } from 'preact/hooks';

type Options = VirtualizerOptions<HTMLElement, HTMLElement>;
type Given = Omit<Options, 'observeElementOffset' | 'observeElementRect' | 'scrollToFn'>;

/** A list of which only the rows in view are elements. Its news are painted in the frame they come in. */
export function useVirtualizer(given: Given): Virtualizer<HTMLElement, HTMLElement> {
  const [, repaint] = useReducer((count: number, _news: undefined) => count + 1, 0);
  const options: Options = {
    observeElementOffset,
    observeElementRect,
    scrollToFn: elementScroll,
    ...given,
    onChange: (instance, isSync) => {
      given.onChange?.(instance, isSync);
      repaint(undefined);
    },
  };
  const [virtualizer] = useState(() => new Virtualizer(options));
  virtualizer.setOptions(options);
  useLayoutEffect(() => virtualizer._didMount(), []);
  useLayoutEffect(() => virtualizer._willUpdate());
  return virtualizer;
}
