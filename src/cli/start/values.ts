import type { Catalogue } from '../../catalogue/words.js';

type Rule<Value> = readonly [read: (text: string) => Value | undefined, reason: (words: Catalogue) => string];

const MOST_PORT = 65_535;
const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** A span of time as it was typed: `30d`. */
export interface Age {
  readonly text: string;
  readonly milliseconds: number;
}

export const WHOLE_NUMBER: Rule<number> = [
  (text) => wholeNumber(text, 1, Number.MAX_SAFE_INTEGER),
  ({ cli }) => cli.wholeNumber,
];

export const REPEAT: Rule<number> = [(text) => wholeNumber(text, 2, 10), ({ replay }) => replay.badRepeat];

export const PORT: Rule<number> = [
  (text) => (/^\d{1,5}$/u.test(text) ? wholeNumber(text, 0, MOST_PORT) : undefined),
  ({ webDoor }) => webDoor.badPort,
];

export const AMOUNT: Rule<number> = [
  (text) => {
    const number = Number(text);
    return Number.isFinite(number) && number > 0 ? number : undefined;
  },
  ({ cli }) => cli.money,
];

/** A number of hours, days or weeks. */
export const AGE: Rule<Age> = [
  (text) => {
    const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/iu.exec(text.trim()) ?? [];
    const milliseconds = Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
    return milliseconds === 0 ? undefined : { text, milliseconds };
  },
  ({ cli }) => cli.age,
];

/** Seconds that a call waits. */
export function waitOf(most: number): Rule<number> {
  return [(text) => wholeNumber(text, 1, most), ({ mcp }) => mcp.badWait(most)];
}

function wholeNumber(text: string, least: number, most: number): number | undefined {
  const number = Number(text);
  return Number.isInteger(number) && number >= least && number <= most ? number : undefined;
}
