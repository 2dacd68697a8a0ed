import { nameSection } from '../../../../catalogue/formats.js';
import { sanitizeToOneLine } from '../../../../utils/sanitize.js';
import type { TurnExplained } from '../../wire.js';
import { panelWords as words } from './panelWords.js';

type PromptPlan = TurnExplained['plan'];

/** A part of a prompt and its share of the whole. */
export interface PromptPart {
  readonly key: string;
  readonly name: string;
  readonly bytes: number;
  /** Between 0 and 1. */
  readonly start: number;
  readonly share: number;
}

/** Lists the parts of a prompt that are in it, in their order. */
export function listSections({ sections }: PromptPlan): readonly PromptPart[] {
  const sizes = Object.entries(sections ?? {}).filter(([, bytes]) => bytes > 0);
  const total = sizes.reduce((sum, [, bytes]) => sum + bytes, 0);
  let start = 0;
  return sizes.map(([key, bytes]) => {
    const section = {
      key,
      name: sanitizeToOneLine(nameSection(key, words)),
      bytes,
      start,
      share: bytes / total,
    };
    start += section.share;
    return section;
  });
}

/** A run of messages that fared alike. */
export interface PlanRow {
  /** `msg-2`, or `msg-2 – msg-4`. */
  readonly messages: string;
  /** The first of them. */
  readonly firstId: string;
  readonly count: number;
  readonly isIn: boolean;
  readonly inclusion: string;
}

const INCLUDED: ReadonlySet<string> = new Set(['kept', 'pinned', 'current']);

export function listPlanRows({ messages }: PromptPlan): readonly PlanRow[] {
  const inclusions: Readonly<Record<string, string>> = words.why.inclusions;
  return messages.map(({ first, last, count, inclusion }) => ({
    messages: sanitizeToOneLine(first === last ? first : `${first} – ${last}`),
    firstId: first,
    count,
    isIn: INCLUDED.has(inclusion),
    inclusion: inclusions[inclusion] ?? inclusion,
  }));
}
