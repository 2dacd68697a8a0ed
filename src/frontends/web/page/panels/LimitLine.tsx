import { words } from '../../../../catalogue/words.js';

const WIDTH = 300;
/** Part of the limit from which on it is near. */
const NEAR = 0.8;

interface LimitLineProps {
  readonly spent: number;
  /** Absent: there is none. */
  readonly limit: number | undefined;
  readonly format: (amount: number) => string;
}

/** The amount that counts against the limit, and a line as long as the limit that it fills. */
export function LimitLine({ spent, limit, format }: LimitLineProps) {
  const text = words.webPanels.cost;
  if (limit === undefined) return <p class="spent">{format(spent)}</p>;
  const share = limit > 0 ? Math.min(1, spent / limit) : 1;
  const state = share >= 1 ? 'reached' : share >= NEAR ? 'near' : 'far';
  return (
    <div class={`limit is-${state}`}>
      <p class="spent">{text.ofLimit(format(spent), format(limit))}</p>
      <svg viewBox={`0 0 ${WIDTH} 6`} preserveAspectRatio="none" aria-hidden="true">
        <rect class="limit-whole" width={WIDTH} height="6" />
        <rect class="limit-spent" width={share * WIDTH} height="6" />
      </svg>
    </div>
  );
}
