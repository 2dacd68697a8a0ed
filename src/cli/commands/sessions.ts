import { english } from '../../catalogue/english.js';
import type { ConversationSummary } from '../../store/summary.js';
import { formatTime } from '../../transcript/words.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { EXIT_CODES } from '../exitCodes.js';
import { formatTable } from '../formatTable.js';
import { print, type Surroundings, say } from '../Surroundings.js';
import { withStore } from '../sessions.js';

const TITLE_LENGTH = 40;
const TO_THE_MINUTE = 'YYYY-MM-DD HH:MM'.length;

export interface SessionsOptions {
  readonly json?: boolean;
}

/** What is kept, the one that changed last first. */
export async function listSessions({ json }: SessionsOptions, surroundings: Surroundings): Promise<number> {
  const summaries = await withStore(surroundings, (store) => store.list());
  if (json) print(surroundings, JSON.stringify(summaries, null, 2));
  else if (summaries.length === 0) say(surroundings, english.sessions.none);
  else print(surroundings, formatSessions(summaries));
  return EXIT_CODES.done;
}

function formatSessions(summaries: readonly ConversationSummary[]): string {
  const { id, when, team, members, turns, state, title } = english.sessions.heads;
  const columns = [
    { head: id },
    { head: when },
    { head: team },
    { head: members },
    { head: turns, isNumber: true },
    { head: state },
    { head: title },
  ];
  return formatTable(columns, summaries.map(describeSession));
}

/** Of a damaged entry nothing but its id is known. */
function describeSession(summary: ConversationSummary): readonly string[] {
  const { id, changedAt, teamName, memberNames, turns, state, title } = summary;
  const stateName = english.sessions.states[state];
  if (state === 'damaged') return [sanitizeToOneLine(id), '', '', '', '', stateName, ''];
  return [
    id,
    formatTime(changedAt).slice(0, TO_THE_MINUTE),
    sanitizeToOneLine(teamName),
    sanitizeToOneLine(memberNames.join(', ')),
    String(turns),
    stateName,
    shorten(sanitizeToOneLine(title)),
  ];
}

function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length <= TITLE_LENGTH ? title : `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`;
}
