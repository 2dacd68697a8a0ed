import { useSignal } from '@preact/signals';
import { words } from '../../../../catalogue/words.js';
import { AGENT_TYPES } from '../../../../models/AgentConfig.js';
import { call, RefusedRequest } from '../api.js';
import { canAct, learnWho, me } from '../state/access.js';
import { complain, explainRefusal } from '../state/alerts.js';
import { formatPlace, go } from '../state/place.js';
import { PageButton } from './PageButton.js';

/** Starts a conversation with the team here; says what is missing where there is none. */
export function NewConversation({ isBeside }: { readonly isBeside: boolean }) {
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
