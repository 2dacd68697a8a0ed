import { useSignal } from '@preact/signals';
import { useState } from 'preact/hooks';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import { type Need, needOf } from '../../folds.js';
import type { ListedConversation } from '../../wire.js';
import { call } from '../api.js';
import { canAct } from '../state/access.js';
import { explainRefusal } from '../state/alerts.js';
import { clock } from '../state/clock.js';
import { dropUnsentText } from '../state/composing.js';
import { pageWords as words } from '../state/language.js';
import { formatPlace, go, place } from '../state/place.js';
import {
  applySessions,
  hasMoreSessions,
  hasSessions,
  loadMoreSessions,
  scope,
  sessions,
  sessionsRefusal,
  wantedText,
} from '../state/sessions.js';
import { AnswerButton } from './AnswerButton.js';
import { Icon, type IconName, PageButton } from './controls.js';
import { Dialog } from './Dialog.js';
import { describeFigures, describeState, shortId, titleOf } from './describeSession.js';

/** The sessions that were found, a page at a time. */
export function SessionList() {
  const [leaving, setLeaving] = useState<ListedConversation>();
  const listed = sessions.value;
  return (
    <>
      <p class="soft" role="status">
        {describeEmptiness(listed.length)}
      </p>
      <ul class="sessions-list">
        {listed.map((session) => (
          <SessionRow key={session.id} session={session} now={clock.value} onDelete={setLeaving} />
        ))}
      </ul>
      {hasMoreSessions.value && (
        <PageButton label={words.web.moreSessions} onClick={() => void loadMoreSessions()} />
      )}
      {leaving !== undefined && <DeleteDialog session={leaving} onClose={() => setLeaving(undefined)} />}
    </>
  );
}

/** The reason why nothing is listed. */
function describeEmptiness(count: number): string {
  const { list } = words.web;
  if (sessionsRefusal.value !== undefined) return explainRefusal(sessionsRefusal.value);
  if (!hasSessions.value) return list.loading;
  if (count > 0) return '';
  if (wantedText.value !== '') return list.notFound(wantedText.value);
  return scope.value === 'here' ? list.noneHere : list.none;
}

const MARKS: Readonly<Record<Need, IconName>> = {
  asks: 'ask',
  works: 'work',
  paused: 'pause',
  stopped: 'fail',
  interrupted: 'fail',
  failed: 'fail',
  damaged: 'fail',
  done: 'check',
  empty: 'check',
};

interface SessionRowProps {
  readonly session: ListedConversation;
  readonly now: number;
  readonly onDelete: (session: ListedConversation) => void;
}

/** A session in the list: its state, its name, and a link to it. */
function SessionRow({ session, now, onDelete }: SessionRowProps) {
  const { id } = session;
  const need = needOf(session);
  const isOpen = place.value.conversation === id;
  return (
    <li class={`session ${need}`}>
      <a href={formatPlace({ conversation: id })} aria-current={isOpen ? 'page' : undefined}>
        <span class="mark">
          <Icon name={MARKS[need]} />
        </span>
        <span class="title">{sanitizeToOneLine(titleOf(session))}</span>
        <span class="id">{shortId(id)}</span>
        <span class="state">{describeState(session)}</span>
        <span class="figures">{describeFigures(session, now).join(' · ')}</span>
      </a>
      {canAct.value && session.openIn === undefined && (
        <PageButton
          icon="trash"
          isBare
          label={words.web.remove.named(titleOf(session))}
          onClick={() => onDelete(session)}
        />
      )}
    </li>
  );
}

interface DeleteDialogProps {
  readonly session: ListedConversation;
  readonly onClose: () => void;
}

/** Asks before a session is deleted. */
function DeleteDialog({ session, onClose }: DeleteDialogProps) {
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
