import { max, nice, ticks } from 'd3-array';
import type { BinShare, CostBin } from '../../wire.js';

/** Unit of a chart of costs. */
export type CostUnit = 'money' | 'tokens';

/** A chart in the units of its drawing: bars from left to right, each made of the parts of members. */
export interface CostChart {
  readonly width: number;
  readonly height: number;
  readonly ticks: readonly { readonly y: number; readonly value: number }[];
  readonly bars: readonly CostBar[];
}

export interface CostBar {
  readonly bin: CostBin;
  readonly x: number;
  readonly width: number;
  readonly total: number;
  readonly parts: readonly CostPart[];
}

export interface CostPart {
  readonly memberId: string;
  readonly value: number;
  readonly y: number;
  readonly height: number;
}

const TICKS = 4;
/** Part of its place that a bar fills. */
const FILLED = 0.8;
const WIDEST_BAR = 36;

export function shareIn({ usd, tokens }: BinShare, unit: CostUnit): number {
  return unit === 'money' ? usd : tokens;
}

/** Works out a chart of this size. Members are stacked in the order given, the first at the bottom. */
export function layOutCosts(
  bins: readonly CostBin[],
  unit: CostUnit,
  {
    memberIds,
    width,
    height,
  }: { readonly memberIds: readonly string[]; readonly width: number; readonly height: number },
): CostChart {
  const totals = bins.map(({ members }) => members.reduce((sum, share) => sum + shareIn(share, unit), 0));
  const [, top] = nice(0, max(totals) || 1, TICKS);
  const scale = height / top;
  const place = width / Math.max(1, bins.length);
  const barWidth = Math.min(WIDEST_BAR, place * FILLED);
  return {
    width,
    height,
    ticks: ticks(0, top, TICKS)
      .filter((value) => unit === 'money' || Number.isInteger(value))
      .map((value) => ({ value, y: height - value * scale })),
    bars: bins.map((bin, index) => ({
      bin,
      x: index * place + (place - barWidth) / 2,
      width: barWidth,
      total: totals[index] ?? 0,
      parts: stack(bin, unit, { memberIds, height, scale }),
    })),
  };
}

function stack(
  { members }: CostBin,
  unit: CostUnit,
  {
    memberIds,
    height,
    scale,
  }: { readonly memberIds: readonly string[]; readonly height: number; readonly scale: number },
): readonly CostPart[] {
  let y = height;
  return memberIds.flatMap((memberId) => {
    const share = members.find((each) => each.memberId === memberId);
    const value = share === undefined ? 0 : shareIn(share, unit);
    if (value <= 0) return [];
    y -= value * scale;
    return [{ memberId, value, y, height: value * scale }];
  });
}
