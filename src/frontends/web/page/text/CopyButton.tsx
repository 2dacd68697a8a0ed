import { useEffect, useState } from 'preact/hooks';
import { words } from '../../../../catalogue/words.js';

const SHOWN_MILLISECONDS = 2000;

/** Puts a text into the clipboard as it is, and says whether that worked. */
export function CopyButton({ text, label }: { readonly text: string; readonly label: string }) {
  const [outcome, setOutcome] = useState<'copied' | 'notCopied'>();
  useEffect(() => {
    if (outcome === undefined) return undefined;
    const timer = setTimeout(() => setOutcome(undefined), SHOWN_MILLISECONDS);
    return () => clearTimeout(timer);
  }, [outcome]);
  const copy = () => {
    const told = navigator.clipboard?.writeText(text) ?? Promise.reject(new Error('No clipboard'));
    told.then(
      () => setOutcome('copied'),
      () => setOutcome('notCopied'),
    );
  };
  return (
    <button type="button" class="quiet-button copy" aria-label={label} title={label} onClick={copy}>
      {words.webLog[outcome ?? 'copy']}
    </button>
  );
}
