import { terminalEnglish as words } from '../../catalogue/terminal.js';
import type { ConversationSnapshot } from '../../coordinator/Conversation.js';
import { findAgentType } from '../../models/AgentConfig.js';
import { isHeldToPermission } from '../../models/heldToPermission.js';
import type { MemberId } from '../../models/ids.js';
import type { Member, Team } from '../../models/Team.js';
import type { Block } from './Block.js';
import { showMessage } from './messageBlocks.js';
import { createSpeakers } from './speakers.js';
import type { ResumedConversation, TerminalOptions } from './TerminalOptions.js';

/** Of a conversation that is taken up again, as much as one likes to read. */
const MESSAGES_SHOWN = 20;

/** What stands at the top: the team, its task, and how the conversation has gone so far. */
export function introduce(
  team: Team,
  snapshot: ConversationSnapshot,
  { resumed, demonstration }: TerminalOptions,
): Block[] {
  const { messages, teamTask } = snapshot;
  const speakers = createSpeakers(team.members);
  const shown = messages.slice(-MESSAGES_SHOWN);
  const above = (resumed?.messageCount ?? messages.length) - shown.length;
  return [
    { kind: 'note', tone: 'strong', text: team.name },
    ...introduceMembers(team),
    ...(teamTask === null ? [] : [quiet(words.teamTask(teamTask))]),
    ...(messages.length === 0 && demonstration === undefined ? [quiet(words.welcome)] : []),
    ...(above > 0 ? [quiet(words.earlierMessages(above))] : []),
    ...shown.flatMap((message) => {
      const { roleId, roleName } = message.speaker;
      return showMessage(speakers.get(roleId as MemberId) ?? { type: 'human', name: roleName }, message);
    }),
    ...(resumed === undefined ? [] : describeStanding(snapshot, resumed)),
  ];
}

/** What was left when the conversation was left, and how it goes on. */
function describeStanding(
  { phase }: ConversationSnapshot,
  { standing, canRetry }: ResumedConversation,
): Block[] {
  const hints = [
    ...(phase.kind === 'paused' ? [words.continueHint] : []),
    ...(canRetry ? [words.retryHint] : []),
  ];
  return [...standing, ...hints].map((text) => ({ kind: 'note', tone: 'warning', text }));
}

/** One line a member, in their colour: who they are, what they run, what they may do. */
export function introduceMembers(team: Team): Block[] {
  const speakers = createSpeakers(team.members);
  return team.members.flatMap((member): Block[] => {
    const speaker = speakers.get(member.id);
    if (speaker === undefined) return [];
    return [{ kind: 'member', speaker, description: describeMember(member) }];
  });
}

/** Who has the name of their program for a title needs it only once. */
function describeMember(member: Member): string {
  if (member.type === 'human') return words.memberTypes.human;
  const label = findAgentType(member.agentType)?.label ?? member.agentType;
  const isHeld = member.permission === 'full' || isHeldToPermission(member);
  const rights = isHeld ? member.permission : words.notHeld;
  return member.title === label ? rights : `${label} · ${rights}`;
}

function quiet(text: string): Block {
  return { kind: 'note', tone: 'quiet', text };
}
