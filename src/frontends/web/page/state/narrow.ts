import { signal } from '@preact/signals';

/** As in the style sheets: below it there is one column. */
const query = matchMedia('(width < 900px)');

/** Whether the screen has room for one column only, so that a panel stands in the place of the conversation. */
export const isNarrow = signal(query.matches);

query.addEventListener('change', ({ matches }) => {
  isNarrow.value = matches;
});
