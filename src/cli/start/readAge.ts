import { InvalidArgumentError } from 'commander';
import { words } from '../../catalogue/words.js';

/** A span of time as it was typed: `30d`. */
export interface Age {
  readonly text: string;
  readonly milliseconds: number;
}

const HOUR = 3_600_000;
const UNITS: Readonly<Record<string, number>> = { h: HOUR, d: 24 * HOUR, w: 7 * 24 * HOUR };

/** Reads a number of hours, days or weeks from the command line. */
export function readAge(text: string): Age {
  const [, count = '', unit = ''] = /^(\d{1,6})([hdw])$/iu.exec(text.trim()) ?? [];
  const milliseconds = Number(count) * (UNITS[unit.toLowerCase()] ?? 0);
  if (milliseconds === 0) throw new InvalidArgumentError(words.cli.age);
  return { text, milliseconds };
}
