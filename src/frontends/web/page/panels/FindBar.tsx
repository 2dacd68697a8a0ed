import { useEffect, useRef, useState } from 'preact/hooks';
import { formatTime } from '../../../../catalogue/formats.js';
import { words } from '../../../../catalogue/words.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { SearchHit, SearchHits } from '../../wire.js';
import { call } from '../api.js';
import { explainRefusal } from '../state/alerts.js';
import { focusComposer } from '../state/composing.js';
import { isFinding } from '../state/finding.js';
import type { PanelProps } from './PanelProps.js';
import './find.css';

/** Time without a key after which the text is looked for. */
const TYPING_MILLISECONDS = 150;

/** Finds a text in all messages of the conversation, loaded or not, and goes there. */
export function FindBar({ conversation }: PanelProps) {
  const text = words.webPanels.find;
  const [wanted, setWanted] = useState('');
  const [found, setFound] = useState<Found>({ hits: [], isCut: false });
  const [place, setPlace] = useState(-1);
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const goTo = (index: number, hits: readonly SearchHit[] = found.hits) => {
    const hit = hits.at(hits.length === 0 ? 0 : index % hits.length);
    if (hit === undefined) return;
    setPlace(hits.indexOf(hit));
    conversation.target.value = hit.seq;
  };
  useEffect(() => {
    if (wanted.trim() === '') {
      setFound({ hits: [], isCut: false });
      return;
    }
    const abort = new AbortController();
    const search = async () => {
      const answer = await searchFor(conversation.id, wanted, abort.signal);
      if (abort.signal.aborted) return;
      setFound(answer);
      // The latest first: that is where people look from.
      goTo(answer.hits.length - 1, answer.hits);
    };
    const typing = setTimeout(() => void search(), TYPING_MILLISECONDS);
    return () => {
      clearTimeout(typing);
      abort.abort();
    };
  }, [conversation.id, wanted]);
  const close = () => {
    isFinding.value = false;
    focusComposer();
  };
  return (
    <search class="find-bar">
      <div class="find-line">
        <input
          ref={field}
          type="search"
          aria-label={text.field}
          placeholder={text.field}
          maxLength={400}
          value={wanted}
          onInput={({ currentTarget }) => setWanted(currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.isComposing) return;
            event.preventDefault();
            goTo(place + (event.shiftKey ? 1 : -1));
          }}
        />
        <span class="find-count" role="status">
          {describeCount(found, place, wanted)}
        </span>
        <button
          type="button"
          class="button bare"
          aria-label={text.previous}
          title={text.previous}
          onClick={() => goTo(place - 1)}
        >
          ↑
        </button>
        <button
          type="button"
          class="button bare"
          aria-label={text.next}
          title={text.next}
          onClick={() => goTo(place + 1)}
        >
          ↓
        </button>
        <button type="button" class="button bare" aria-label={text.close} title={text.close} onClick={close}>
          ✕
        </button>
      </div>
      {found.hits.length > 0 && (
        <ol class="hits" aria-label={text.hits}>
          {found.hits.toReversed().map((hit) => (
            <Hit
              key={hit.seq}
              hit={hit}
              isShown={found.hits[place] === hit}
              onClick={() => goTo(found.hits.indexOf(hit))}
            />
          ))}
        </ol>
      )}
      {found.isCut && <p class="panel-note">{text.cut}</p>}
    </search>
  );
}

interface Found extends SearchHits {
  readonly error?: unknown;
}

async function searchFor(id: string, text: string, signal: AbortSignal): Promise<Found> {
  try {
    return await call('search', { params: { id }, query: { text }, signal });
  } catch (error) {
    return { hits: [], isCut: false, error };
  }
}

/** Counted from the latest, as they are listed. */
function describeCount({ hits, error }: Found, place: number, wanted: string): string {
  const { count, none } = words.webPanels.find;
  if (error !== undefined) return explainRefusal(error);
  if (wanted.trim() === '') return '';
  return hits.length === 0 ? none : count(formatNumber(hits.length - place), formatNumber(hits.length));
}

function Hit({
  hit,
  isShown,
  onClick,
}: {
  readonly hit: SearchHit;
  readonly isShown: boolean;
  readonly onClick: () => void;
}) {
  const { memberName, at, excerpt } = hit;
  return (
    <li>
      <button type="button" class="hit" aria-current={isShown ? 'true' : undefined} onClick={onClick}>
        <span class="hit-head">
          <strong>{sanitizeToOneLine(memberName)}</strong>
          <time dateTime={new Date(at).toISOString()}>{formatTime(at)}</time>
        </span>
        <span class="hit-text">
          {sanitizeForTerminal(excerpt.before)}
          <mark>{sanitizeForTerminal(excerpt.match)}</mark>
          {sanitizeForTerminal(excerpt.after)}
        </span>
      </button>
    </li>
  );
}
