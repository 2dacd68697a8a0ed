import { english } from '../../catalogue/english.js';
import type { ConversationSummary } from '../../store/summary.js';
import { formatTime } from '../../transcript/words.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { EXIT_CODES } from '../exitCodes.js';
import { formatTable } from '../formatTable.js';
import { print, type Surroundings, say } from '../Surroundings.js';
import { findFoldersHere, isHere, withStore } from '../sessions.js';

const TITLE_LENGTH = 40;
const TO_THE_MINUTE = 'YYYY-MM-DD HH:MM'.length;

export interface SessionsOptions {
  readonly json?: boolean;
  /** Those of other folders too. */
  readonly all?: boolean;
}

/** What is kept of this folder, or of all of them, the one that was opened last first. */
export async function listSessions(
  { json, all = false }: SessionsOptions,
  surroundings: Surroundings,
): Promise<number> {
  const kept = await withStore(surroundings, (store) => store.list());
  const foldersHere = await findFoldersHere(surroundings);
  const shown = all ? kept : kept.filter((summary) => isHere(summary, foldersHere));
  if (json) print(surroundings, JSON.stringify(shown, null, 2));
  else if (shown.length > 0) print(surroundings, formatSessions(shown, all));
  else say(surroundings, kept.length === 0 ? english.sessions.none : english.sessions.noneHereYet);
  if (!json && kept.length > shown.length)
    say(surroundings, english.sessions.elsewhere(kept.length - shown.length));
  return EXIT_CODES.done;
}

function formatSessions(summaries: readonly ConversationSummary[], withFolders: boolean): string {
  const { id, when, team, members, turns, state, title, folder } = english.sessions.heads;
  const columns = [
    { head: id },
    { head: when },
    { head: team },
    { head: members },
    { head: turns, isNumber: true },
    { head: state },
    { head: title },
    ...(withFolders ? [{ head: folder }] : []),
  ];
  const rows = summaries.map((summary) => [
    ...describeSession(summary),
    ...(withFolders ? [sanitizeToOneLine(summary.folder ?? '')] : []),
  ]);
  return formatTable(columns, rows);
}

/** Of a damaged entry nothing but its id is known. */
function describeSession(summary: ConversationSummary): readonly string[] {
  const { id, changedAt, teamName, members, turns, state, title } = summary;
  if (state === 'damaged') return [sanitizeToOneLine(id), '', '', '', '', describeState(summary), ''];
  return [
    id,
    formatTime(changedAt).slice(0, TO_THE_MINUTE),
    sanitizeToOneLine(teamName),
    sanitizeToOneLine(members.map(({ name }) => name).join(', ')),
    String(turns),
    sanitizeToOneLine(describeState(summary)),
    shorten(sanitizeToOneLine(title)),
  ];
}

function describeState({ state, awaited, pause }: ConversationSummary): string {
  const { states, waitingFor, atLimit } = english.sessions;
  if (state === 'waiting') return waitingFor(awaited);
  return state === 'paused' && pause?.kind === 'limit' ? atLimit : states[state];
}

function shorten(title: string): string {
  const characters = Array.from(title);
  return characters.length <= TITLE_LENGTH ? title : `${characters.slice(0, TITLE_LENGTH - 1).join('')}…`;
}
