import type { AgentType } from '../models/AgentConfig.js';
import { InvalidOptionError, type SectionBytes } from '../models/errors.js';
import type { IContextAssembler } from './IContextAssembler.js';
import { NO_FRAME, type PromptLayout, type SectionName, titleFrame } from './PromptLayout.js';
import { type Protection, protect } from './promptGuard.js';
import { findLines } from './renderedLines.js';
import type { AssemblerInput, AssemblerOutput } from './types.js';
import {
  type FittedPrompt,
  fitSections,
  type HistorySection,
  type PromptSection,
  type TextSection,
} from './utils/contextTrimmer.js';

/** The engine of all assemblers: input and layout → sections → sections that fit → text. */
export class LayoutAssembler implements IContextAssembler {
  readonly #agentType: AgentType;
  readonly #layout: PromptLayout;

  constructor(agentType: AgentType, layout: PromptLayout) {
    this.#agentType = agentType;
    this.#layout = layout;
  }

  getAgentType(): AgentType {
    return this.#agentType;
  }

  assemble(input: AssemblerInput): AssemblerOutput {
    const systemText = joinInstructions(input);
    const { lines, bytes, droppedMessages, cutBytes } = fitInput(this.#layout, input, systemText);
    const prompt = lines.join('\n').toWellFormed();
    const systemFlag =
      this.#layout.systemText === 'flag' && systemText !== '' ? systemText.toWellFormed() : undefined;
    if (droppedMessages === 0 && cutBytes === 0) return { prompt, systemFlag };
    return { prompt, systemFlag, trim: { droppedMessages, cutBytes, sections: bytes } };
  }

  measureSections(input: AssemblerInput): SectionBytes {
    return fitInput(this.#layout, input, joinInstructions(input)).bytes;
  }
}

function fitInput(layout: PromptLayout, input: AssemblerInput, systemText: string): FittedPrompt {
  if (!Number.isSafeInteger(input.maxBytes) || input.maxBytes < 0) {
    throw new InvalidOptionError('maxBytes', input.maxBytes, 'a whole number of at least 0');
  }
  return fitSections(createSections(layout, input, systemText), input.maxBytes);
}

/** Configuration text and instruction file, both, each alone when the other is missing. */
function joinInstructions({ systemInstruction, instructionFileText }: AssemblerInput): string {
  return [systemInstruction, instructionFileText]
    .map((text) => text?.trim() ?? '')
    .filter((text) => text !== '')
    .join('\n\n');
}

/** The sections that have something to say, in order. */
function createSections(layout: PromptLayout, input: AssemblerInput, systemText: string): PromptSection[] {
  const protection = protect(layout, input);
  const sections: PromptSection[] = [];
  if (systemText !== '') sections.push(createSystemSection(layout, protection, systemText));
  const task = input.teamTask?.trim() ?? '';
  if (task !== '') sections.push(createTextSection(protection, 'task', task, 'never'));
  if (input.contextMessages.length > 0) sections.push(createHistorySection(layout, protection, input));
  const message = input.currentMessage.trim();
  if (message !== '') sections.push(createTextSection(protection, 'message', message, 'cut-end'));
  return sections;
}

function createSystemSection(layout: PromptLayout, protection: Protection, body: string): TextSection {
  if (layout.systemText === 'prompt') return createTextSection(protection, 'system', body, 'never');
  return { name: 'system', shrink: 'never', frame: NO_FRAME, body, beside: true };
}

function createTextSection(
  protection: Protection,
  name: SectionName,
  text: string,
  shrink: TextSection['shrink'],
): TextSection {
  const { frame, body } = protection.wrap(name, text);
  return { name, shrink, frame, body };
}

function createHistorySection(
  layout: PromptLayout,
  protection: Protection,
  { contextMessages, firstIsPinned = false }: AssemblerInput,
): HistorySection {
  return {
    name: 'context',
    shrink: 'drop-oldest',
    frame: titleFrame(layout, 'context'),
    count: contextMessages.length,
    firstIsPinned,
    lines: findLines(contextMessages, protection.historyLine),
  };
}
