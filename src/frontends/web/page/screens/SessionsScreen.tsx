import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { ConnectionState } from '../parts/ConnectionState.js';
import { InviteDialog } from '../parts/InviteDialog.js';
import { NewConversation } from '../parts/NewConversation.js';
import { OpenRequests } from '../parts/OpenRequests.js';
import { PageButton } from '../parts/PageButton.js';
import { SessionFilter } from '../parts/SessionFilter.js';
import { SessionList } from '../parts/SessionList.js';
import { SettingsMenu } from '../parts/SettingsMenu.js';
import { canAct, me } from '../state/access.js';
import { isFocusLost } from '../state/composing.js';
import '../styles/sessions.css';
import '../styles/dialogs.css';

/** All sessions: the home of the page, and on wide screens a column beside the conversation. */
export function SessionsScreen({ isBeside }: { readonly isBeside: boolean }) {
  const isInviting = useSignal(false);
  const Landmark = isBeside ? 'nav' : 'main';
  const place = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    if (!isBeside && isFocusLost()) place.current?.focus();
  }, [isBeside]);
  return (
    <Landmark
      ref={place}
      class={`sessions${isBeside ? ' beside' : ''}`}
      aria-label={words.web.sessions}
      data-region="sessions"
      tabIndex={-1}
    >
      <header class="bar">
        {isBeside ? (
          <a class="brand" href="/">
            Huddle
          </a>
        ) : (
          <h1 class="brand">Huddle</h1>
        )}
        <span class="team" title={me.value?.folder}>
          {me.value?.team?.name ?? lastFolder(me.value?.folder ?? '')}
        </span>
        <span class="space" />
        {me.value?.role === 'watch' && <span class="badge">{words.web.watching}</span>}
        {!isBeside && <ConnectionState />}
        {canAct.value && (
          <PageButton
            icon="invite"
            isBare
            label={words.web.invite.title}
            onClick={() => {
              isInviting.value = true;
            }}
          />
        )}
        <SettingsMenu />
      </header>
      <div class="sessions-body">
        <NewConversation isBeside={isBeside} />
        <SessionFilter />
        {!isBeside && <OpenRequests />}
        <SessionList />
      </div>
      {isInviting.value && (
        <InviteDialog
          onClose={() => {
            isInviting.value = false;
          }}
        />
      )}
    </Landmark>
  );
}

function lastFolder(path: string): string {
  return path.split(/[\\/]/u).findLast((part) => part !== '') ?? path;
}
