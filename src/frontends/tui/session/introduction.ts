import { memberKind, rightsOf } from '../../../catalogue/members.js';
import { terminalEnglish as words } from '../../../catalogue/terminal.js';
import type { ConversationSnapshot } from '../../../coordinator/Conversation.js';
import type { Team } from '../../../models/Team.js';
import { showMembers } from '../../../presentation/Telling.js';
import { showMessage } from '../../../presentation/tell.js';
import { describeBlock } from '../screen/describeBlock.js';
import type { Paragraph } from '../screen/Paragraph.js';
import type { ResumedConversation, TerminalOptions } from './TerminalOptions.js';

/** Of a conversation that is taken up again, as much as one likes to read. */
const MESSAGES_SHOWN = 20;

/** What stands at the top: the team, its task, and how the conversation has gone so far. */
export function introduce(
  team: Team,
  snapshot: ConversationSnapshot,
  { resumed, demonstration }: TerminalOptions,
): Paragraph[] {
  const { messages, teamTask } = snapshot;
  const telling = { members: showMembers(team.members) };
  const shown = messages.slice(-MESSAGES_SHOWN);
  const above = (resumed?.messageCount ?? messages.length) - shown.length;
  return [
    { kind: 'note', tone: 'strong', text: team.name },
    ...introduceMembers(team),
    ...(teamTask === null ? [] : [quiet(words.teamTask(teamTask))]),
    ...(messages.length === 0 && demonstration === undefined ? [quiet(words.welcome)] : []),
    ...(above > 0 ? [quiet(words.earlierMessages(above))] : []),
    ...shown.flatMap((message) => describeBlock(showMessage(telling, message), telling)),
    ...(resumed === undefined ? [] : describeStanding(snapshot, resumed)),
  ];
}

/** What was left when the conversation was left, and how it goes on. */
function describeStanding(
  { phase }: ConversationSnapshot,
  { standing, canRetry }: ResumedConversation,
): Paragraph[] {
  const hints = [
    ...(phase.kind === 'paused' ? [words.continueHint] : []),
    ...(canRetry ? [words.retryHint] : []),
  ];
  return [...standing, ...hints].map((text) => ({ kind: 'note', tone: 'warning', text }));
}

/** One line a member, in their colour: who they are, what they run, what they may do. */
export function introduceMembers(team: Team): Paragraph[] {
  return showMembers(team.members).map((member) => {
    const kind = memberKind(member);
    // Who has the name of their program for a title needs it only once.
    const facts = [...(member.title === kind ? [] : [kind]), ...rightsOf(member)];
    return { kind: 'member', member, description: facts.join(' · ') };
  });
}

function quiet(text: string): Paragraph {
  return { kind: 'note', tone: 'quiet', text };
}
