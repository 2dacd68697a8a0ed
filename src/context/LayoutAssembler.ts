import type { AgentType } from '../models/AgentConfig.js';
import { InvalidOptionError, type SectionBytes } from '../models/errors.js';
import { measureText } from '../utils/bytes.js';
import type { IContextAssembler } from './IContextAssembler.js';
import { HistoryLines, NO_FRAME, type PromptLayout, type SectionName } from './PromptLayout.js';
import { leaveAsIs, type Protection, protect } from './promptGuard.js';
import type { AssemblerInput, AssemblerOutput } from './types.js';
import {
  fitSections,
  type HistorySection,
  measureSections,
  type PromptSection,
  renderSections,
  type TextSection,
} from './utils/contextTrimmer.js';

/** The engine of all assemblers: input and layout → sections → sections that fit → text. */
export class LayoutAssembler implements IContextAssembler {
  readonly #agentType: AgentType;
  readonly #layout: PromptLayout;
  readonly #unguarded: Protection;

  constructor(agentType: AgentType, layout: PromptLayout) {
    this.#agentType = agentType;
    this.#layout = layout;
    this.#unguarded = leaveAsIs(layout);
  }

  getAgentType(): AgentType {
    return this.#agentType;
  }

  /** The place of system text: beside the prompt, or in it. */
  get systemText(): PromptLayout['systemText'] {
    return this.#layout.systemText;
  }

  assemble(input: AssemblerInput): AssemblerOutput {
    const systemText = joinInstructions(input);
    const sections = this.#createSections(input, systemText);
    const trimmed = fitSections(sections, input.maxBytes);
    const prompt = renderSections(sections, trimmed);
    const systemFlag =
      this.#layout.systemText === 'flag' && systemText !== '' ? systemText.toWellFormed() : undefined;
    const { droppedMessages, dropsFiles, cut } = trimmed;
    if (droppedMessages === 0 && !dropsFiles && cut === null) return { prompt, systemFlag };
    const trim = {
      droppedMessages,
      ...(dropsFiles && { droppedFiles: true as const }),
      cutBytes: cut?.cutBytes ?? 0,
      sections: measureSections(sections, trimmed),
    };
    return { prompt, systemFlag, trim };
  }

  measureSections(input: AssemblerInput): SectionBytes {
    const sections = this.#createSections(input, joinInstructions(input));
    return measureSections(sections, fitSections(sections, input.maxBytes));
  }

  #createSections(input: AssemblerInput, systemText: string): PromptSection[] {
    const { maxBytes, guard } = input;
    if (!Number.isSafeInteger(maxBytes) || maxBytes < 0) {
      throw new InvalidOptionError('maxBytes', maxBytes, 'a whole number of at least 0');
    }
    const protection = guard === undefined ? this.#unguarded : protect(this.#layout, input, guard);
    return createSections(this.#layout, protection, input, systemText);
  }
}

/** Configuration text and instruction file, both, each alone when the other is missing. */
function joinInstructions({ systemInstruction, instructionFileText }: AssemblerInput): string {
  const own = systemInstruction?.trim() ?? '';
  const file = instructionFileText?.trim() ?? '';
  return own === '' || file === '' ? own + file : `${own}\n\n${file}`;
}

/** The sections that have something to say, in order. */
function createSections(
  layout: PromptLayout,
  protection: Protection,
  input: AssemblerInput,
  systemText: string,
): PromptSection[] {
  const sections: PromptSection[] = [];
  if (systemText !== '') sections.push(createSystemSection(layout, protection, systemText));
  const task = input.teamTask?.trim() ?? '';
  if (task !== '') sections.push(createTextSection(protection, 'task', task, 'never'));
  if (input.contextMessages.length > 0) sections.push(createHistorySection(protection, input));
  const files = input.files?.trim() ?? '';
  if (files !== '') sections.push(createTextSection(protection, 'files', files, 'drop'));
  const message = input.currentMessage.trim();
  if (message !== '') sections.push(createTextSection(protection, 'message', message, 'cut-end'));
  return sections;
}

function createSystemSection(layout: PromptLayout, protection: Protection, body: string): TextSection {
  if (layout.systemText === 'prompt') return createTextSection(protection, 'system', body, 'never');
  return { name: 'system', shrink: 'never', frame: NO_FRAME, body: measureText(body), beside: true };
}

function createTextSection(
  protection: Protection,
  name: SectionName,
  text: string,
  shrink: TextSection['shrink'],
): TextSection {
  const body = measureText(protection.shield(name, text));
  return { name, shrink, frame: protection.frames[name], body, beside: false };
}

function createHistorySection(
  protection: Protection,
  { contextMessages, firstIsPinned = false }: AssemblerInput,
): HistorySection {
  return {
    name: 'context',
    shrink: 'drop-oldest',
    frame: protection.frames.context,
    count: contextMessages.length,
    firstIsPinned,
    lines: new HistoryLines(contextMessages, protection.historyLine),
  };
}
