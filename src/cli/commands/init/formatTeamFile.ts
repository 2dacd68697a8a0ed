import { findPreset, type Preset, type PresetName, type PresetRole } from '../../../catalogue/presets.js';
import { words } from '../../../catalogue/words.js';
import { findAgentType } from '../../../models/AgentConfig.js';
import { findNamedAgentType } from '../../../models/knownPrograms.js';

/** Name of the member that runs the tests of the project. */
const CHECK_NAME = 'tests';

/** Everything a team file is made of. */
export interface TeamFileDraft {
  readonly preset: PresetName;
  readonly roles: readonly AssignedRole[];
  /** Program and arguments that check every change. */
  readonly check?: readonly string[] | undefined;
  /** Program and arguments that prepare a copy. */
  readonly setup?: readonly string[] | undefined;
  readonly schema: string;
  readonly task?: string;
  /** A line at the top, below what the preset says of itself. */
  readonly hint: string;
}

/** The text of `huddle.jsonc`: JSON with a comment wherever the user may want to change something. */
export function formatTeamFile(draft: TeamFileDraft): string {
  const { preset, roles, check, setup, schema, task, hint } = draft;
  const { summary, fanout, round, limits } = findPreset(preset);
  const { comments } = words.init;
  return lines(
    '{',
    comment(comments.preset(preset, summary)),
    comment(hint),
    `  "$schema": ${JSON.stringify(schema)},`,
    '  "version": 1,',
    `  "name": ${JSON.stringify(preset)},`,
    ...(words.language === 'en' ? [] : [`  "language": ${JSON.stringify(words.language)},`]),
    comment(comments.task),
    task === undefined
      ? comment(`"task": ${JSON.stringify(comments.noTask)},`)
      : `  "task": ${JSON.stringify(task)},`,
    '  "members": [',
    // Colleagues share the file, so it has no login name.
    '    { "name": "you", "type": "human" },',
    [
      ...roles.map((role, index) => formatRole(role, index, check)),
      ...(check === undefined ? [] : [formatCheck(check)]),
    ].join(',\n'),
    '  ],',
    comment(round === undefined ? comments.fanout[fanout] : comments.round(round)),
    `  "routing": { "fallback": "human", "fanout": ${JSON.stringify(fanout)} },`,
    ...(setup === undefined
      ? []
      : [comment(comments.setup), `  "files": { "setup": ${formatList(setup)} },`]),
    comment(comments.limits),
    `  "limits": ${JSON.stringify(limits, null, 1).replaceAll(/\s+/gu, ' ')}`,
    '}',
    '',
  );
}

function formatRole(
  { name, title, agentType, permission, instruction }: AssignedRole,
  index: number,
  check: readonly string[] | undefined,
): string {
  const shortType = findAgentType(agentType)?.aliases[0] ?? agentType;
  const allowed = entryForTests({ agentType, permission }, check);
  const { comments } = words.init;
  const note = (text: string): string => (index === 0 ? remark(text) : '');
  return lines(
    '    {',
    `      "name": ${JSON.stringify(name)},${note(comments.name(name))}`,
    '      "type": "ai",',
    `      "agentType": ${JSON.stringify(shortType)},${note(comments.agentType)}`,
    `      "title": ${JSON.stringify(title)},`,
    `      "permission": ${JSON.stringify(permission)},${note(comments.permission)}`,
    ...(allowed === undefined ? [] : [`      "allow": ${formatList([allowed])},${remark(comments.allow)}`]),
    `      "systemInstruction": ${JSON.stringify(instruction)}`,
    '    }',
  );
}

/** The entry of `allow` by which an author may run the tests. A line for a shell is more than one command. */
export function entryForTests(
  { agentType, permission }: Pick<AssignedRole, 'agentType' | 'permission'>,
  check: readonly string[] | undefined,
): string | undefined {
  const tool = findNamedAgentType(agentType)?.info.commandTool;
  if (tool === undefined || permission === 'read' || check === undefined) return undefined;
  return check.every((word) => PLAIN_WORD.test(word)) ? `${tool}(${check.join(' ')})` : undefined;
}

const PLAIN_WORD = /^[\w./@:=-]+$/u;

function formatCheck(command: readonly string[]): string {
  return lines(
    '    {',
    `      "name": ${JSON.stringify(CHECK_NAME)},`,
    '      "type": "ai",',
    '      "agentType": "command",',
    `      "command": ${formatList(command)},`,
    `      "check": true${remark(words.init.comments.check)}`,
    '    }',
  );
}

function formatList(parts: readonly string[]): string {
  return `[${parts.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function comment(text: string): string {
  return ` ${remark(text)}`;
}

/** A comment at the end of a line. */
function remark(text: string): string {
  return ['', '//', text].join(' ');
}

function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}

/** A role of a preset with the agent that takes it. */
export interface AssignedRole extends PresetRole {
  /** As a team file may write it. */
  readonly agentType: string;
}

/** Gives every role to the agent it is meant for, or else to the installed one with the fewest roles. */
export function assignRoles({ roles }: Preset, installed: readonly string[]): readonly AssignedRole[] {
  const taken = new Map(
    installed.map((type) => [type, roles.filter(({ prefers }) => prefers === type).length]),
  );
  return roles.map((role) => {
    if (taken.has(role.prefers) || taken.size === 0) return { ...role, agentType: role.prefers };
    const [agentType, count] = [...taken].reduce((least, next) => (next[1] < least[1] ? next : least));
    taken.set(agentType, count + 1);
    return { ...role, agentType };
  });
}
