import { useFocusKept } from './useFocusKept.js';

/** A button that shows more, or asks again, and goes away then. */
export function MoreButton({ label, onClick }: { readonly label: string; readonly onClick: () => void }) {
  const button = useFocusKept<HTMLButtonElement>();
  return (
    <button ref={button} type="button" class="button" onClick={onClick}>
      {label}
    </button>
  );
}
