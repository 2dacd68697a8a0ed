import { formatCount, formatMoney, formatSum } from '../../../../catalogue/formats.js';
import { canCancel, isContinuing } from '../../../../conversation/questions.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { call } from '../api.js';
import { access, canAct } from '../state/access.js';
import { complain } from '../state/alerts.js';
import { continueHere, streamState } from '../state/desk.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, isFinding, PANELS, place } from '../state/place.js';
import { Icon, PageButton, placeMenu } from './controls.js';
import { formatLimit, shortId, titleOf } from './describeSession.js';
import { whenShown } from './whenShown.js';

const ExportMenu = whenShown(async () => (await import('../panels/ExportMenu.js')).ExportMenu);

const MENU_ID = 'conversation-menu';

/** Name, figures and controls of a conversation. */
export function ConversationHeader({ conversation }: { readonly conversation: OpenConversation }) {
  const summary = conversation.summary.value;
  return (
    <header class="bar conversation-bar" data-region="header">
      <a class="button bare" data-entry href="/" aria-label={words.web.back} title={words.web.back}>
        <Icon name="back" />
      </a>
      <div class="naming">
        <h1>{sanitizeToOneLine(titleOf(summary))}</h1>
        <span class="id">{shortId(conversation.id)}</span>
        {summary.isDemo && <span class="badge">{words.web.demo.mark}</span>}
      </div>
      <Figures conversation={conversation} />
      <ConnectionState />
      <span class="space" />
      <Controls conversation={conversation} />
      <button
        type="button"
        class="button bare"
        data-more
        popovertarget={MENU_ID}
        onClick={({ currentTarget }) => placeMenu(MENU_ID, currentTarget)}
        aria-label={words.web.more}
        title={words.web.more}
      >
        <Icon name="more" />
      </button>
      <div id={MENU_ID} popover="auto" class="menu conversation-menu">
        <PageButton
          icon="find"
          label={words.web.find}
          title={words.web.findTitle}
          onClick={() => {
            isFinding.value = true;
          }}
        />
        <PanelLinks id={conversation.id} />
        <ExportMenu conversation={conversation} />
      </div>
    </header>
  );
}

/** `$0.12 of $5 · 41k tokens`; on a narrow screen `$0.12`. */
function Figures({ conversation }: { readonly conversation: OpenConversation }) {
  const { usage, counters } = conversation.telling.value.conversation;
  const { usd: limit } = conversation.limits;
  const { total } = usage;
  const tokens = total.inputTokens + total.outputTokens;
  const spent = formatSum(total, words) || (limit === undefined ? '' : formatMoney(counters.usd, words));
  const money =
    limit === undefined ? spent : words.web.of(formatMoney(counters.usd, words), formatLimit(limit));
  const figures = [money, tokens === 0 ? '' : words.telling.tokens(formatCount(tokens))];
  return (
    <>
      <span class="figures wide">{figures.filter((figure) => figure !== '').join(' · ')}</span>
      <span class="figures narrow">{spent}</span>
    </>
  );
}

function Controls({ conversation }: { readonly conversation: OpenConversation }) {
  const { id, isReadOnly, telling } = conversation;
  const state = telling.value.conversation;
  if (!canAct.value || isReadOnly.value) return null;
  const act = (what: 'pause' | 'cancel') => () =>
    call('act', { params: { id }, body: { do: what } }).catch(complain);
  const canPause = state.pause === null && (state.running.length > 0 || isContinuing(state));
  return (
    <>
      <PageButton
        icon="pause"
        isBare
        label={words.web.pause}
        title={words.web.pauseTitle}
        isOff={!canPause}
        onClick={act('pause')}
      />
      <PageButton
        icon="stop"
        kind="danger"
        label={words.web.stop}
        isOff={!canCancel(state)}
        onClick={act('cancel')}
      />
    </>
  );
}

function PanelLinks({ id }: { readonly id: string }) {
  return (
    <nav class="panel-links" aria-label={words.web.panels.label}>
      {PANELS.map((panel) => {
        const isOpen = place.value.panel === panel;
        return (
          <a
            key={panel}
            href={formatPlace(isOpen ? { conversation: id } : { conversation: id, panel })}
            aria-current={isOpen ? 'true' : undefined}
          >
            {words.web.panels[panel]}
          </a>
        );
      })}
    </nav>
  );
}

/** Attempts after which it is likely that Huddle is not running. */
const MANY_ATTEMPTS = 4;

/** The state of the connection, in words. */
export function ConnectionState() {
  const state = streamState.value;
  const { connection } = words.web;
  if (access.value === 'restarted') return <Told mark="○" kind="off" text={connection.refused} />;
  switch (state.kind) {
    case 'live':
      return <Told mark="●" kind="on" text={connection.live} />;
    case 'connecting':
      return <Told mark="○" kind="off" text={connection.connecting} />;
    case 'reconnecting': {
      const isGone = state.attempts > MANY_ATTEMPTS;
      return <Told mark="○" kind="off" text={isGone ? connection.gone : connection.reconnecting} />;
    }
    case 'superseded':
      return (
        <button type="button" class="button connection" onClick={continueHere}>
          {connection.superseded}
        </button>
      );
    case 'refused':
      return <Told mark="○" kind="off" text={connection.refused} />;
  }
}

function Told({ mark, kind, text }: { mark: string; kind: 'on' | 'off'; text: string }) {
  return (
    <span class={`connection ${kind}`}>
      <span aria-hidden="true">{mark}</span> {text}
    </span>
  );
}
