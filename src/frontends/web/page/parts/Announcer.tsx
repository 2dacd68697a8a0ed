import { words } from '../../../../catalogue/words.js';
import { alert, announcement } from '../state/alerts.js';
import { PageButton } from './PageButton.js';

/** The news, for those who listen, and what went wrong, for everybody. */
export function Announcer() {
  const text = alert.value;
  return (
    <>
      <p class="heard" role="status" aria-live="polite">
        {announcement.value}
      </p>
      <div class="alert-place" role="alert">
        {text !== undefined && (
          <div class="alert">
            <p>{text}</p>
            <PageButton
              icon="close"
              isBare
              label={words.web.close}
              onClick={() => {
                alert.value = undefined;
              }}
            />
          </div>
        )}
      </div>
    </>
  );
}
