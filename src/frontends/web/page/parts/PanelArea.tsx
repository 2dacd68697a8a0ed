import { signal } from '@preact/signals';
import type { ComponentType } from 'preact';
import { words } from '../../../../catalogue/words.js';
import type { PanelProps } from '../panels/PanelProps.js';
import { complain } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { formatPlace, type PanelName, place } from '../state/place.js';
import { Icon } from './Icon.js';

/** Panels are loaded when they are opened: the first message does not wait for them. */
const LOADERS: Readonly<Record<PanelName, () => Promise<ComponentType<PanelProps>>>> = {
  members: async () => (await import('../panels/MembersPanel.js')).MembersPanel,
  why: async () => (await import('../panels/WhyPanel.js')).WhyPanel,
  changes: async () => (await import('../panels/ChangesPanel.js')).ChangesPanel,
  cost: async () => (await import('../panels/CostPanel.js')).CostPanel,
};

const loaded = signal<Readonly<Partial<Record<PanelName, ComponentType<PanelProps>>>>>({});

/** The open panel, beside the conversation or, on a narrow screen, in its place. */
export function PanelArea({ conversation }: { readonly conversation: OpenConversation }) {
  const { panel, turn } = place.value;
  if (panel === undefined) return null;
  const Panel = loaded.value[panel];
  if (Panel === undefined) void load(panel);
  const name = words.web.panels[panel];
  return (
    <aside class="panel" aria-label={name} data-region="panel" tabIndex={-1}>
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
        {Panel === undefined ? (
          <p role="status">{words.web.loadingPanel}</p>
        ) : (
          <Panel key={turn} conversation={conversation} {...(turn !== undefined && { turn })} />
        )}
      </div>
    </aside>
  );
}

async function load(panel: PanelName): Promise<void> {
  try {
    const Panel = await LOADERS[panel]();
    loaded.value = { ...loaded.value, [panel]: Panel };
  } catch (error) {
    complain(error);
  }
}
