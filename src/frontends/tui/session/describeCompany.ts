import { formatSeconds } from '../../../catalogue/formats.js';
import { words } from '../../../catalogue/words.js';
import { type Company, type CompanyNews, isHeld } from '../../../coordinator/Company.js';
import type { Conversation } from '../../../coordinator/Conversation.js';
import { note, type Paragraph } from '../screen/Paragraph.js';

/** Names of the people that may speak at this terminal: on a shared store only the one whose role it is. */
export function speakersHere({ company, team }: Conversation): readonly string[] {
  if (company !== undefined) return company.speaker === undefined ? [] : [company.speaker];
  return team.members.filter(({ type }) => type === 'human').map(({ name }) => name);
}

/** Figures of the status line: who holds the conversation, and who is here. */
export function describeCompany(company: Company | undefined): readonly string[] {
  if (company === undefined) return [];
  const { holder, here, silence } = company;
  const { heldBy, here: areHere, silent } = words.company;
  const isElsewhere = holder !== null && !holder.isHere && !holder.isGone;
  return [
    ...(silence === null ? [] : [silent(formatSeconds(silence))]),
    ...(isElsewhere ? [heldBy(`${holder.role}@${holder.host}`)] : []),
    ...(here.length === 0 ? [] : [areHere(here)]),
  ];
}

/** Facts about the shared store of a conversation: who holds it, be it this process, who is here, and whether it answers. */
export function describeStore(company: Company | undefined): readonly string[] {
  if (company === undefined) return [];
  const { heldHere, heldByNoOne } = words.company;
  const first = isHeld(company) ? (company.holder?.isHere ? [heldHere] : []) : [heldByNoOne];
  return [...first, ...describeCompany(company)];
}

/** Tells whoever opens a conversation that others share what they can do in it. */
export function introduceCompany(company: Company | undefined): readonly Paragraph[] {
  if (company === undefined) return [];
  const { holder, speaker, role } = company;
  const { follows, readsOnly } = words.company;
  const isElsewhere = holder !== null && !holder.isHere && !holder.isGone;
  if (speaker === undefined) return [note(readsOnly(role), 'warning')];
  return isElsewhere ? [note(follows(`${holder.role}@${holder.host}`))] : [];
}

/** News of those who share a conversation, as lines of the transcript; none for what the status line shows. */
export function describeCompanyNews(news: CompanyNews): readonly Paragraph[] {
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
