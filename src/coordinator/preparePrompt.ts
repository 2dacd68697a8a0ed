import { createHash } from 'node:crypto';
import type { ContextManager } from '../context/ContextManager.js';
import type { AssemblerOutput, ContextOptions, PromptGuard } from '../context/types.js';
import type { QueuedTurn, SentPrompt } from '../models/ConversationEvent.js';
import type { MessageId } from '../models/ids.js';
import type { AgentMember, Team } from '../models/Team.js';
import { utf8Length } from '../utils/bytes.js';
import { writePreamble } from './preamble.js';

/** A prompt as it is sent, and what is written down about it. */
export interface PreparedPrompt {
  readonly output: AssemblerOutput;
  readonly sent: SentPrompt;
  /** How many messages the history would have had without the byte budget. */
  readonly historyLength: number;
}

/** Makes the prompt of one turn from what the conversation is now. Throws PromptBudgetError. */
export function preparePrompt(
  context: ContextManager,
  team: Team,
  member: AgentMember,
  turn: QueuedTurn,
): PreparedPrompt {
  const about = turn.about ?? notItself(context, member, turn);
  const input = context.getContextForAgent(member.id, member.agentType, {
    ...viewOptions(team, member),
    triggerMessageId: turn.triggeredBy,
    ...(about !== undefined && { currentMessageId: about }),
    // Also when the round was split by a limit, nobody in it sees what the others said.
    ...(turn.blindRound !== undefined && { ignoresLater: true }),
  });
  const output = context.assemblePrompt(member.agentType, input);
  const latest = context.getLatestMessage();
  const nonce = nonceOf(input.guard);
  return {
    output,
    historyLength: input.contextMessages.length,
    sent: {
      bytes: utf8Length(output.prompt) + utf8Length(output.systemFlag ?? ''),
      sha256: hashPrompt(output),
      latestMessageId: latest?.id ?? turn.triggeredBy,
      ...(about !== undefined && { about }),
      ...(nonce !== undefined && { nonce }),
      session: 'new',
    },
  };
}

/** What a member sees by its entry in the team. */
export function viewOptions(team: Team, member: AgentMember): ContextOptions {
  return {
    systemInstruction: [writePreamble(member, team), member.systemInstruction ?? ''].join('\n\n'),
    instructionFileText: member.instructionFileText,
    windowSizeOverride: member.window,
    visibility: member.visibility,
    agentName: member.name,
    guard: team.context.guard,
    memberNames: team.members.map(({ name }) => name),
  };
}

/** An agent is never asked about its own words: when it spoke last, the turn is about what triggered it. */
function notItself(
  context: ContextManager,
  member: AgentMember,
  { triggeredBy }: QueuedTurn,
): MessageId | undefined {
  return context.getLatestMessage()?.speaker.roleId === member.id ? triggeredBy : undefined;
}

export function hashPrompt({ prompt, systemFlag = '' }: AssemblerOutput): string {
  return createHash('sha256').update(systemFlag).update('\0').update(prompt).digest('hex');
}

function nonceOf(guard: PromptGuard | undefined): string | undefined {
  return guard?.mode === 'fence' ? guard.nonce : undefined;
}
