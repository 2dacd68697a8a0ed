import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { Icon } from '../parts/controls.js';
import { titleOf } from '../parts/describeSession.js';
import { whenShown } from '../parts/whenShown.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, type PanelName, place } from '../state/place.js';
import type { PanelProps } from './panelParts.js';

const PANELS_BY_NAME: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  members: whenShown(async () => (await import('./MembersPanel.js')).MembersPanel),
  why: whenShown(async () => (await import('./WhyPanel.js')).WhyPanel),
  changes: whenShown(async () => (await import('./ChangesPanel.js')).ChangesPanel),
  cost: whenShown(async () => (await import('./CostPanel.js')).CostPanel),
};

/** Whether there is no room beside a panel: then it is all of the page. The styles of the frame say the same. */
const isAlone = signal(false);
const narrow = matchMedia('(width < 900px)');
const look = () => {
  isAlone.value = narrow.matches;
};
narrow.addEventListener('change', look);
look();

/** The open panel, beside the conversation or, on a narrow screen, in its place. */
export function PanelArea({ conversation }: { readonly conversation: OpenConversation }) {
  const { panel, turn } = place.value;
  if (panel === undefined) return null;
  const Panel = PANELS_BY_NAME[panel];
  const name = words.web.panels[panel];
  const Frame = isAlone.value ? 'main' : 'aside';
  return (
    <Frame class="panel" aria-label={name} data-region="panel" tabIndex={-1}>
      {isAlone.value && <h1 class="heard">{sanitizeToOneLine(titleOf(conversation.summary.value))}</h1>}
      <header class="bar">
        <h2>{name}</h2>
        <span class="space" />
        <a
          class="button bare"
          data-entry
          href={formatPlace({ conversation: conversation.id })}
          aria-label={words.web.closePanel(name)}
          title={words.web.closePanel(name)}
        >
          <Icon name="close" />
        </a>
      </header>
      <div class="panel-body">
        <Panel key={turn} conversation={conversation} turn={turn} />
      </div>
    </Frame>
  );
}
