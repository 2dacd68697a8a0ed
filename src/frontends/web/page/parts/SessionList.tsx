import { useSignal } from '@preact/signals';
import { words } from '../../../../catalogue/words.js';
import type { ListedConversation } from '../../wire.js';
import { explainRefusal } from '../state/alerts.js';
import { clock } from '../state/clock.js';
import {
  hasMoreSessions,
  hasSessions,
  loadMoreSessions,
  scope,
  sessions,
  sessionsRefusal,
  wantedText,
} from '../state/sessions.js';
import { DeleteDialog } from './DeleteDialog.js';
import { PageButton } from './PageButton.js';
import { SessionRow } from './SessionRow.js';

/** The sessions that were found, a page at a time. */
export function SessionList() {
  const leaving = useSignal<ListedConversation | undefined>(undefined);
  const listed = sessions.value;
  return (
    <>
      <p class="soft" role="status">
        {describeEmptiness(listed.length)}
      </p>
      <ul class="sessions-list">
        {listed.map((session) => (
          <SessionRow
            key={session.id}
            session={session}
            now={clock.value}
            onDelete={(chosen) => {
              leaving.value = chosen;
            }}
          />
        ))}
      </ul>
      {hasMoreSessions.value && (
        <PageButton label={words.web.moreSessions} onClick={() => void loadMoreSessions()} />
      )}
      {leaving.value !== undefined && (
        <DeleteDialog
          session={leaving.value}
          onClose={() => {
            leaving.value = undefined;
          }}
        />
      )}
    </>
  );
}

/** The reason why nothing is listed. */
function describeEmptiness(count: number): string {
  const { list } = words.web;
  if (sessionsRefusal.value !== undefined) return explainRefusal(sessionsRefusal.value);
  if (!hasSessions.value) return list.loading;
  if (count > 0) return '';
  if (wantedText.value !== '') return list.notFound(wantedText.value);
  return scope.value === 'here' ? list.noneHere : list.none;
}
