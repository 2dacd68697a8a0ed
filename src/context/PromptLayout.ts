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

/** The lines round each section. */
export type SectionFrames = Readonly<Record<SectionName, SectionFrame>>;

export const NO_FRAME = createFrame([]);

/** Frames that are just the titles. */
export function titleFrames({ titles }: PromptLayout): SectionFrames {
  const frameOf = (title: string | undefined) => (title === undefined ? NO_FRAME : createFrame([title]));
  return {
    system: frameOf(titles.system),
    task: frameOf(titles.task),
    context: frameOf(titles.context),
    message: frameOf(titles.message),
  };
}
