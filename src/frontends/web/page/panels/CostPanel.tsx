import { useState } from 'preact/hooks';
import { describePrices } from '../../../../catalogue/formats.js';
import { isUnpriced } from '../../../../conversation/usage.js';
import { costColumns, costRows } from '../../../../presentation/cost.js';
import { memberOf, namesIn } from '../../../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { CostShown } from '../../wire.js';
import { call } from '../api.js';
import type { OpenConversation } from '../state/OpenConversation.js';
import { CostBars, formatIn } from './CostBars.js';
import { type CostUnit, shareIn } from './costChart.js';
import { PanelContent, type PanelProps, Pending, ScrollArea, useAnswer } from './panelParts.js';
import { panelWords as words } from './panelWords.js';
import './panels.css';

const UNITS = ['money', 'tokens'] as const;
const BINS = 60;

/** Tokens and money: how much of the limit, which turns, which members. */
export function CostPanel({ conversation }: PanelProps) {
  const { id, telling } = conversation;
  const { turns } = telling.value.conversation.usage.total;
  const answer = useAnswer(id, turns, (signal) =>
    call('cost', { params: { id }, query: { bins: BINS }, signal }),
  );
  return (
    <PanelContent>
      {answer.value === undefined ? (
        <Pending {...answer} />
      ) : (
        <Cost conversation={conversation} cost={answer.value} />
      )}
    </PanelContent>
  );
}

interface CostProps {
  readonly conversation: OpenConversation;
  readonly cost: CostShown;
}

function Cost({ conversation, cost: { usage, fork, bins } }: CostProps) {
  const text = words.webPanels.cost;
  const telling = conversation.telling.value;
  // Without any price, money would be an empty chart.
  const [unit, setUnit] = useState<CostUnit>(usage.total.usd > 0 ? 'money' : 'tokens');
  if (usage.total.turns === 0) return <p class="panel-note">{text.nothing}</p>;
  const nameOf = namesIn(telling);
  const format = formatIn(unit);
  return (
    <>
      <fieldset class="units-choice">
        <legend class="heard">{text.unit}</legend>
        {UNITS.map((each) => (
          <label key={each}>
            <input type="radio" name="cost-unit" checked={unit === each} onChange={() => setUnit(each)} />
            <span>{text.units[each]}</span>
          </label>
        ))}
      </fieldset>
      <LimitLine
        spent={telling.conversation.counters[unit === 'money' ? 'usd' : 'tokens']}
        limit={unit === 'money' ? conversation.limits.usd : conversation.limits.tokens}
        format={format}
      />
      <CostBars
        bins={bins}
        unit={unit}
        members={usage.members.map(({ memberId }) => memberOf(telling, memberId))}
      />
      <Table
        caption={text.byMember}
        columns={costColumns(words).slice(0, -1)}
        rows={costRows(usage, nameOf, words, fork).map(withoutSources)}
      />
      {usage.total.prices.estimated > 0 && (
        <p class="panel-note">
          {words.joining.labelled(words.cost.heads.price, describePrices(usage.total, words))}
        </p>
      )}
      {isUnpriced(usage.total) && <p class="warning">{text.unpriced(usage.total.prices.unknown)}</p>}
      <TurnTable bins={bins} unit={unit} nameOf={nameOf} format={format} />
    </>
  );
}

interface TurnTableProps extends Pick<CostShown, 'bins'> {
  readonly unit: CostUnit;
  readonly nameOf: (memberId: string) => string;
  readonly format: (amount: number) => string;
}

/** The bars in numbers, made when they are opened. */
function TurnTable({ bins, unit, nameOf, format }: TurnTableProps) {
  const [isOpen, setOpen] = useState(false);
  const text = words.webPanels.cost;
  const columns = [
    { head: text.turn },
    { head: words.cost.heads.member },
    { head: text.units[unit], isNumber: true },
  ];
  const rows = bins.flatMap(({ from, to, members }) =>
    members.map((share) => [text.turns(from, to), nameOf(share.memberId), format(shareIn(share, unit))]),
  );
  return (
    <details class="folded" onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{text.byTurn}</summary>
      {isOpen && <Table caption={text.byTurn} columns={columns} rows={rows} />}
    </details>
  );
}

/** A row without the sources of its prices, for which there is no room; what has no price says so. */
function withoutSources(row: readonly string[]): readonly string[] {
  const [money, ...others] = row.slice(0, -1).toReversed();
  return [money || words.cost.prices.unknown, ...others].toReversed();
}

interface TableProps {
  readonly caption: string;
  readonly columns: ReturnType<typeof costColumns>;
  readonly rows: readonly (readonly string[])[];
}

function Table({ caption, columns, rows }: TableProps) {
  const classOf = (index: number) => (columns[index]?.isNumber ? 'number' : undefined);
  return (
    <ScrollArea class="table-frame" label={caption}>
      <table class="panel-table">
        <thead>
          <tr>
            {columns.map(({ head }, index) => (
              <th key={head} scope="col" class={classOf(index)}>
                {head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.join('\0')}>
              {row.map((cell, index) =>
                index === 0 ? (
                  <th key={columns[index]?.head} scope="row">
                    {sanitizeToOneLine(cell)}
                  </th>
                ) : (
                  <td key={columns[index]?.head} class={classOf(index)}>
                    {sanitizeToOneLine(cell)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollArea>
  );
}

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
function LimitLine({ spent, limit, format }: LimitLineProps) {
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
