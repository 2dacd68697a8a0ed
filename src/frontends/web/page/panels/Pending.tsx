import { words } from '../../../../catalogue/words.js';
import { explainRefusal } from '../state/alerts.js';
import { MoreButton } from './MoreButton.js';
import type { Answer } from './useAnswer.js';

/** The place of an answer that is not there: it is being loaded, or could not be. */
export function Pending({ error, retry }: Answer<unknown>) {
  const { loading, tryAgain } = words.webPanels;
  if (error === undefined)
    return (
      <p class="panel-note" role="status">
        {loading}
      </p>
    );
  return (
    <div class="panel-note" role="alert">
      <p>{explainRefusal(error)}</p>
      <MoreButton label={tryAgain} onClick={retry} />
    </div>
  );
}
