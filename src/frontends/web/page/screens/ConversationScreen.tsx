import { Log } from '../log/Log.js';
import { ConversationHeader } from '../parts/ConversationHeader.js';
import { whenShown } from '../parts/whenShown.js';
import { explainRefusal } from '../state/alerts.js';
import { desk } from '../state/desk.js';
import { pageWords as words } from '../state/language.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { isFinding, place } from '../state/place.js';

const Foot = whenShown(async () => (await import('../parts/Foot.js')).Foot);
const PanelArea = whenShown(async () => (await import('../panels/PanelArea.js')).PanelArea);
const FindBar = whenShown(async () => (await import('../panels/FindBar.js')).FindBar);

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
        <h1>Huddle</h1>
        <p>{value.kind === 'refused' ? explainRefusal(value.refusal) : words.web.loading}</p>
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
      <div class="log-place" data-region="log">
        <Log conversation={conversation} />
      </div>
      <div class="foot">
        <Foot conversation={conversation} />
      </div>
    </main>
  );
}
