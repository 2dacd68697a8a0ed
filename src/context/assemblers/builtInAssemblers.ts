import {
  AGENT_TYPES,
  type AgentType,
  findAgentType,
  type LayoutName,
  normalizeAgentType,
} from '../../models/AgentConfig.js';
import type { LayoutAssembler } from '../LayoutAssembler.js';
import type { IContextAssembler } from '../types.js';
import { ClaudeContextAssembler } from './ClaudeContextAssembler.js';
import { CodexContextAssembler } from './CodexContextAssembler.js';
import { GeminiContextAssembler } from './GeminiContextAssembler.js';
import { PlainTextAssembler } from './PlainTextAssembler.js';

const assemblerByLayout: Readonly<Record<LayoutName, LayoutAssembler>> = {
  claude: new ClaudeContextAssembler(),
  codex: new CodexContextAssembler(),
  gemini: new GeminiContextAssembler(),
  'plain-text': new PlainTextAssembler(),
};

/** Assembler for agent types that are not in the table. */
export const fallbackAssembler: IContextAssembler = assemblerByLayout['plain-text'];

const builtInAssemblers: ReadonlyMap<AgentType, IContextAssembler> = new Map(
  AGENT_TYPES.map(({ type, layout }) => [type, assemblerByLayout[layout]]),
);

/** Whether prompts for an agent type have their system text beside them. */
export function hasSystemFlag(type: AgentType): boolean {
  const { layout = 'plain-text' } = findAgentType(normalizeAgentType(type)) ?? {};
  return assemblerByLayout[layout].systemText === 'flag';
}

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
