import type { PermissionQuestion } from '../agents/AgentAdapter.js';
import type { PermissionDecided } from '../models/ConversationEvent.js';
import type { AgentMember, Permission } from '../models/Team.js';

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

/** Characters by which one command line becomes several, or something else than it seems. */
const SHELL_CHARACTERS = /[;&|<>$`()\n\r]/u;
/** Borders at which another command may begin: also inside of quotes, as in `bash -c 'rm -rf .'`. */
const SHELL_BORDERS = /[;&|\n\r()`'"]+|\$\(/u;

/** `name`, or `name(pattern)`. */
interface ToolPattern {
  readonly tool: string;
  readonly pattern: string | undefined;
}

/** Kinds that promise something about a request, which the agent alone says of it. */
const PROMISES: ReadonlySet<string> = new Set(['read', 'search', 'think', 'edit', 'delete', 'move']);

/**
 * Whether an entry of an `allow` list covers everything a question is about. A `*` in its pattern stands for any text
 * without the characters that make several commands of one. What a request is called covers nothing.
 */
function isCovered(question: PermissionQuestion, entry: string): boolean {
  const { tool, pattern } = parseEntry(entry);
  const { command, paths, isUnderstood } = question;
  if (!namesTool(question, tool)) return false;
  if (pattern === undefined)
    return !PROMISES.has(tool.toLowerCase()) || (isUnderstood && command === undefined);
  const subjects = command === undefined ? paths : [command];
  const mayStandFor = command === undefined ? anything : isOneCommand;
  return (
    isUnderstood && subjects.length > 0 && subjects.every((subject) => fits(subject, pattern, mayStandFor))
  );
}

/**
 * Whether an entry of a `deny` list touches anything a question is about: the whole command, any of the commands it is
 * made of, any of the files, its title, its other arguments.
 */
function isTouched(question: PermissionQuestion, entry: string): boolean {
  const { tool, pattern } = parseEntry(entry);
  if (!namesTool(question, tool)) return false;
  if (pattern === undefined) return true;
  const { command = '', paths, title, arguments: others = '' } = question;
  const texts = [command, title, others];
  const parts = texts.flatMap((text) => text.split(SHELL_BORDERS).map((part) => part.trim()));
  return [...texts, ...paths, ...parts].some((subject) => fits(subject, pattern));
}

function parseEntry(entry: string): ToolPattern {
  const found = /^(?<tool>[^(]+)\((?<pattern>.*)\)$/su.exec(entry.trim())?.groups;
  return { tool: (found?.tool ?? entry).trim(), pattern: found?.pattern };
}

/** By the agent's own name of the tool, or by what sort of tool the protocol says it is. */
function namesTool({ name, kind }: PermissionQuestion, tool: string): boolean {
  return [name, kind].some((word) => fits(word.toLowerCase(), tool.toLowerCase()));
}

/** Each `*` of a pattern stands for some text, as little as will do. Takes time in proportion to the text, whatever it is. */
function fits(text: string, pattern: string, mayStandFor: (text: string) => boolean = anything): boolean {
  const [first = '', ...rest] = pattern.split('*');
  const last = rest.pop();
  if (last === undefined) return text === pattern;
  if (!text.startsWith(first)) return false;
  let position = first.length;
  for (const piece of rest) {
    const found = text.indexOf(piece, position);
    if (found < 0 || !mayStandFor(text.slice(position, found))) return false;
    position = found + piece.length;
  }
  const end = text.length - last.length;
  return end >= position && text.endsWith(last) && mayStandFor(text.slice(position, end));
}

function anything(): boolean {
  return true;
}

function isOneCommand(text: string): boolean {
  return !SHELL_CHARACTERS.test(text);
}
