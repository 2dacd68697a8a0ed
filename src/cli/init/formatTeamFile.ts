import { findPreset, type PresetName } from '../../catalogue/presets.js';
import { words } from '../../catalogue/words.js';
import { findAgentType } from '../../models/AgentConfig.js';
import type { AssignedRole } from './assignRoles.js';

/** Everything a team file is made of. */
export interface TeamFileDraft {
  readonly preset: PresetName;
  readonly roles: readonly AssignedRole[];
  readonly schema: string;
  readonly task?: string;
  /** A line at the top, below what the preset says of itself. */
  readonly hint: string;
}

/** The text of `huddle.jsonc`: JSON with a comment wherever the user may want to change something. */
export function formatTeamFile(draft: TeamFileDraft): string {
  const { preset, roles, schema, task, hint } = draft;
  const { summary, fanout, limits } = findPreset(preset);
  const { comments } = words.init;
  return lines(
    '{',
    `  // ${comments.preset(preset, summary)}`,
    `  // ${hint}`,
    `  "$schema": ${JSON.stringify(schema)},`,
    '  "version": 1,',
    `  "name": ${JSON.stringify(preset)},`,
    ...(words.language === 'en' ? [] : [`  "language": ${JSON.stringify(words.language)},`]),
    `  // ${comments.task}`,
    task === undefined
      ? `  // "task": ${JSON.stringify(comments.noTask)},`
      : `  "task": ${JSON.stringify(task)},`,
    '  "members": [',
    // Colleagues share the file, so it has no login name.
    '    { "name": "you", "type": "human" },',
    roles.map(formatRole).join(',\n'),
    '  ],',
    `  // ${comments.fanout[fanout]}`,
    `  "routing": { "fallback": "human", "fanout": ${JSON.stringify(fanout)} },`,
    `  // ${comments.limits}`,
    `  "limits": ${JSON.stringify(limits, null, 1).replaceAll(/\s+/gu, ' ')}`,
    '}',
    '',
  );
}

function formatRole(
  { name, title, agentType, permission, instruction }: AssignedRole,
  index: number,
): string {
  const shortType = findAgentType(agentType)?.aliases[0] ?? agentType;
  const { comments } = words.init;
  const note = (text: string): string => (index === 0 ? ` // ${text}` : '');
  return lines(
    '    {',
    `      "name": ${JSON.stringify(name)},${note(comments.name(name))}`,
    '      "type": "ai",',
    `      "agentType": ${JSON.stringify(shortType)},${note(comments.agentType)}`,
    `      "title": ${JSON.stringify(title)},`,
    `      "permission": ${JSON.stringify(permission)},${note(comments.permission)}`,
    `      "systemInstruction": ${JSON.stringify(instruction)}`,
    '    }',
  );
}

function lines(...parts: readonly string[]): string {
  return parts.join('\n');
}
