/** `agent-huddle/context`: the context layer by itself, without a dependency. */

export type { FromMarker, Marker, MarkerScan, NextMarker, TeamTaskMarker } from '../markers/markers.js';
export { MessageRouter, type ParsedMessage } from '../markers/parseMessage.js';
export type { AgentType, LayoutName } from '../models/AgentConfig.js';
export { normalizeAgentType } from '../models/AgentConfig.js';
export type {
  ConversationMessage,
  MessageRouting,
  NewMessage,
  Speaker,
  SpeakerType,
} from '../models/ConversationMessage.js';
export type { SectionBytes } from '../models/errors.js';
export {
  HuddleError,
  InvalidOptionError,
  InvalidSnapshotError,
  PromptBudgetError,
  UnknownMessageError,
} from '../models/errors.js';
export type { MessageId } from '../models/ids.js';
export type { Logger } from '../utils/logger.js';
export { buildPrompt, type PromptInput, type PromptOutput } from '../utils/PromptBuilder.js';
export { ClaudeContextAssembler } from './assemblers/ClaudeContextAssembler.js';
export { CodexContextAssembler } from './assemblers/CodexContextAssembler.js';
export { GeminiContextAssembler } from './assemblers/GeminiContextAssembler.js';
export { PlainTextAssembler } from './assemblers/PlainTextAssembler.js';
export { ContextManager } from './ContextManager.js';
export type { IContextAssembler } from './IContextAssembler.js';
export type {
  AssemblerInput,
  AssemblerOutput,
  ContextManagerOptions,
  ContextOptions,
  ContextSnapshot,
  ExplainedPrompt,
  GuardChoice,
  IContextProvider,
  LeftOutReason,
  MessageQuery,
  PlannedMessages,
  PromptContextMessage,
  PromptGuard,
  PromptPlan,
  TrimReport,
} from './types.js';
