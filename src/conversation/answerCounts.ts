import { fingerprint } from '../utils/fingerprint.js';

/** Number of times each answer was given. Plain data that is never changed: one more answer copies a few small arrays. */
export interface AnswerCounts {
  /** Number of different answers. */
  readonly different: number;
  /** Times that the most frequent answer was given. */
  readonly most: number;
  readonly root: Branch;
}

/** An answer, or all answers that have the digits on the way here in common; null: none. */
type Branch = CountedAnswer | readonly Branch[] | null;

interface CountedAnswer {
  readonly fingerprint: number;
  readonly times: number;
}

export const NO_ANSWERS: AnswerCounts = { different: 0, most: 0, root: null };

/** Answers are sorted by the digits of their fingerprints, to this base. */
const BASE = 16;

export function addAnswer({ different, most, root }: AnswerCounts, answer: string): AnswerCounts {
  const key = fingerprint(answer);
  const known = timesOf(root, key);
  return {
    different: known === 0 ? different + 1 : different,
    most: Math.max(most, known + 1),
    root: put(root, { fingerprint: key, times: known + 1 }),
  };
}

function timesOf(branch: Branch, key: number): number {
  let [place, digits] = [branch, key];
  for (; isFork(place); digits = Math.floor(digits / BASE)) place = place[digits % BASE] ?? null;
  return place?.fingerprint === key ? place.times : 0;
}

/** `depth`: number of digits on the way here. */
function put(branch: Branch, counted: CountedAnswer, depth = 0): Branch {
  if (branch === null) return counted;
  if (!isFork(branch)) {
    if (branch.fingerprint === counted.fingerprint) return counted;
    const fork = new Array<Branch>(BASE).fill(null).with(digitAt(branch, depth), branch);
    return put(fork, counted, depth);
  }
  const digit = digitAt(counted, depth);
  return branch.with(digit, put(branch[digit] ?? null, counted, depth + 1));
}

function isFork(branch: Branch): branch is readonly Branch[] {
  return Array.isArray(branch);
}

function digitAt({ fingerprint }: CountedAnswer, depth: number): number {
  return Math.floor(fingerprint / BASE ** depth) % BASE;
}
