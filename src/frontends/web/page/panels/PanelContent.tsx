import type { ComponentChildren } from 'preact';
import { useFocusKept } from './useFocusKept.js';

/** The content of a panel. A link in it may lead to another content: the focus then stays in the panel. */
export function PanelContent({ children }: { readonly children: ComponentChildren }) {
  const content = useFocusKept<HTMLDivElement>();
  return (
    <div ref={content} class="panel-content">
      {children}
    </div>
  );
}
