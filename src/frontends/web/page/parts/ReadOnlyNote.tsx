import { words } from '../../../../catalogue/words.js';
import type { WireError } from '../../wire.js';
import { RefusedRequest } from '../api.js';
import { explainRefusal } from '../state/alerts.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { CopyField } from './CopyField.js';

interface ReadOnlyNoteProps {
  readonly conversation: OpenConversation;
  readonly reason: WireError;
}

/** Stands where the composer was: which process has the session open, or the command that continues it. */
export function ReadOnlyNote({ conversation, reason }: ReadOnlyNoteProps) {
  const { openIn, isElsewhere, folder, id } = conversation.summary.value;
  if (openIn !== undefined) return <p class="read-only">{words.web.openIn(openIn)}</p>;
  if (isElsewhere && folder !== undefined)
    return (
      <div class="read-only">
        <p>{words.web.continueElsewhere}</p>
        <CopyField label={words.web.command} text={`cd ${quote(folder)} && huddle resume ${id}`} />
      </div>
    );
  return <p class="read-only">{explainRefusal(new RefusedRequest(reason))}</p>;
}

/** A path as a shell takes it. */
function quote(path: string): string {
  return /^[\w./~-]+$/u.test(path) ? path : `'${path.replaceAll("'", "'\\''")}'`;
}
