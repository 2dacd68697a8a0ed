import { useMemo, useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';
import { formatNumber } from '../../../../utils/formatNumber.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';
import { MarkdownElements } from './MarkdownElements.js';
import { findEnd, partText } from './partText.js';
import { useTextForm } from './useTextForm.js';
import './text.css';

/** As much as a page lays out at once without being noticed. */
const AT_ONCE = 500_000;
/** The end that is shown of a text that is still written. */
const GROWING_CHARACTERS = 20_000;

export interface RichTextProps {
  /** Not yet safe to show. */
  readonly text: string;
  /** It is still being written. */
  readonly isGrowing?: boolean;
}

/** A text of a person or an agent: Markdown as elements, its code in colours. As it is until it is read, and if it is too long. */
export function RichText({ text, isGrowing = false }: RichTextProps) {
  const { start, rest } = useMemo(() => partText(text), [text]);
  const form = useTextForm(start, { isGrowing: isGrowing && rest === '' });
  const formatted = useMemo(
    () => (form === undefined || form === 'plain' ? undefined : <MarkdownElements {...form} />),
    [form],
  );
  return (
    <div class="text">
      {formatted ?? <PlainText text={start} />}
      {rest === '' ? null : isGrowing ? (
        <PlainText text={rest.slice(-GROWING_CHARACTERS)} />
      ) : (
        <Rest text={rest} />
      )}
    </div>
  );
}

function PlainText({ text }: { readonly text: string }) {
  return <div class="plain">{sanitizeForTerminal(text.replace(/\r\n?/gu, '\n'))}</div>;
}

/** The part of a long text that is only shown when it is asked for. */
function Rest({ text }: { readonly text: string }) {
  const [shown, setShown] = useState<readonly number[]>([]);
  const end = shown.at(-1) ?? 0;
  const showMore = () => setShown([...shown, findEnd(text, Math.min(text.length, end + AT_ONCE))]);
  return (
    <>
      {shown.map((to, index) => (
        <PlainText key={to} text={text.slice(shown[index - 1] ?? 0, to)} />
      ))}
      {end === text.length ? null : (
        <button type="button" class="quiet-button rest" onClick={showMore}>
          {words.webLog.showRest(formatSize(text.slice(end)))}
        </button>
      )}
    </>
  );
}

/** `236 KB`. */
function formatSize(text: string): string {
  return `${formatNumber(Math.ceil(new TextEncoder().encode(text).length / 1024))} KB`;
}
