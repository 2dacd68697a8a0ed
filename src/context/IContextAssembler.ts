import type { AgentType } from '../models/AgentConfig.js';
import type { SectionBytes } from '../models/errors.js';
import type { AssemblerInput, AssemblerOutput } from './types.js';

export type { AssemblerInput, AssemblerOutput, PromptContextMessage } from './types.js';

/** Turns one member's view of the conversation into the prompt form that suits its agent. */
export interface IContextAssembler {
  getAgentType(): AgentType;
  /** Never over `maxBytes`, never an empty prompt in place of an error: throws PromptBudgetError instead. */
  assemble(input: AssemblerInput): AssemblerOutput;
  /** Bytes of each section of the prompt that `assemble` makes, for those who want to know. */
  measureSections?(input: AssemblerInput): SectionBytes;
}
