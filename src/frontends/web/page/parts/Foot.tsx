import { me } from '../state/access.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { Approvals } from './Approvals.js';
import { Composer } from './Composer.js';
import { ReadOnlyNote } from './ReadOnlyNote.js';
import { Standing } from './Standing.js';
import '../styles/foot.css';

/** The foot of a conversation: requests, why nothing runs, and the field for messages. */
export function Foot({ conversation }: { readonly conversation: OpenConversation }) {
  return (
    <>
      <Approvals conversation={conversation} />
      <Standing conversation={conversation} />
      <Speaking conversation={conversation} />
    </>
  );
}

function Speaking({ conversation }: { readonly conversation: OpenConversation }) {
  const reason = conversation.readOnly.value;
  if (reason !== undefined) return <ReadOnlyNote conversation={conversation} reason={reason} />;
  return me.value?.role === 'full' ? <Composer conversation={conversation} /> : null;
}
