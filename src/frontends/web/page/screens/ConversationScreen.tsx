import { words } from '../../../../catalogue/words.js';
import { Log } from '../log/Log.js';
import { FindBar } from '../panels/FindBar.js';
import { Approvals } from '../parts/Approvals.js';
import { Composer } from '../parts/Composer.js';
import { ConversationHeader } from '../parts/ConversationHeader.js';
import { PanelArea } from '../parts/PanelArea.js';
import { ReadOnlyNote } from '../parts/ReadOnlyNote.js';
import { Standing } from '../parts/Standing.js';
import { canAct } from '../state/access.js';
import { describeRefusal } from '../state/alerts.js';
import { desk } from '../state/desk.js';
import { isFinding } from '../state/finding.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { place } from '../state/place.js';

/** The conversation of the address, with its panel. */
export function ConversationScreen() {
  const { value } = desk;
  if (value.kind === 'open')
    return (
      <>
        <OpenScreen key={value.id} conversation={value.conversation} />
        {place.value.panel !== undefined && <PanelArea conversation={value.conversation} />}
      </>
    );
  return (
    <main class="conversation" tabIndex={-1}>
      <div class="empty" role="status">
        <p>{value.kind === 'refused' ? describeRefusal(value.refusal) : words.web.loading}</p>
        <a class="button" href="/">
          {words.web.back}
        </a>
      </div>
    </main>
  );
}

function OpenScreen({ conversation }: { readonly conversation: OpenConversation }) {
  return (
    <main class="conversation" tabIndex={-1}>
      <ConversationHeader conversation={conversation} />
      {isFinding.value && (
        <div class="find" data-find>
          <FindBar conversation={conversation} />
        </div>
      )}
      <div class="log-place" data-region="log" tabIndex={-1}>
        <Log conversation={conversation} />
      </div>
      <div class="foot">
        <Approvals conversation={conversation} />
        <Standing conversation={conversation} />
        <Foot conversation={conversation} />
      </div>
    </main>
  );
}

function Foot({ conversation }: { readonly conversation: OpenConversation }) {
  const reason = conversation.readOnly.value;
  if (reason !== undefined) return <ReadOnlyNote conversation={conversation} reason={reason} />;
  return canAct.value ? <Composer conversation={conversation} /> : null;
}
