import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { formatCount } from '../../../../catalogue/formats.js';
import { words } from '../../../../catalogue/words.js';
import { sanitizeForTerminal } from '../../../../utils/sanitize.js';
import { MoreButton } from './MoreButton.js';
import { Pending } from './Pending.js';
import { ScrollArea } from './ScrollArea.js';
import { useAnswer } from './useAnswer.js';

/** Characters that are shown at once. */
const SHOWN = 20_000;

interface FoldedProps {
  readonly title: string;
  /** Identifies the text. */
  readonly id: string;
  readonly load: (signal: AbortSignal) => Promise<string>;
  /** Shows the text; by default as it is. */
  readonly show?: (text: string) => ComponentChildren;
}

/** A text that is loaded when it is opened. */
export function FoldedText({
  title,
  id,
  load,
  show = (text) => <PlainText text={text} label={title} />,
}: FoldedProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{title}</summary>
      {isOpen && <LoadedText id={id} load={load} show={show} />}
    </details>
  );
}

function LoadedText({ id, load, show }: Required<Omit<FoldedProps, 'title'>>) {
  const answer = useAnswer(id, 0, load);
  return answer.value === undefined ? <Pending {...answer} /> : <div>{show(answer.value)}</div>;
}

function PlainText({ text, label }: { readonly text: string; readonly label: string }) {
  const [isWhole, setWhole] = useState(false);
  const [isCopied, setCopied] = useState(false);
  const { copy, copied, showRest } = words.webPanels;
  const rest = isWhole ? 0 : text.length - SHOWN;
  const shown = rest > 0 ? text.slice(0, SHOWN).toWellFormed() : text;
  return (
    <>
      <button
        type="button"
        class="button"
        onClick={() => navigator.clipboard.writeText(text).then(() => setCopied(true))}
      >
        {isCopied ? copied : copy}
      </button>
      <ScrollArea class="long-text" label={label}>
        <pre>{sanitizeForTerminal(shown)}</pre>
      </ScrollArea>
      {rest > 0 && <MoreButton label={showRest(formatCount(rest))} onClick={() => setWhole(true)} />}
    </>
  );
}
