import { utf8Length } from '../utils/bytes.js';

/** Lines above and below the body of a section that come and go with it: a title, a fence. */
export interface SectionFrame {
  readonly before: readonly string[];
  readonly after: readonly string[];
  /** Line breaks included. */
  readonly bytes: number;
}

export function createFrame(above: readonly string[], below: readonly string[] = []): SectionFrame {
  const before = above.map((line) => line.toWellFormed());
  const after = below.map((line) => line.toWellFormed());
  const bytes = [...before, ...after].reduce((total, line) => total + utf8Length(line) + 1, 0);
  return { before, after, bytes };
}
