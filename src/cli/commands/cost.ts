import { words } from '../../catalogue/words.js';
import {
  listUsage,
  splitUsage,
  summarizeUsage,
  type TurnUsageEntry,
  type Usage,
} from '../../conversation/usage.js';
import { formatCost } from '../../frontends/lines/formatCost.js';
import { explainUnpriced, findUnpriced } from '../../presentation/cost.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { loadSession } from '../sessions/loadSession.js';
import { withSession } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';

export interface CostOptions {
  readonly id?: string;
  readonly json?: boolean;
}

type NameOf = (memberId: string) => string;

/** Shows the usage of a saved session: by turn, by member, and in total. */
export function cost({ id, json }: CostOptions, context: CliContext): Promise<number> {
  return withSession(id, context, async (session) => {
    const { nameOf, members } = await loadSession(session);
    const entries = await listUsage(session.reader.read());
    const usage = summarizeUsage(entries);
    const { id: conversationId, forkedFrom } = session.summary;
    const origin = forkedFrom === undefined ? {} : { forkedFrom };
    if (json) printJson(context, { conversationId, ...origin, ...describeUsage(usage, entries, nameOf) });
    else if (entries.length === 0) say(context, words.cost.nothing(conversationId));
    else {
      print(context, formatCost(entries, nameOf, words));
      const unpriced = session.summary.isRehearsal ? [] : findUnpriced(usage, members);
      for (const line of explainUnpriced(unpriced, words)) say(context, sanitizeToOneLine(line));
    }
    return EXIT_CODES.done;
  });
}

function describeUsage(
  { total, members }: Usage,
  entries: readonly TurnUsageEntry[],
  nameOf: NameOf,
): object {
  return {
    total,
    ...splitUsage(entries),
    members: members.map(({ memberId, ...spent }) => ({ member: nameOf(memberId), ...spent })),
    turns: entries.map(({ memberId, usage, ...turn }) => ({ ...turn, member: nameOf(memberId), ...usage })),
  };
}
