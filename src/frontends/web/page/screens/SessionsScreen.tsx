import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { subjectOf } from '../../../../catalogue/permissionRequests.js';
import { AGENT_TYPES } from '../../../../models/AgentConfig.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { call, RefusedRequest } from '../api.js';
import { ConnectionState } from '../parts/ConversationHeader.js';
import { PageButton } from '../parts/controls.js';
import { InviteDialog } from '../parts/Dialog.js';
import { shortId, titleOf } from '../parts/describeSession.js';
import { SessionList } from '../parts/SessionList.js';
import { SettingsMenu } from '../parts/SettingsMenu.js';
import { canAct, learnWho, me } from '../state/access.js';
import { complain, explainRefusal } from '../state/alerts.js';
import { isFocusLost } from '../state/composing.js';
import { pageWords as words } from '../state/language.js';
import { formatPlace, go } from '../state/place.js';
import {
  isHeldElsewhere,
  loadSessions,
  type SessionRequest,
  scope,
  sessionRequests,
  wantedText,
} from '../state/sessions.js';
import '../styles/sessions.css';
import '../styles/dialogs.css';

/** All sessions: the home of the page, and on wide screens a column beside the conversation. */
export function SessionsScreen({ isBeside }: { readonly isBeside: boolean }) {
  const [isInviting, setInviting] = useState(false);
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
          <PageButton icon="invite" isBare label={words.web.invite.title} onClick={() => setInviting(true)} />
        )}
        <SettingsMenu />
      </header>
      <div class="sessions-body">
        <NewConversation isBeside={isBeside} />
        <SessionFilter />
        {!isBeside && <OpenRequests />}
        <SessionList />
      </div>
      {isInviting && <InviteDialog onClose={() => setInviting(false)} />}
    </Landmark>
  );
}

function lastFolder(path: string): string {
  return path.split(/[\\/]/u).findLast((part) => part !== '') ?? path;
}

/** Starts a conversation with the team here; says what is missing where there is none. */
function NewConversation({ isBeside }: { readonly isBeside: boolean }) {
  const isBusy = useSignal(false);
  const { team, refusal, hasDemo = false } = me.value ?? {};
  const start = async (isDemo: boolean) => {
    if (isBusy.value) return;
    isBusy.value = true;
    try {
      const { id } = await call('create', { body: isDemo ? { isDemo } : {} });
      go(formatPlace({ conversation: id }));
    } catch (error) {
      complain(error);
      await learnWho().catch(complain);
    }
    isBusy.value = false;
  };
  if (!canAct.value) return null;
  return (
    <div class="new">
      {team !== undefined && refusal === undefined && (
        <p>
          <PageButton
            icon="plus"
            kind="primary"
            label={words.web.newConversation}
            isOff={isBusy.value}
            onClick={() => start(false)}
          />
          <span class="soft members">{team.members.map(({ name }) => name).join(' · ')}</span>
        </p>
      )}
      {refusal !== undefined && !hasDemo && (
        <p class="notice warn">{explainRefusal(new RefusedRequest(refusal))}</p>
      )}
      {hasDemo && (
        <div class="notice">
          {!isBeside && <WhatToInstall />}
          <PageButton
            icon="play"
            label={words.web.demo.start}
            isOff={isBusy.value}
            onClick={() => start(true)}
          />
        </div>
      )}
    </div>
  );
}

function WhatToInstall() {
  const { none, offer } = words.web.demo;
  const agents = AGENT_TYPES.filter(({ installHint }) => installHint !== undefined);
  return (
    <>
      <p>{none}</p>
      <ul class="install">
        {agents.map(({ type, label, installHint }) => (
          <li key={type}>
            {label}: <code>{installHint}</code>
          </li>
        ))}
      </ul>
      <p>{offer}</p>
    </>
  );
}

/** Milliseconds without a key after which a text is looked for. */
const TYPING_PAUSE = 200;

let typing: ReturnType<typeof setTimeout> | undefined;

/** Chooses which sessions are listed. */
function SessionFilter() {
  return (
    <search class="filter">
      <fieldset class="segments">
        <legend class="heard">{words.web.scope.label}</legend>
        {(['here', 'all'] as const).map((name) => (
          <label key={name}>
            <input
              type="radio"
              name="scope"
              checked={scope.value === name}
              onChange={() => {
                scope.value = name;
                void loadSessions();
              }}
            />
            <span>{words.web.scope[name]}</span>
          </label>
        ))}
      </fieldset>
      <input
        type="search"
        name="find-session"
        data-entry
        aria-label={words.web.findSession}
        placeholder={words.web.findSession}
        value={wantedText.value}
        onInput={({ currentTarget }) => {
          wantedText.value = currentTarget.value;
          clearTimeout(typing);
          typing = setTimeout(() => void loadSessions(), TYPING_PAUSE);
        }}
      />
    </search>
  );
}

/** Everything that waits for an approval, in whichever session. It is answered there, where it is shown whole. */
function OpenRequests() {
  const requests = sessionRequests.value;
  if (requests.length === 0) return null;
  return (
    <section class="requests" aria-label={words.web.openRequests}>
      <h2>{words.web.openRequests}</h2>
      <ul>
        {requests.map((each) => (
          <RequestRow key={`${each.session.id} ${each.request.requestId}`} {...each} />
        ))}
      </ul>
    </section>
  );
}

function RequestRow({ session, request }: SessionRequest) {
  const subject = sanitizeToOneLine(subjectOf(request));
  const isElsewhere = isHeldElsewhere({ session });
  return (
    <li>
      <p>
        <strong>{words.web.needsApproval(request.memberName)}</strong>{' '}
        <span class="soft">{`${titleOf(session)} · ${shortId(session.id)}`}</span>
      </p>
      <p class="mono subject">{subject}</p>
      {isElsewhere && session.openIn !== undefined ? (
        <span class="soft">{words.web.openIn(session.openIn)}</span>
      ) : (
        <a
          class="button"
          href={formatPlace({ conversation: session.id })}
          aria-label={words.web.viewNamed(request.memberName, subject)}
        >
          {words.web.view}
        </a>
      )}
    </li>
  );
}
