import { createHash } from 'node:crypto';
import type { ContextManager } from '../context/ContextManager.js';
import type { AssemblerInput, AssemblerOutput, ContextOptions, PromptGuard } from '../context/types.js';
import type { MemberBrief, QueuedTurn, SentPrompt } from '../models/ConversationEvent.js';
import type { MemberId, MessageId } from '../models/ids.js';
import { utf8Length } from '../utils/bytes.js';
import { promptTypeOf, viewOptions } from './memberBrief.js';
import type { MemberSession } from './memberMemory.js';

/** A prompt as it is sent, and what is written down about it. */
export interface PreparedPrompt {
  readonly output: AssemblerOutput;
  readonly sent: SentPrompt;
  /** How many messages the history would have had without the byte budget. */
  readonly historyLength: number;
}

export interface PromptRequest {
  readonly brief: MemberBrief;
  readonly turn: QueuedTurn;
  /** The member's own session, to be gone on with. */
  readonly session?: MemberSession | undefined;
  /** The session was told the same system text before. */
  readonly knowsSystemText?: boolean;
}

/** Makes the prompt of one turn from what the conversation is now. Throws PromptBudgetError. */
export function preparePrompt(context: ContextManager, request: PromptRequest): PreparedPrompt {
  const { brief, turn, session } = request;
  const about = turn.about ?? notItself(context, turn);
  const lastSeen = session?.lastSeenMessageId;
  const options = turnOptions(brief, turn, { about, lastSeen });
  const { input, output, omitsSystemText } = assemble(context, request, options);
  const nonce = nonceOf(input.guard);
  return {
    output,
    historyLength: input.contextMessages.length,
    sent: {
      bytes: utf8Length(output.prompt) + utf8Length(output.systemFlag ?? ''),
      sha256: hashPrompt(output),
      latestMessageId: context.getLatestMessage()?.id ?? turn.triggeredBy,
      ...(about !== undefined && { about }),
      ...(lastSeen !== undefined && { lastSeenMessageId: lastSeen }),
      ...(nonce !== undefined && { nonce }),
      session: session === undefined ? 'new' : 'resume',
      ...(omitsSystemText && { omitsSystemText }),
    },
  };
}

/** How a turn looks at the conversation. In a session of its own a member is shown what it has not seen, all of it. */
export function turnOptions(
  brief: MemberBrief,
  { triggeredBy, blindRound }: Pick<QueuedTurn, 'triggeredBy' | 'blindRound'>,
  { about, lastSeen }: { readonly about?: MessageId | undefined; readonly lastSeen?: MessageId | undefined },
): ContextOptions {
  const { windowSizeOverride, ...view } = viewOptions(brief);
  return {
    ...view,
    ...(lastSeen === undefined ? { windowSizeOverride } : { lastSeenMessageId: lastSeen }),
    triggerMessageId: triggeredBy,
    ...(about !== undefined && { currentMessageId: about }),
    // Also when the round was split by a limit, nobody in it sees what the others said.
    ...(blindRound !== undefined && { ignoresLater: true }),
  };
}

/** Without the system text, which a session was told before. */
export function omitSystemText(options: ContextOptions): ContextOptions {
  return { ...options, systemInstruction: undefined, instructionFileText: undefined };
}

/** System text beside the prompt counts for one turn only and always goes along; in the prompt once is enough. */
function assemble(
  context: ContextManager,
  { brief, turn, session, knowsSystemText = false }: PromptRequest,
  options: ContextOptions,
): { input: AssemblerInput; output: AssemblerOutput; omitsSystemText: boolean } {
  const promptType = promptTypeOf(brief);
  const make = (wanted: ContextOptions) => {
    const input = context.getContextForAgent(turn.memberId, promptType, wanted);
    return { input, output: context.assemblePrompt(promptType, input) };
  };
  if (session === undefined || !knowsSystemText) return { ...make(options), omitsSystemText: false };
  const short = make(omitSystemText(options));
  const full = make(options);
  return full.output.systemFlag === undefined
    ? { ...short, omitsSystemText: true }
    : { ...full, omitsSystemText: false };
}

/** An agent is never asked about its own words: when it spoke last, the turn is about what triggered it. */
function notItself(
  context: ContextManager,
  { memberId, triggeredBy }: { readonly memberId: MemberId; readonly triggeredBy: MessageId },
): MessageId | undefined {
  return context.getLatestMessage()?.speaker.roleId === memberId ? triggeredBy : undefined;
}

export function hashPrompt({ prompt, systemFlag = '' }: AssemblerOutput): string {
  return createHash('sha256').update(systemFlag).update('\0').update(prompt).digest('hex');
}

function nonceOf(guard: PromptGuard | undefined): string | undefined {
  return guard?.mode === 'fence' ? guard.nonce : undefined;
}
