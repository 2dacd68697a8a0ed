import type { Tool } from '@modelcontextprotocol/server';
import { kindAndTitle, rightsOf } from '../../catalogue/members.js';
import { words } from '../../catalogue/words.js';
import type { TeamHere } from '../../coordinator/Conversations.js';
import type { Member } from '../../models/Team.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { describeParameters } from './parameters.js';
import type { Serving } from './Serving.js';
import { ASKING_TOOLS, TOOL_NAMES, TOOL_PARAMETERS, type ToolName } from './toolParameters.js';

/** Characters of a fact about a member: a description is read as if the user had written it. */
const FACT_CHARACTERS = 60;

/** The tools as a client lists them. Only a team that the user trusts has words in them. */
export async function describeTools(serving: Serving): Promise<readonly Tool[]> {
  const { options } = serving;
  const team = await describeTeam(async () => {
    const conversations = await (await serving.asks()).conversations();
    return conversations.teamOf(options.folder, { permission: options.permission });
  });
  return TOOL_NAMES.map((name) => {
    const isAsking = ASKING_TOOLS.includes(name);
    return {
      name,
      title: words.mcp.titles[name],
      description: isAsking
        ? [words.mcp.tools[name], describeRights(options.permission), team].join(' ')
        : words.mcp.tools[name],
      inputSchema: describeParameters(TOOL_PARAMETERS[name]),
      annotations: { title: words.mcp.titles[name], ...annotate(name, options.permission) },
    };
  });
}

/** True statements about a tool. With `read` no member can change anything, so asking is as harmless as reading. */
function annotate(name: ToolName, permission: 'read' | 'team'): Tool['annotations'] {
  const isAsking = ASKING_TOOLS.includes(name);
  const mayChange = isAsking && permission === 'team';
  return {
    readOnlyHint: !mayChange,
    destructiveHint: mayChange,
    idempotentHint: !isAsking,
    openWorldHint: isAsking,
  };
}

function describeRights(permission: 'read' | 'team'): string {
  return permission === 'read' ? words.mcp.readOnly : words.mcp.mayChange;
}

async function describeTeam(find: () => Promise<TeamHere>): Promise<string> {
  try {
    const { team, refusal } = await find();
    if (refusal?.code === 'FOLDER_NOT_TRUSTED') return words.mcp.notTrusted;
    if (refusal !== undefined) return words.mcp.noTeam;
    return words.mcp.team(team.members.filter(({ type }) => type === 'ai').map(describeMember));
  } catch {
    // A call says what is wrong; here its words would be read as ours.
    return words.mcp.noTeam;
  }
}

function describeMember(member: Member): string {
  const facts = [...kindAndTitle(member), ...rightsOf(member)].map(shorten);
  return words.joining.described(shorten(member.name), facts);
}

function shorten(text: string): string {
  const line = sanitizeToOneLine(text);
  return line.length > FACT_CHARACTERS ? `${line.slice(0, FACT_CHARACTERS - 1)}…` : line;
}
