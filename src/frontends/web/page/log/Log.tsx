import type { OpenConversation } from '../state/OpenConversation.js';

/** The messages of a conversation. */
export function Log({ conversation }: { readonly conversation: OpenConversation }) {
  return (
    <div role="log" aria-live="off">
      {conversation.rows.value.map(({ seq, block }) =>
        block.kind === 'message' ? <p key={seq}>{`${block.member.name}: ${block.text}`}</p> : null,
      )}
    </div>
  );
}
