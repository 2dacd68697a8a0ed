/** What is known about one ACP agent wherever it runs; how it is run is in `agents/acp/knownAgents.ts`. */
export interface AcpAgentInfo {
  /** A word of its command, by which it is recognised. */
  readonly id: AcpAgentId;
  readonly label: string;
  /** What to write as `command`. */
  readonly command: readonly string[];
  /** What installs that command. */
  readonly installHint: string;
  /** Takes system text beside the prompt (`session/new` with `systemPrompt`); the others are told in the prompt. */
  readonly takesSystemText: boolean;
}

export type AcpAgentId = 'claude-agent-acp' | 'codex-acp' | 'gemini' | 'opencode' | 'qwen' | 'copilot';

export const ACP_AGENTS: readonly AcpAgentInfo[] = [
  {
    id: 'claude-agent-acp',
    label: 'Claude Agent (ACP)',
    command: ['claude-agent-acp'],
    installHint: 'npm install -g @agentclientprotocol/claude-agent-acp',
    takesSystemText: true,
  },
  {
    id: 'codex-acp',
    label: 'Codex (ACP)',
    command: ['codex-acp'],
    installHint: 'npm install -g @agentclientprotocol/codex-acp',
    takesSystemText: true,
  },
  {
    id: 'gemini',
    label: 'Gemini CLI (ACP)',
    command: ['gemini', '--acp'],
    installHint: 'npm install -g @google/gemini-cli',
    takesSystemText: false,
  },
  {
    id: 'opencode',
    label: 'OpenCode',
    command: ['opencode', 'acp'],
    installHint: 'npm install -g opencode-ai',
    takesSystemText: false,
  },
  {
    id: 'qwen',
    label: 'Qwen Code',
    command: ['qwen', '--acp'],
    installHint: 'npm install -g @qwen-code/qwen-code',
    takesSystemText: false,
  },
  {
    id: 'copilot',
    label: 'GitHub Copilot CLI',
    command: ['copilot', '--acp'],
    installHint: 'npm install -g @github/copilot',
    takesSystemText: false,
  },
];

/** The agent that a command starts: its program by name, or a file of its package, as in `node …/codex-acp/dist/index.js`. */
export function findAcpAgent(command: readonly string[]): AcpAgentInfo | undefined {
  const names = new Set(command.flatMap((word) => word.split(/[/@]/u)));
  return ACP_AGENTS.find(({ id }) => names.has(id));
}
