import type { LineFormat } from './historyLine.js';
import { createFrame, type SectionFrame } from './sectionFrame.js';

/** The parts of a prompt, in the order in which every layout has them. */
export type SectionName = 'system' | 'task' | 'context' | 'message';

/** The declarative shape of a prompt: the three facts in which the layouts differ. */
export interface PromptLayout {
  /** `flag`: system text goes beside the prompt; `prompt`: it is the first section. */
  readonly systemText: 'flag' | 'prompt';
  /** The line above each section; a missing title means no line at all. */
  readonly titles: Readonly<Partial<Record<SectionName, string>>>;
  readonly historyLine: LineFormat;
}

export const NO_FRAME = createFrame([]);

const titleFrames = new Map<string, SectionFrame>();

/** The frame that is just the section's title; measured once. */
export function titleFrame({ titles }: PromptLayout, name: SectionName): SectionFrame {
  const title = titles[name];
  if (title === undefined) return NO_FRAME;
  let frame = titleFrames.get(title);
  if (frame === undefined) {
    frame = createFrame([title]);
    titleFrames.set(title, frame);
  }
  return frame;
}
