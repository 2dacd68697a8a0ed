import type { ShownCount } from '../../../../presentation/describeFileRecord.js';

/** Lines added and removed: `+14 −3`. */
export function Counts({ counts }: { readonly counts: readonly ShownCount[] }) {
  return (
    <>
      {counts.map(({ kind, text }) => (
        <span key={kind} class={kind}>
          {text}{' '}
        </span>
      ))}
    </>
  );
}
