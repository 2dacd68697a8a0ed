import type { FileDiff } from '../../models/AgentEvent.js';
import type { QuestionExtent } from '../AgentAdapter.js';

/** What has been said about one tool call until now; every message about it may tell a part. */
export interface AcpToolCall {
  readonly toolId: string;
  readonly name?: string;
  readonly kind?: string;
  readonly title?: string;
  readonly rawInput?: unknown;
  readonly status?: string;
  readonly locations: readonly string[];
  readonly diffs: readonly FileDiff[];
  /** What was too long is not kept. */
  readonly extent: QuestionExtent;
  readonly isStarted: boolean;
  readonly isEnded: boolean;
}
