/** The contract of the assemblers, under the name the design documents import it by. */
export type { AssemblerInput, AssemblerOutput, IContextAssembler, PromptContextMessage } from './types.js';
