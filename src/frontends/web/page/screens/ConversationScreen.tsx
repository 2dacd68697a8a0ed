import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { call } from '../api.js';
import { Log } from '../log/Log.js';
import { ChangesPanel } from '../panels/ChangesPanel.js';
import { CostPanel } from '../panels/CostPanel.js';
import { FindBar } from '../panels/FindBar.js';
import { MembersPanel } from '../panels/MembersPanel.js';
import { WhyPanel } from '../panels/WhyPanel.js';
import { OpenConversation } from '../state/OpenConversation.js';
import { place } from '../state/place.js';

const PANELS_BY_NAME = { members: MembersPanel, why: WhyPanel, changes: ChangesPanel, cost: CostPanel };

/** A conversation, with its panel. */
export function ConversationScreen({ id }: { readonly id: string }) {
  const opened = useSignal<OpenConversation | undefined>(undefined);
  useEffect(() => {
    const params = { id };
    void call('show', { params }).then((first) => {
      opened.value = new OpenConversation(first, (before) => call('older', { params, query: { before } }));
    });
  }, [id, opened]);
  const conversation = opened.value;
  if (conversation === undefined) return <main />;
  const { panel, turn } = place.value;
  const Panel = panel === undefined ? undefined : PANELS_BY_NAME[panel];
  return (
    <main>
      <FindBar conversation={conversation} />
      <Log conversation={conversation} />
      {Panel && <Panel conversation={conversation} {...(turn !== undefined && { turn })} />}
    </main>
  );
}
