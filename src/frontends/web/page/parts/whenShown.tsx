import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { complain } from '../state/alerts.js';
import { pageWords as words } from '../state/language.js';

/** A part of the page that is loaded when it is first shown, so that the first message does not wait for it. */
export function whenShown<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
): ComponentType<Props> {
  const loaded = signal<ComponentType<Props> | undefined>(undefined);
  let isAsked = false;
  const ask = async () => {
    if (isAsked) return;
    isAsked = true;
    try {
      loaded.value = await load();
    } catch (error) {
      isAsked = false;
      complain(error);
    }
  };
  return function WhenShown(props: Props) {
    const Part = loaded.value;
    if (Part !== undefined) return <Part {...props} />;
    void ask();
    return (
      <p class="loading" role="status">
        {words.web.loadingPanel}
      </p>
    );
  };
}
