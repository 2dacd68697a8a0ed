import { formatCount, formatMoney } from '../../../../catalogue/formats.js';
import type { ShownMember } from '../../../../presentation/Block.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { CostBin } from '../../wire.js';
import { hueOf } from '../parts/describeSession.js';
import { type CostBar, type CostUnit, layOutCosts } from './costChart.js';
import { panelWords as words } from './panelWords.js';

const SIZE = { width: 300, height: 110 };
/** Room for the numbers at the left, for half a number at the top, and for the turns below. */
const ROOM = { left: 44, top: 8, bottom: 18 };
const LABELS = 6;

interface CostBarsProps {
  readonly bins: readonly CostBin[];
  readonly unit: CostUnit;
  readonly members: readonly ShownMember[];
}

/** A bar for every turn, or for some turns that follow each other, in the colours of the members. */
export function CostBars({ bins, unit, members }: CostBarsProps) {
  const format = formatIn(unit);
  const { ticks, bars } = layOutCosts(bins, unit, { ...SIZE, memberIds: members.map(({ id }) => id) });
  const highest = Math.max(0, ...bars.map(({ total }) => total));
  const every = Math.ceil(bars.length / LABELS);
  const classOf = (memberId: string) => hueOf(members.find(({ id }) => id === memberId) ?? { place: -1 });
  return (
    <figure class="cost-chart">
      <svg
        viewBox={`${-ROOM.left} ${-ROOM.top} ${SIZE.width + ROOM.left} ${SIZE.height + ROOM.top + ROOM.bottom}`}
        role="img"
        aria-label={words.webPanels.cost.chart(bars.length, format(highest))}
      >
        {ticks.map(({ value, y }) => (
          <g key={value} class="tick">
            <line x1="0" x2={SIZE.width} y1={y} y2={y} />
            <text x="-6" y={y} dy="0.32em">
              {format(value)}
            </text>
          </g>
        ))}
        {bars.map((bar, index) => (
          <g key={bar.bin.from}>
            <title>{describeBar(bar, members, format)}</title>
            {bar.parts.map(({ memberId, y, height }) => (
              <rect
                key={memberId}
                class={classOf(memberId)}
                x={bar.x}
                y={y}
                width={bar.width}
                height={height}
              />
            ))}
            {index % every === 0 && (
              <text class="turn" x={bar.x + bar.width / 2} y={SIZE.height + 13}>
                {sanitizeToOneLine(bar.bin.from.replace(/^turn-/u, 't'))}
              </text>
            )}
          </g>
        ))}
      </svg>
      <figcaption>
        {members.map((member) => (
          <span key={member.id} class={hueOf(member)}>
            {sanitizeToOneLine(member.name)}
          </span>
        ))}
      </figcaption>
    </figure>
  );
}

/** Formats the amounts of a unit. */
export function formatIn(unit: CostUnit): (amount: number) => string {
  return unit === 'money' ? (usd) => formatMoney(usd, words) : formatCount;
}

/** `turn-3: max $0.02, sarah $0.01`. */
function describeBar(
  { bin, parts }: CostBar,
  members: readonly ShownMember[],
  format: (amount: number) => string,
): string {
  const { joining, webPanels } = words;
  const shares = parts.map(({ memberId, value }) => {
    const name = members.find(({ id }) => id === memberId)?.name ?? memberId;
    return `${sanitizeToOneLine(name)} ${format(value)}`;
  });
  return joining.labelled(webPanels.cost.turns(bin.from, bin.to), joining.list(shares));
}
