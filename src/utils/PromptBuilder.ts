import { collectAssemblers, fallbackAssembler } from '../context/assemblers/builtInAssemblers.js';
import type { IContextAssembler } from '../context/IContextAssembler.js';
import type { AssemblerInput, AssemblerOutput, PromptContextMessage } from '../context/types.js';
import { cutMark } from '../context/utils/contextTrimmer.js';
import { type AgentType, normalizeAgentType } from '../models/AgentConfig.js';
import { InvalidOptionError } from '../models/errors.js';
import { DEFAULT_CONTEXT_WINDOW_SIZE, DEFAULT_MAX_BYTES } from '../models/textLimits.js';
import { lastBytes, truncateToBytes, utf8Length } from './bytes.js';

export type { PromptContextMessage } from '../context/types.js';

export interface PromptInput {
  readonly agentType: AgentType;
  /** Text of the team file; never cut. */
  readonly systemInstructionText?: string;
  /** Text of the instruction file; its middle is cut before a prompt is given up. */
  readonly instructionFileText?: string;
  readonly contextMessages: ReadonlyArray<PromptContextMessage & { readonly timestamp?: number | Date }>;
  readonly message: string;
  readonly teamTask?: string | null;
  /** Default 768 KB. */
  readonly maxBytes?: number;
  /** The newest this many of `contextMessages` go in. Default 5. */
  readonly windowSize?: number;
}

export type PromptOutput = AssemblerOutput;

/** Less than this is no instruction any more; then the message gives way instead. */
const MINIMUM_INSTRUCTION_BYTES = 256;

/** Builds one prompt from its parts with the agent's assembler, without a conversation. */
export function buildPrompt(input: PromptInput): PromptOutput {
  const { windowSize = DEFAULT_CONTEXT_WINDOW_SIZE } = input;
  if (!Number.isSafeInteger(windowSize) || windowSize < 0) {
    throw new InvalidOptionError('windowSize', windowSize, 'a whole number of at least 0');
  }
  const assembler = collectAssemblers().get(normalizeAgentType(input.agentType)) ?? fallbackAssembler;
  const wanted: AssemblerInput = {
    contextMessages: windowSize === 0 ? [] : input.contextMessages.slice(-windowSize),
    currentMessage: input.message,
    teamTask: input.teamTask ?? null,
    systemInstruction: input.systemInstructionText,
    instructionFileText: input.instructionFileText,
    maxBytes: input.maxBytes ?? DEFAULT_MAX_BYTES,
  };
  const shortened = shortenInstructionFile(assembler, wanted);
  if (shortened === null) return assembler.assemble(wanted);
  return noteInstructionCut(
    assembler,
    { ...wanted, instructionFileText: shortened.text },
    shortened.cutBytes,
  );
}

/**
 * Shortens the instruction file when even without history the rest does not fit with it: first so far that
 * all history stays, else so far that the message stays whole, else to its minimum. Null: there is no need.
 */
function shortenInstructionFile(
  assembler: IContextAssembler,
  input: AssemblerInput,
): { text: string; cutBytes: number } | null {
  const file = input.instructionFileText?.trim().toWellFormed() ?? '';
  const fileBytes = utf8Length(file);
  if (fileBytes <= MINIMUM_INSTRUCTION_BYTES) return null;
  const besidesFile = wholeBytes(assembler, { ...input, contextMessages: [] }) - fileBytes;
  if (besidesFile + fileBytes <= input.maxBytes) return null;

  const besidesFileWithHistory = wholeBytes(assembler, input) - fileBytes;
  const room = [besidesFileWithHistory, besidesFile]
    .map((bytes) => input.maxBytes - bytes)
    .find((bytes) => bytes >= MINIMUM_INSTRUCTION_BYTES);
  return cutMiddle(file, fileBytes, room ?? MINIMUM_INSTRUCTION_BYTES);
}

/** Size of the prompt if nothing had to be left out. */
function wholeBytes(assembler: IContextAssembler, input: AssemblerInput): number {
  const { prompt, systemFlag } = assembler.assemble({ ...input, maxBytes: Number.MAX_SAFE_INTEGER });
  return utf8Length(prompt) + utf8Length(systemFlag ?? '');
}

/** Head and tail stay, a mark between them says how much is missing. */
function cutMiddle(text: string, textBytes: number, maxBytes: number): { text: string; cutBytes: number } {
  const room = maxBytes - utf8Length(`${cutMark(textBytes)}\n`);
  const head = truncateToBytes(text, Math.ceil(room / 2));
  const tail = lastBytes(text, room - utf8Length(head));
  const cutBytes = textBytes - utf8Length(head) - utf8Length(tail);
  return { text: `${head}${cutMark(cutBytes)}\n${tail}`, cutBytes };
}

function noteInstructionCut(
  assembler: IContextAssembler,
  input: AssemblerInput,
  instructionCutBytes: number,
): PromptOutput {
  const output = assembler.assemble(input);
  const sections = output.trim?.sections ?? assembler.measureSections?.(input);
  if (sections === undefined) return output;
  return {
    ...output,
    trim: { droppedMessages: 0, cutBytes: 0, ...output.trim, sections, instructionCutBytes },
  };
}
