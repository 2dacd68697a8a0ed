import {
  AGENT_TYPES,
  type AgentType,
  type LayoutName,
  normalizeAgentType,
} from '../../models/AgentConfig.js';
import { LayoutAssembler } from '../LayoutAssembler.js';
import { arrowLine, bareLine, bulletLine } from '../PromptLayout.js';
import type { IContextAssembler } from '../types.js';

const BRACKETED_TITLES = { task: '[TEAM_TASK]', context: '[CONTEXT]', message: '[MESSAGE]' };

/** Bracketed sections; system text apart, for `--append-system-prompt`. */
export class ClaudeContextAssembler extends LayoutAssembler {
  constructor() {
    super('claude-code', { systemText: 'flag', titles: BRACKETED_TITLES, historyLine: arrowLine });
  }
}

/** Bracketed sections, system text among them. */
export class CodexContextAssembler extends LayoutAssembler {
  constructor() {
    const titles = { system: '[SYSTEM]', ...BRACKETED_TITLES };
    super('openai-codex', { systemText: 'prompt', titles, historyLine: arrowLine });
  }
}

/** Titles in plain words, and a history without addressees. */
export class GeminiContextAssembler extends LayoutAssembler {
  constructor() {
    const titles = {
      system: 'Instructions:',
      task: 'Team Task:',
      context: 'Conversation so far:',
      message: 'Your task:',
    };
    super('google-gemini', { systemText: 'prompt', titles, historyLine: bulletLine });
  }
}

/** No titles at all: for unknown agents. */
export class PlainTextAssembler extends LayoutAssembler {
  constructor() {
    super('unknown', { systemText: 'prompt', titles: {}, historyLine: bareLine });
  }
}

const assemblerByLayout: Readonly<Record<LayoutName, IContextAssembler>> = {
  claude: new ClaudeContextAssembler(),
  codex: new CodexContextAssembler(),
  gemini: new GeminiContextAssembler(),
  'plain-text': new PlainTextAssembler(),
};

/** Assembler for agent types that are not in the table. */
export const fallbackAssembler = assemblerByLayout['plain-text'];

const builtInAssemblers: ReadonlyMap<AgentType, IContextAssembler> = new Map(
  AGENT_TYPES.map(({ type, layout }) => [type, assemblerByLayout[layout]]),
);

/** The assemblers of the table of agents, and over them the ones a caller brings. */
export function collectAssemblers(
  own: ReadonlyMap<AgentType, IContextAssembler> = new Map(),
): ReadonlyMap<AgentType, IContextAssembler> {
  if (own.size === 0) return builtInAssemblers;
  return new Map([
    ...builtInAssemblers,
    ...[...own].map(([type, assembler]) => [normalizeAgentType(type), assembler] as const),
  ]);
}
