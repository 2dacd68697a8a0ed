import { VENDOR_CREDENTIALS } from './vendorCredentials.js';

/** Type of an agent in the table of agents. The set is open: unknown types are passed on as they are. */
export type AgentType = string;

/** The four prompt layouts there are; see `context/assemblers/`. */
export type LayoutName = 'claude' | 'codex' | 'gemini' | 'plain-text';

/** The data half of what is known about an agent type; how to run it is in `agents/definitions.ts`. */
export interface AgentTypeInfo {
  readonly type: AgentType;
  /** Other spellings that team files use. */
  readonly aliases: readonly string[];
  readonly label: string;
  /** The command that starts it, where there is one. */
  readonly command?: readonly string[];
  /** Command that installs it. */
  readonly installHint?: string;
  readonly layout: LayoutName;
  /** The variables that may hold its own credentials: it gets these and no other vendor's. */
  readonly credentialVariables: readonly string[];
  /** Cost a turn reports; for `tokens`, money is known only with a price. */
  readonly reports: 'usd' | 'tokens' | 'nothing';
  /** Whether what it prints is for the team file to say. */
  readonly hasOutputChoice?: boolean;
  /** Whether its exit code can be the result of a `check`. */
  readonly canCheck?: boolean;
  /** Whether it can be told which model to use. */
  readonly takesModel?: boolean;
  /** Whether the lists `allow` and `deny` of a member can be kept to. */
  readonly hasToolLists?: boolean;
  /** The word for running a command in those lists: `Bash(npm test)`. */
  readonly commandTool?: string;
  /** Whether its program is held to `read` and `edit` by its own options; ACP agents differ, see `AcpAgents.ts`. */
  readonly keepsToPermission?: boolean;
  /** Files of a project by which it runs commands of that project on their own. */
  readonly grantingFiles?: readonly GrantingFile[];
  /** Agents of this type differ, and are told apart by their command; see `AcpAgents.ts`. */
  readonly isAcp?: boolean;
}

/** Settings of a project that give an agent rights by themselves, at the places where the real programs were seen to read them. */
export interface GrantingFile {
  readonly file: string;
  /** The folders it is looked for in: the one where the agent works, also the top of a repository, or all up to there. */
  readonly place: 'folder' | 'folder-and-top' | 'every-folder';
  /** The keys by which it does so, with those inside `permissions`. Absent: it does, whatever it says. */
  readonly keys?: readonly string[];
  /** Members that may only read are not given it. */
  readonly needsEdit?: boolean;
  /** The agent marks the folder as trusted, in settings of its own, before it loads it. */
  readonly marksTrusted?: boolean;
}

const CLAUDE_GRANTS = [
  'allow',
  'hooks',
  'apiKeyHelper',
  'awsAuthRefresh',
  'awsCredentialExport',
  'otelHeadersHelper',
];

export const AGENT_TYPES: readonly AgentTypeInfo[] = [
  {
    type: 'claude-code',
    aliases: ['claude'],
    label: 'Claude Code',
    command: ['claude'],
    installHint: 'npm install -g @anthropic-ai/claude-code',
    layout: 'claude',
    credentialVariables: VENDOR_CREDENTIALS.anthropic,
    reports: 'usd',
    takesModel: true,
    hasToolLists: true,
    commandTool: 'Bash',
    keepsToPermission: true,
    grantingFiles: [
      { file: '.claude/settings.json', place: 'folder', keys: CLAUDE_GRANTS },
      { file: '.claude/settings.local.json', place: 'folder-and-top', keys: CLAUDE_GRANTS },
      { file: '.mcp.json', place: 'every-folder', keys: ['mcpServers'], needsEdit: true },
    ],
  },
  {
    type: 'openai-codex',
    aliases: ['codex'],
    label: 'Codex',
    command: ['codex'],
    installHint: 'npm install -g @openai/codex',
    layout: 'codex',
    credentialVariables: VENDOR_CREDENTIALS.openai,
    reports: 'tokens',
    takesModel: true,
    keepsToPermission: true,
    grantingFiles: [
      { file: '.codex/config.toml', place: 'every-folder', needsEdit: true, marksTrusted: true },
    ],
  },
  {
    type: 'google-gemini',
    aliases: ['gemini'],
    label: 'Gemini CLI',
    command: ['gemini'],
    installHint: 'npm install -g @google/gemini-cli',
    layout: 'gemini',
    credentialVariables: VENDOR_CREDENTIALS.google,
    reports: 'tokens',
    takesModel: true,
    hasToolLists: true,
    commandTool: 'run_shell_command',
    keepsToPermission: true,
  },
  {
    type: 'acp',
    aliases: [],
    label: 'ACP agent',
    layout: 'codex',
    // Those of the agent that its command starts.
    credentialVariables: [],
    reports: 'tokens',
    takesModel: true,
    hasToolLists: true,
    commandTool: 'execute',
    isAcp: true,
  },
  {
    type: 'command',
    aliases: [],
    label: 'Command',
    layout: 'plain-text',
    credentialVariables: [],
    reports: 'nothing',
    hasOutputChoice: true,
    canCheck: true,
  },
];

/** `claude` → `claude-code` and so on, whatever the case; an unknown type comes back as it was given. */
export function normalizeAgentType(type: string): AgentType {
  return findSpelling(type) ?? findSpelling(type.trim().toLowerCase()) ?? type;
}

function findSpelling(spelling: string): AgentType | undefined {
  return AGENT_TYPES.find(({ type, aliases }) => type === spelling || aliases.includes(spelling))?.type;
}

/** The row of the table for a normalised type. */
export function findAgentType(type: AgentType): AgentTypeInfo | undefined {
  return AGENT_TYPES.find((info) => info.type === type);
}
