/** The public API of `agent-huddle`: a chosen list. */
export type {
  AdditionalFolder,
  AgentAdapter,
  FileGuard,
  PermissionAnswer,
  PermissionQuestion,
  QuestionExtent,
  SessionChoice,
  TurnAddress,
  TurnRequest,
  TurnTimeLimits,
} from './agents/AgentAdapter.js';
export {
  type DetectedAgent,
  type DetectOptions,
  detectAcpAgents,
  detectAgents,
} from './agents/detectAgents.js';
export type { RehearsalOptions } from './agents/rehearsal/simulateAgents.js';
export type * from './cassette/Difference.js';
export type { MaskedPlace } from './cassette/maskText.js';
export { type CassetteSource, InvalidCassetteError } from './cassette/openCassette.js';
export {
  assertPlays,
  CassetteDiffersError,
  type CassetteMatch,
  type PlayCassetteOptions,
  type PlayedCassette,
  type PlayOptions,
  playCassette,
} from './cassette/playCassette.js';
export { describeTeamProblem } from './catalogue/teamProblems.js';
export { describeFailure, describeNotice, type ExplainedFailure } from './catalogue/tellings.js';
export { createDefaultTeam, type DefaultTeam, type DefaultTeamInput } from './config/defaultTeam.js';
export type {
  AgentInput,
  AgentTypeName,
  HumanInput,
  MemberInput,
  TeamInput,
} from './config/defineTeam.js';
export { defineTeam } from './config/defineTeam.js';
export { findTeamFile, type LoadedTeam, type LoadOptions, loadTeamFile } from './config/loadTeamFile.js';
export { TeamFileError } from './config/readRegularFile.js';
export { type ResolveOptions, resolveTeam, type TeamResult } from './config/resolveTeam.js';
export * from './context/index.js';
export type { ConversationState } from './conversation/ConversationState.js';
export type { Phase } from './conversation/questions.js';
export {
  listUsage,
  type MemberSpending,
  type Spending,
  summarizeUsage,
  type TurnUsageEntry,
  type Usage,
} from './conversation/usage.js';
export type {
  Conversation,
  ConversationSnapshot,
  FileActionOptions,
  FileSelectionOptions,
  SentText,
} from './coordinator/Conversation.js';
export type { ConversationPresence, Holder, PresenceChange } from './coordinator/ConversationPresence.js';
export {
  compareViews,
  type ExplainedTurn,
  explainTurn,
  explainTurns,
  type MemberViewAt,
} from './coordinator/explainTurn.js';
export {
  type ConversationOptions,
  createConversation,
  type ResumeConversationOptions,
  resumeConversation,
} from './createConversation.js';
export type { FileAction, FileActionStep } from './files/actions/describeFileAction.js';
export type { FilesDiff } from './files/actions/diffFiles.js';
export type { FileHistory, FileUnit } from './files/changes/fileHistory.js';
export type {
  ActivityEvent,
  AgentEvent,
  DecidedEvent,
  EndEvent,
  ErrorEvent,
  FileChangeEvent,
  FileDiff,
  PermissionDetails,
  PermissionRequestEvent,
  ProgressEvent,
  RawEvent,
  RetryEvent,
  SessionEvent,
  SessionTotals,
  TextDeltaEvent,
  TextEvent,
  TextResetEvent,
  ThinkingEvent,
  TodoListEvent,
  ToolDetailEvent,
  ToolEndEvent,
  ToolLocation,
  ToolStartEvent,
  TurnUsage,
  TurnWarning,
  UsageEvent,
  WaitingEvent,
  WarningEvent,
} from './models/AgentEvent.js';
export type * from './models/ConversationEvent.js';
export { EVENT_VERSION } from './models/ConversationEvent.js';
export type { ConversationId, MemberId, TurnId } from './models/ids.js';
export type { McpServer, RemoteMcpServer, StdioMcpServer } from './models/McpServer.js';
export type {
  AgentMember,
  CommandOutput,
  ContextSettings,
  EnvironmentMode,
  FileSettings,
  HumanMember,
  Limits,
  Member,
  Memory,
  ModelPrice,
  Permission,
  Routing,
  Team,
  Visibility,
} from './models/Team.js';
export type { TeamProblem, TeamProblemCode } from './models/TeamProblem.js';
export type * from './models/TurnOutcome.js';
export type { ForkCut, ForkPlace } from './store/forkConversation.js';
export {
  type ForkConversationOptions,
  type ForkedConversation,
  forkConversation,
} from './store/forkConversation.js';
export {
  type ImportOptions,
  InvalidImportError,
  importConversation,
  readChunks,
} from './store/importConversation.js';
export { MemoryStore } from './store/memory/MemoryStore.js';
export type {
  Checkpoint,
  ConversationContents,
  ConversationLog,
  ConversationPage,
  ConversationQuery,
  ConversationReader,
  CreateOptions,
  LeaseHolder,
  OpenOptions,
  Store,
} from './store/Store.js';
export { SqliteStore, type SqliteStoreOptions } from './store/sqlite/SqliteStore.js';
export {
  ConversationExistsError,
  ConversationLockedError,
  LeaseLostError,
  StoreDamagedError,
  StoreNewerError,
  StoreOlderError,
  StoreUnavailableError,
  StoreWriteError,
  UnknownConversationError,
} from './store/storeErrors.js';
export type {
  ConversationSummary,
  SessionState,
} from './store/summary.js';
export { formatEventDocument, formatEventLines } from './transcript/exportFormats.js';
export { formatHtml, type HtmlOptions } from './transcript/html.js';
export { formatMarkdown } from './transcript/markdown.js';
export { exportSnapshot, importSnapshot } from './transcript/snapshots.js';
export { createTranscript, type Transcript, type TranscriptEntry } from './transcript/Transcript.js';
export { type FormattedOutput, formatJsonl } from './utils/JsonlMessageFormatter.js';
