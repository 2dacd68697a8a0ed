import type { PermissionQuestion } from '../agents/AgentAdapter.js';
import type { PermissionDecided } from '../models/ConversationEvent.js';
import type { AgentMember, Permission } from '../models/Team.js';
import { isCovered, isTouched } from './toolPattern.js';

export type Decision = Pick<PermissionDecided, 'decision' | 'by' | 'allowEntry'>;

type Rules = Pick<AgentMember, 'permission' | 'allow' | 'deny'>;

/** Decides a question by the team file; `undefined` leaves it to people. Denials come first. */
export function decidePermission(question: PermissionQuestion, rules: Rules): Decision | undefined {
  if (question.extent === 'too-long-to-judge') return TOO_LONG;
  if (rules.deny.some((entry) => isTouched(question, entry)))
    return { decision: 'denied', by: { kind: 'team-file' } };
  if (changesTeamFile(question)) return undefined;
  if (rules.allow.some((entry) => isCovered(question, entry)))
    return { decision: 'allowed', by: { kind: 'team-file' } };
  return allowedBy[rules.permission](question)
    ? { decision: 'allowed', by: { kind: 'permission' } }
    : undefined;
}

/** Denial of a request that is too long to show: no one decides about what no one can see. */
export const TOO_LONG: Decision = { decision: 'denied', by: { kind: 'size' } };

/** Suggests the entry of `allow` that covers a question and nothing else, if there is one. */
export function suggestEntry(question: PermissionQuestion, rules: Rules): Pick<Decision, 'allowEntry'> {
  const { name, command, paths } = question;
  const subject = command ?? (paths.length === 1 ? paths[0] : undefined);
  if (subject === undefined || /[*\n\r]/u.test(subject)) return {};
  const allowEntry = `${name}(${subject})`;
  return decidePermission(question, { ...rules, allow: [allowEntry] })?.decision === 'allowed'
    ? { allowEntry }
    : {};
}

const READING: ReadonlySet<string> = new Set(['read', 'search', 'think']);
const EDITING: ReadonlySet<string> = new Set(['edit', 'delete', 'move']);

const allowedBy: Readonly<Record<Permission, (question: PermissionQuestion) => boolean>> = {
  read: isReading,
  edit: (question) => isReading(question) || isEditing(question),
  full: () => true,
};

/** Whether it only reads, inside the folder. A command may do anything, whatever kind it is called. */
function isReading({ kind, command, isInFolder, isUnderstood }: PermissionQuestion): boolean {
  return READING.has(kind) && command === undefined && isInFolder && isUnderstood;
}

/**
 * An edit that does not say of what is not known to stay in the folder; and what is written into a repository's own
 * folder runs as a command later.
 */
function isEditing(question: PermissionQuestion): boolean {
  const { kind, command, paths, isInFolder, isUnderstood, guards } = question;
  const isNamed = paths.length > 0 && isInFolder && guards.length === 0;
  return EDITING.has(kind) && command === undefined && isNamed && isUnderstood;
}

/** Whether it changes a team file: people decide what agents may do, whatever lists and permission say. */
function changesTeamFile(question: PermissionQuestion): boolean {
  return question.guards.includes('team-file') && !isReading({ ...question, isInFolder: true });
}
