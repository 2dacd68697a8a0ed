import { words } from '../../../../catalogue/words.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { ListedConversation } from '../../wire.js';
import { canAct } from '../state/access.js';
import { formatPlace, place } from '../state/place.js';
import { type Need, needOf } from '../state/sessionNeed.js';
import { describeFigures, describeState, shortId, titleOf } from './describeSession.js';
import { Icon, type IconName } from './Icon.js';
import { PageButton } from './PageButton.js';

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
export function SessionRow({ session, now, onDelete }: SessionRowProps) {
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
