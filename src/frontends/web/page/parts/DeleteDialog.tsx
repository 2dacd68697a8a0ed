import { useSignal } from '@preact/signals';
import { words } from '../../../../catalogue/words.js';
import type { ListedConversation } from '../../wire.js';
import { call } from '../api.js';
import { explainRefusal } from '../state/alerts.js';
import { dropUnsentText } from '../state/drafts.js';
import { go, place } from '../state/place.js';
import { applySessions } from '../state/sessions.js';
import { AnswerButton } from './AnswerButton.js';
import { Dialog } from './Dialog.js';

interface DeleteDialogProps {
  readonly session: ListedConversation;
  readonly onClose: () => void;
}

/** Asks before a session is deleted. */
export function DeleteDialog({ session, onClose }: DeleteDialogProps) {
  const failure = useSignal<unknown>(undefined);
  const { id, title, messages } = session;
  const remove = async () => {
    try {
      await call('remove', { params: { id } });
    } catch (error) {
      failure.value = error;
      return;
    }
    dropUnsentText(id);
    applySessions({ changed: [], deleted: [id] });
    if (place.value.conversation === id) go('/');
    onClose();
  };
  return (
    <Dialog title={words.web.remove.title} onClose={onClose}>
      <p>{words.web.remove.ask(title, messages)}</p>
      <p role="alert" class="bad">
        {failure.value === undefined ? '' : explainRefusal(failure.value)}
      </p>
      <form method="dialog" class="button-row end">
        <button type="submit" class="button">
          {words.web.cancel}
        </button>
        <AnswerButton kind="danger" label={words.web.remove.confirm} onClick={remove} />
      </form>
    </Dialog>
  );
}
