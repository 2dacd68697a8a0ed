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
  /** Whether its program is held to `read` and `edit` by its own options; ACP agents differ, see `AcpAgents.ts`. */
  readonly keepsToPermission?: boolean;
  /** Files of a project that can allow it tools, or give it hooks, on their own. */
  readonly grantingFiles?: readonly string[];
  /** The settings of a project that it loads after it has marked the folder as trusted, which it does when it may edit. */
  readonly trustedSettings?: string;
  /** Agents of this type differ, and are told apart by their command; see `AcpAgents.ts`. */
  readonly isAcp?: boolean;
}

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
    keepsToPermission: true,
    grantingFiles: ['.claude/settings.json', '.claude/settings.local.json'],
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
    trustedSettings: '.codex/config.toml',
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
