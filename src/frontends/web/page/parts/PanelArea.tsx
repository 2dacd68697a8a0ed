import type { ComponentType } from 'preact';
import { words } from '../../../../catalogue/words.js';
import type { PanelProps } from '../panels/PanelProps.js';
import { isNarrow } from '../state/narrow.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, type PanelName, place } from '../state/place.js';
import { Icon } from './Icon.js';
import { whenShown } from './whenShown.js';

const PANELS_BY_NAME: Readonly<Record<PanelName, ComponentType<PanelProps>>> = {
  members: whenShown(async () => (await import('../panels/MembersPanel.js')).MembersPanel),
  why: whenShown(async () => (await import('../panels/WhyPanel.js')).WhyPanel),
  changes: whenShown(async () => (await import('../panels/ChangesPanel.js')).ChangesPanel),
  cost: whenShown(async () => (await import('../panels/CostPanel.js')).CostPanel),
};

/** The open panel, beside the conversation or, on a narrow screen, in its place. */
export function PanelArea({ conversation }: { readonly conversation: OpenConversation }) {
  const { panel, turn } = place.value;
  if (panel === undefined) return null;
  const Panel = PANELS_BY_NAME[panel];
  const name = words.web.panels[panel];
  const Landmark = isNarrow.value ? 'main' : 'aside';
  return (
    <Landmark class="panel" aria-label={name} data-region="panel" tabIndex={-1}>
      {/* The headings of a panel are below those of the conversation, also where that is not on the screen. */}
      {isNarrow.value && <h1 class="heard">{conversation.summary.value.title || name}</h1>}
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
        <Panel key={turn} conversation={conversation} {...(turn !== undefined && { turn })} />
      </div>
    </Landmark>
  );
}
