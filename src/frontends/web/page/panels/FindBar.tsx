import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { formatTime } from '../../../../catalogue/formats.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal, sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { SearchHit } from '../../wire.js';
import { call } from '../api.js';
import { PageButton } from '../parts/controls.js';
import { explainRefusal } from '../state/alerts.js';
import { focusComposer } from '../state/composing.js';
import { isFinding } from '../state/place.js';
import type { PanelProps } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import './find.css';

/** Time without a key after which the text is looked for. */
const TYPING_MILLISECONDS = 150;

/** Messages with a text, the newest first: people look for what was said last. */
interface Found {
  readonly hits: readonly SearchHit[];
  readonly isCut: boolean;
  /** The one that the log shows. */
  readonly place: number;
  readonly error?: unknown;
}

const NOTHING: Found = { hits: [], isCut: false, place: 0 };

/** Finds a text in all messages of the conversation, loaded or not, and goes there. */
export function FindBar({ conversation }: PanelProps) {
  const text = words.webPanels.find;
  const [wanted, setWanted] = useState('');
  const [found, setFound] = useState(NOTHING);
  const field = useRef<HTMLInputElement>(null);
  // At once: what is typed next is what is looked for.
  useLayoutEffect(() => field.current?.focus(), []);
  useEffect(() => {
    const abort = new AbortController();
    const search = async () => {
      const answer = wanted.trim() === '' ? NOTHING : await searchFor(conversation.id, wanted, abort.signal);
      if (!abort.signal.aborted) setFound(answer);
    };
    const typing = setTimeout(() => void search(), TYPING_MILLISECONDS);
    return () => {
      clearTimeout(typing);
      abort.abort();
    };
  }, [conversation.id, wanted]);
  const { hits, place, isCut } = found;
  const shown = hits[place];
  useEffect(() => {
    if (shown !== undefined) conversation.target.value = shown.seq;
  }, [conversation, shown]);
  const step = (by: 1 | -1) => setFound({ ...found, place: (place + by + hits.length) % (hits.length || 1) });
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
            step(event.shiftKey ? -1 : 1);
          }}
        />
        <span class="find-count" role="status">
          {describeCount(found, wanted)}
        </span>
        <StepButton label={text.newer} sign="↑" onClick={() => step(-1)} />
        <StepButton label={text.older} sign="↓" onClick={() => step(1)} />
        <PageButton icon="close" isBare label={text.close} onClick={close} />
      </div>
      {hits.length > 0 && (
        <ol class="hits" aria-label={text.hits}>
          {hits.map((hit, index) => (
            <Hit
              key={hit.seq}
              hit={hit}
              isShown={index === place}
              onClick={() => setFound({ ...found, place: index })}
            />
          ))}
        </ol>
      )}
      {isCut && <p class="find-note">{text.cut}</p>}
    </search>
  );
}

async function searchFor(id: string, text: string, signal: AbortSignal): Promise<Found> {
  try {
    const { hits, isCut } = await call('search', { params: { id }, query: { text }, signal });
    return { hits: hits.toReversed(), isCut, place: 0 };
  } catch (error) {
    return { ...NOTHING, error };
  }
}

function describeCount({ hits, place, error }: Found, wanted: string): string {
  const { count, none } = words.webPanels.find;
  if (error !== undefined) return explainRefusal(error);
  if (wanted.trim() === '') return '';
  return hits.length === 0 ? none : count(formatNumber(place + 1), formatNumber(hits.length));
}

interface StepButtonProps {
  readonly label: string;
  readonly sign: string;
  readonly onClick: () => void;
}

function StepButton({ label, sign, onClick }: StepButtonProps) {
  return (
    <button type="button" class="button bare" aria-label={label} title={label} onClick={onClick}>
      {sign}
    </button>
  );
}

interface HitProps {
  readonly hit: SearchHit;
  readonly isShown: boolean;
  readonly onClick: () => void;
}

function Hit({ hit: { memberName, at, excerpt }, isShown, onClick }: HitProps) {
  const row = useRef<HTMLLIElement>(null);
  useLayoutEffect(() => {
    if (isShown) row.current?.scrollIntoView({ block: 'nearest' });
  }, [isShown]);
  return (
    <li ref={row}>
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
