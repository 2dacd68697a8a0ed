import { readdirSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { REAL_CLIS, type RealProgram } from './clis.js';

/** One real ACP agent: how to point it at the fake model, and what it is known to do its own way. */
export interface RealAcpAgent extends RealProgram {
  readonly label: string;
  /** After the command. */
  readonly args: readonly string[];
  readonly model?: string;
  /** Whether it asks before it runs a command that the permission `read` does not allow. Codex tries in its sandbox, and fails. */
  readonly asksBeforeRunning: boolean;
  /** Makes the sessions in its home older, for an agent that cannot open one again in the minute in which it began. */
  readonly ageSessions?: (home: string) => void;
}

const { claude, codex, gemini } = REAL_CLIS;

export const REAL_ACP_AGENTS: readonly RealAcpAgent[] = [
  {
    ...claude,
    label: 'claude-agent-acp',
    command: 'claude-agent-acp',
    program: '@agentclientprotocol/claude-agent-acp/dist/index.js',
    args: [],
    asksBeforeRunning: true,
  },
  {
    ...codex,
    label: 'codex-acp',
    command: 'codex-acp',
    program: '@agentclientprotocol/codex-acp/dist/index.js',
    args: [],
    asksBeforeRunning: false,
  },
  {
    ...gemini,
    label: 'Gemini CLI',
    args: ['--acp'],
    asksBeforeRunning: true,
    ageSessions: (home) => ageGeminiSessions(join(home, gemini.sessionFolder)),
  },
  {
    label: 'OpenCode',
    command: 'opencode',
    // The package `opencode-ai` only looks for this one; on other machines there is another one.
    program: 'opencode-linux-x64/bin/opencode',
    args: ['acp'],
    environment: () => ({ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1' }),
    homeFiles: (url) => ({
      '.config/opencode/opencode.json': JSON.stringify({
        model: 'fake/made-up',
        small_model: 'fake/made-up',
        provider: {
          fake: {
            npm: '@ai-sdk/openai-compatible',
            options: { baseURL: `${url}/v1`, apiKey: 'made-up' },
            models: { 'made-up': { tool_call: true } },
          },
        },
      }),
    }),
    asksBeforeRunning: true,
  },
];

/** The minute in which a session began is in the name of its file. */
function ageGeminiSessions(folder: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    const older = entry.name.replace(/^session-\d{4}/u, 'session-2000');
    if (older !== entry.name) renameSync(join(entry.parentPath, entry.name), join(entry.parentPath, older));
  }
}
