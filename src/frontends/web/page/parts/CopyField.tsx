import { useSignal } from '@preact/signals';
import { words } from '../../../../catalogue/words.js';

/** A text to take elsewhere: an address, a command. */
export function CopyField({ label, text }: { readonly label: string; readonly text: string }) {
  const isCopied = useSignal(false);
  const copy = async () => {
    await navigator.clipboard.writeText(text);
    isCopied.value = true;
  };
  return (
    <div class="field-row">
      <input
        class="mono"
        readOnly
        aria-label={label}
        value={text}
        onFocus={({ currentTarget }) => currentTarget.select()}
      />
      <button type="button" class="button" onClick={copy}>
        {isCopied.value ? words.web.copied : words.web.copy}
      </button>
    </div>
  );
}
