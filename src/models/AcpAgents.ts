import type { AgentType } from './AgentConfig.js';
import { VENDOR_CREDENTIALS } from './vendorCredentials.js';

/** Data about a known ACP agent; how it is run is in `agents/acp/knownAgents.ts`. */
export interface AcpAgentInfo {
  /** The name of its program, by which it is recognised. */
  readonly id: AcpAgentId;
  /** The packages it comes in, by which `node` and `npx` commands are recognised. */
  readonly packages: readonly string[];
  readonly label: string;
  /** Value of `command` in a team file. */
  readonly command: readonly string[];
  /** Command that installs it. */
  readonly installHint: string;
  /**
   * The type whose prompts it gets, with system text sent separately (`session/new` with `systemPrompt`); the
   * others are told in the prompt.
   */
  readonly promptsOf?: AgentType;
  /** The variables that may hold its own credentials: it gets these and no other vendor's. */
  readonly credentialVariables: readonly string[];
  /** With `read` it asks before it runs a command, or its sandbox lets no command change anything. */
  readonly keepsToPermission?: boolean;
}

export type AcpAgentId = 'claude-agent-acp' | 'codex-acp' | 'gemini' | 'opencode' | 'qwen' | 'copilot';

export const ACP_AGENTS: readonly AcpAgentInfo[] = [
  {
    id: 'claude-agent-acp',
    packages: ['@agentclientprotocol/claude-agent-acp', '@zed-industries/claude-code-acp'],
    label: 'Claude Agent (ACP)',
    command: ['claude-agent-acp'],
    installHint: 'npm install -g @agentclientprotocol/claude-agent-acp',
    credentialVariables: VENDOR_CREDENTIALS.anthropic,
    promptsOf: 'claude-code',
  },
  {
    id: 'codex-acp',
    packages: ['@agentclientprotocol/codex-acp', '@zed-industries/codex-acp'],
    label: 'Codex (ACP)',
    command: ['codex-acp'],
    installHint: 'npm install -g @agentclientprotocol/codex-acp',
    credentialVariables: VENDOR_CREDENTIALS.openai,
    promptsOf: 'claude-code',
    keepsToPermission: true,
  },
  {
    id: 'gemini',
    packages: ['@google/gemini-cli'],
    label: 'Gemini CLI (ACP)',
    command: ['gemini', '--acp'],
    installHint: 'npm install -g @google/gemini-cli',
    credentialVariables: VENDOR_CREDENTIALS.google,
  },
  {
    id: 'opencode',
    packages: ['opencode-ai'],
    label: 'OpenCode',
    command: ['opencode', 'acp'],
    installHint: 'npm install -g opencode-ai',
    // It talks to whichever vendor its model is of: whose key it gets besides its own is for the team file to say.
    credentialVariables: ['OPENCODE_API_KEY'],
    keepsToPermission: true,
  },
  {
    id: 'qwen',
    packages: ['@qwen-code/qwen-code'],
    label: 'Qwen Code',
    command: ['qwen', '--acp'],
    installHint: 'npm install -g @qwen-code/qwen-code',
    credentialVariables: ['DASHSCOPE_API_KEY', 'QWEN_API_KEY', 'OPENAI_API_KEY'],
  },
  {
    id: 'copilot',
    packages: ['@github/copilot'],
    label: 'GitHub Copilot CLI',
    command: ['copilot', '--acp'],
    installHint: 'npm install -g @github/copilot',
    credentialVariables: ['COPILOT_GITHUB_TOKEN', 'GITHUB_COPILOT_TOKEN'],
  },
];

/**
 * The agent that a command starts: by the name of its program, or by its package, as in `npx -y @google/gemini-cli` and
 * `node …/node_modules/@agentclientprotocol/codex-acp/dist/index.js`. What else stands in a command says nothing: by this
 * an agent gets the keys of a vendor.
 */
export function findAcpAgent(command: readonly string[]): AcpAgentInfo | undefined {
  const [program = '', ...words] = command;
  const name = baseName(program);
  const [first = ''] = words.filter((word) => !YES.has(word));
  return ACP_AGENTS.find(({ id, packages }) => {
    if (name === 'npx') return packages.some((known) => first === known || first.startsWith(`${known}@`));
    if (name === 'node') return packages.some((known) => first.includes(`/node_modules/${known}/`));
    return name === id;
  });
}

/** Options of `npx` before the package. */
const YES: ReadonlySet<string> = new Set(['-y', '--yes']);

/** The last part of a path. */
export function baseName(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}
