import { introductionOf } from '../../catalogue/members.js';
import { words } from '../../catalogue/words.js';
import { listUsage, summarizeUsage } from '../../conversation/usage.js';
import type { Conversation } from '../../coordinator/Conversation.js';
import { explainUnpriced, findUnpriced } from '../../presentation/cost.js';
import { namesIn, showMembers } from '../../presentation/Telling.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { formatCost } from '../lines/formatCost.js';
import { explainAsTyped } from '../lines/formatWhy.js';
import { fenceCode } from './promptText.js';

/** `/members`: a line for each member: who it is, what it runs, what it may do. */
export function answerMembers({ team }: Conversation): string {
  return showMembers(team.members)
    .map((member) => {
      const facts = [...(member.title === undefined ? [] : [member.title]), ...introductionOf(member)];
      return `- **${member.name}** · ${facts.join(' · ')}`;
    })
    .join('\n');
}

/** `/cost`: the usage by turn, by member, and in total. */
export async function answerCost(conversation: Conversation): Promise<string> {
  const entries = await listUsage(conversation.history());
  if (entries.length === 0) return words.cost.nothing(conversation.id);
  const members = showMembers(conversation.team.members);
  const advice = explainUnpriced(findUnpriced(summarizeUsage(entries), members)).map(sanitizeToOneLine);
  return [fenceCode(formatCost(entries, namesIn({ members }))), ...advice].join('\n\n');
}

/** `/why`: what a turn was sent and what was left out, or the text itself; by default of the last turn. */
export async function answerWhy(conversation: Conversation, argument: string): Promise<string> {
  const nameOf = namesIn({ members: showMembers(conversation.team.members) });
  return fenceCode(await explainAsTyped(() => conversation.history(), argument, nameOf));
}
