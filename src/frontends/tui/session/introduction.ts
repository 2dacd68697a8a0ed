import { introductionOf } from '../../../catalogue/members.js';
import { words } from '../../../catalogue/words.js';
import { canContinue } from '../../../conversation/questions.js';
import type { Conversation, ConversationSnapshot } from '../../../coordinator/Conversation.js';
import type { Team } from '../../../models/Team.js';
import { showMembers } from '../../../presentation/Telling.js';
import { showMessage } from '../../../presentation/tell.js';
import { describeBlock } from '../screen/describeBlock.js';
import { note, type Paragraph } from '../screen/Paragraph.js';
import { introduceCompany } from './describeCompany.js';
import { shortenMessage } from './shortenMessage.js';
import type { ResumedConversation, TerminalOptions } from './TerminalOptions.js';

/** Messages of a resumed conversation that are printed: as many as one likes to read. */
const MESSAGES_SHOWN = 20;

/** The top of the transcript: the team, its task, and how the conversation has gone so far. */
export function introduce(
  { team, company }: Pick<Conversation, 'team' | 'company'>,
  snapshot: ConversationSnapshot,
  { resumed, opening, demonstration = opening, folder }: TerminalOptions,
): Paragraph[] {
  const { messages, teamTask } = snapshot;
  const telling = { members: showMembers(team.members) };
  const shown = messages.slice(-MESSAGES_SHOWN);
  const above = (resumed?.messageCount ?? messages.length) - shown.length;
  return [
    note(team.name, 'strong'),
    ...(folder === undefined ? [] : [note(folder)]),
    ...introduceMembers(team),
    ...(teamTask === null ? [] : [note(words.terminal.teamTask(teamTask))]),
    ...(messages.length === 0 && demonstration === undefined ? [note(words.terminal.welcome)] : []),
    ...(above > 0 ? [note(words.terminal.earlierMessages(above))] : []),
    ...shown.flatMap((message) => describeBlock(showMessage(telling, shortenMessage(message)), telling)),
    ...(resumed === undefined ? [] : describeResumed(snapshot, resumed)),
    ...introduceCompany(company),
  ];
}

/** Sentences about what was unfinished when the conversation was closed, and how to continue. */
function describeResumed(
  { state }: ConversationSnapshot,
  { status, canRetry }: ResumedConversation,
): Paragraph[] {
  const hints = [
    ...(canContinue(state) ? [words.terminal.continueHint] : []),
    ...(canRetry ? [words.terminal.retryHint] : []),
  ];
  return [...status, ...hints].map((text) => note(text, 'warning'));
}

/** A line for each member, in their colour: who they are, what they run, what they may do. */
export function introduceMembers(team: Team): Paragraph[] {
  return showMembers(team.members).map((member) => ({
    kind: 'member',
    member,
    description: introductionOf(member).join(' · '),
  }));
}
