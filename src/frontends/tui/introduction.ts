import { terminalEnglish as words } from '../../catalogue/terminal.js';
import type { ConversationSnapshot } from '../../coordinator/Conversation.js';
import { findAgentType } from '../../models/AgentConfig.js';
import type { MemberId } from '../../models/ids.js';
import type { Member, Team } from '../../models/Team.js';
import type { Block } from './Block.js';
import { cutHandOver } from './cutHandOver.js';
import { createSpeakers, type Speakers } from './speakers.js';

/** Of a conversation that is taken up again, as much as one likes to read. */
const MESSAGES_SHOWN = 20;
const FIRST_MESSAGE = 'msg-1';

/** What stands at the top: the team, what the caller wants said, and how the conversation has gone so far. */
export function introduce(team: Team, snapshot: ConversationSnapshot, notes: readonly string[]): Block[] {
  const { messages, teamTask } = snapshot;
  const shown = messages.slice(-MESSAGES_SHOWN);
  const isWhole = shown[0] === undefined || shown[0].id === FIRST_MESSAGE;
  return [
    { kind: 'note', tone: 'plain', text: team.name },
    ...introduceMembers(team),
    ...notes.map((text): Block => ({ kind: 'note', tone: 'warning', text })),
    ...(teamTask === null ? [] : [quiet(words.teamTask(teamTask))]),
    ...(messages.length === 0 ? [quiet(words.welcome)] : []),
    ...(isWhole ? [] : [quiet(words.earlierMessages)]),
    ...shown.flatMap((message) => showMessage(createSpeakers(team.members), message)),
  ];
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

function describeMember(member: Member): string {
  if (member.type === 'human') return words.memberTypes.human;
  return `${findAgentType(member.agentType)?.label ?? member.agentType} · ${member.permission}`;
}

function showMessage(speakers: Speakers, message: ConversationSnapshot['messages'][number]): Block[] {
  const { speaker, content, routing } = message;
  return [
    {
      kind: 'heading',
      speaker: speakers.get(speaker.roleId as MemberId) ?? { type: 'human', name: speaker.roleName },
      addressees: routing?.resolvedAddressees ?? [],
    },
    { kind: 'text', text: cutHandOver(content), tone: 'plain' },
  ];
}

function quiet(text: string): Block {
  return { kind: 'note', tone: 'quiet', text };
}
