import { formatSeconds } from '../../../catalogue/formats.js';
import { introductionOf } from '../../../catalogue/members.js';
import type { Catalogue } from '../../../catalogue/words.js';
import { canContinue } from '../../../conversation/questions.js';
import type { Conversation, ConversationSnapshot } from '../../../coordinator/Conversation.js';
import {
  type ConversationPresence,
  isHeld,
  type PresenceChange,
} from '../../../coordinator/ConversationPresence.js';
import type { ConversationMessage } from '../../../models/ConversationMessage.js';
import type { Team } from '../../../models/Team.js';
import { describeBlock } from '../../../presentation/describeBlock.js';
import { note, type Paragraph } from '../../../presentation/Paragraph.js';
import { showMembers } from '../../../presentation/Telling.js';
import { showMessage } from '../../../presentation/tell.js';
import type { ResumedConversation, TerminalOptions } from './TerminalOptions.js';

/** Messages of a resumed conversation that are printed: as many as one likes to read. */
const MESSAGES_SHOWN = 20;

/** The top of the transcript: the team, its task, and how the conversation has gone so far. */
export function introduce(
  { team, presence }: Pick<Conversation, 'team' | 'presence'>,
  snapshot: ConversationSnapshot,
  { words, resumed, opening, demonstration = opening, folder }: TerminalOptions,
): Paragraph[] {
  const { messages, teamTask } = snapshot;
  const telling = { members: showMembers(team.members) };
  const shown = messages.slice(-MESSAGES_SHOWN);
  const above = (resumed?.messageCount ?? messages.length) - shown.length;
  return [
    note(team.name, 'strong'),
    ...(folder === undefined ? [] : [note(folder)]),
    ...introduceMembers(team, words),
    ...(teamTask === null ? [] : [note(words.terminal.teamTask(teamTask))]),
    ...(messages.length === 0 && demonstration === undefined ? [note(words.terminal.welcome)] : []),
    ...(above > 0 ? [note(words.terminal.earlierMessages(above))] : []),
    ...shown.flatMap((message) =>
      describeBlock(showMessage(telling, shortenMessage(message, words)), telling, { words }),
    ),
    ...(resumed === undefined ? [] : describeResumed(snapshot, resumed, words)),
    ...introducePresence(presence, words),
  ];
}

/** Sentences about what was unfinished when the conversation was closed, and how to continue. */
function describeResumed(
  { state }: ConversationSnapshot,
  { status, canRetry }: ResumedConversation,
  words: Catalogue,
): Paragraph[] {
  const hints = [
    ...(canContinue(state) ? [words.terminal.continueHint] : []),
    ...(canRetry ? [words.terminal.retryHint] : []),
  ];
  return [...status, ...hints].map((text) => note(text, 'warning'));
}

/** A line for each member, in their colour: who they are, what they run, what they may do. */
export function introduceMembers(team: Team, words: Catalogue): Paragraph[] {
  return showMembers(team.members).map((member) => ({
    kind: 'member',
    member,
    description: introductionOf(member, words).join(' · '),
  }));
}

/** Longer ones are pastes rather than something to read again. */
const MOST_LINES = 30;
const LINES_SHOWN = 10;

/** The message as a resumed conversation shows it: of a long one of a person, its beginning. */
export function shortenMessage(message: ConversationMessage, words: Catalogue): ConversationMessage {
  const lines = message.content.split('\n');
  if (message.speaker.type !== 'human' || lines.length <= MOST_LINES) return message;
  const rest = words.terminal.moreLines(lines.length - LINES_SHOWN);
  return { ...message, content: [...lines.slice(0, LINES_SHOWN), rest].join('\n') };
}

/** Names of the people that may speak at this terminal: on a shared store only the one whose role it is. */
export function speakersHere({ presence, team }: Conversation): readonly string[] {
  if (presence !== undefined) return presence.speaker === undefined ? [] : [presence.speaker];
  return team.members.filter(({ type }) => type === 'human').map(({ name }) => name);
}

/** Figures of the status line: who holds the conversation, and who is here. */
export function describePresence(
  presence: ConversationPresence | undefined,
  words: Catalogue,
): readonly string[] {
  if (presence === undefined) return [];
  const { holder, here, silence } = presence;
  const { heldBy, here: areHere, silent } = words.company;
  const isElsewhere = holder !== null && !holder.isHere && !holder.isGone;
  return [
    ...(silence === null ? [] : [silent(formatSeconds(silence, words))]),
    ...(isElsewhere ? [heldBy(`${holder.role}@${holder.host}`)] : []),
    ...(here.length === 0 ? [] : [areHere(here)]),
  ];
}

/** Facts about the shared store of a conversation: who holds it, be it this process, who is here, and whether it answers. */
export function describeStore(
  presence: ConversationPresence | undefined,
  words: Catalogue,
): readonly string[] {
  if (presence === undefined) return [];
  const { heldHere, heldByNoOne } = words.company;
  const first = isHeld(presence) ? (presence.holder?.isHere ? [heldHere] : []) : [heldByNoOne];
  return [...first, ...describePresence(presence, words)];
}

/** Tells whoever opens a conversation that others share what they can do in it. */
export function introducePresence(
  presence: ConversationPresence | undefined,
  words: Catalogue,
): readonly Paragraph[] {
  if (presence === undefined) return [];
  const { holder, speaker, role } = presence;
  const { follows, readsOnly } = words.company;
  const isElsewhere = holder !== null && !holder.isHere && !holder.isGone;
  if (speaker === undefined) return [note(readsOnly(role), 'warning')];
  return isElsewhere ? [note(follows(`${holder.role}@${holder.host}`))] : [];
}

/** News of those who share a conversation, as lines of the transcript; none for what the status line shows. */
export function describeCompanyNews(news: PresenceChange, words: Catalogue): readonly Paragraph[] {
  const { holderGone, holderLeft, noHolder, stopped, tries, notSaved, back, lost } = words.company;
  switch (news.kind) {
    case 'changed':
      return [];
    case 'holder-gone':
      return [note(holderGone(news.role), 'warning')];
    case 'holder-left':
      return [note(holderLeft(news.role), 'warning')];
    case 'stopped':
      return [
        note(news.hadTurns ? stopped : tries, 'bad'),
        ...news.unsaved.map((text) => note(notSaved(text), 'warning')),
      ];
    case 'back':
      return [note(back)];
    case 'lost': {
      const { holder } = news;
      return [note(holder === null ? noHolder : lost(`${holder.role}@${holder.host}`), 'warning')];
    }
  }
}
