import type { AgentType } from '../compiled/models/AgentConfig.js';
import type { Permission } from '../compiled/models/Team.js';
import type { TurnFailureCode } from '../compiled/models/TurnOutcome.js';

/** A real program that talks to a model. */
export interface RealProgram {
  /** The command, and the file in `node_modules` that it is. */
  readonly command: string;
  readonly program: string;
  /** Variables and files in its home by which it finds the model at `url`, and nobody else. */
  environment(url: string): Readonly<Record<string, string>>;
  homeFiles(url: string): Readonly<Record<string, string>>;
}

/** One real CLI: how to point it at the fake model, and what it is known to do its own way. */
export interface RealCli extends RealProgram {
  readonly agentType: AgentType;
  readonly model?: string;
  /** What a tool call comes to in each permission mode. */
  readonly deeds: Readonly<Record<Permission, Deeds>>;
  readonly failures: Readonly<Record<FailureCase, ExpectedEnd>>;
  /** The lines that part the first prompt of a conversation with a task. */
  readonly sections: readonly string[];
  /** What it calls running a command. */
  readonly commandTool: string;
  /** How `allow` and `deny` name running node and writing files, where there are such lists. */
  readonly listEntries?: { readonly command: string; readonly write: string };
  /** Where its sessions are, in its home. */
  readonly sessionFolder: string;
}

/** Whether a file in the working folder, a file outside and a command had their effect. */
export interface Deeds {
  readonly writesInside: boolean;
  readonly writesOutside: boolean;
  readonly runsCommands: boolean;
}

export type FailureCase = '401' | '429' | '500' | 'cut';

export type ExpectedEnd =
  | { readonly kind: 'completed' }
  | { readonly kind: 'failed'; readonly code: TurnFailureCode; readonly draft: string };

/** What the model says before the connection breaks. */
export const CUT_TEXT = 'Half of an ans';

const NOTHING: Deeds = { writesInside: false, writesOutside: false, runsCommands: false };
const FILES_INSIDE: Deeds = { ...NOTHING, writesInside: true };
const EVERYTHING: Deeds = { writesInside: true, writesOutside: true, runsCommands: true };

const AUTH: ExpectedEnd = { kind: 'failed', code: 'AUTH', draft: '' };
const ERROR: ExpectedEnd = { kind: 'failed', code: 'AGENT_ERROR', draft: '' };

const claude: RealCli = {
  agentType: 'claude-code',
  command: 'claude',
  // The package's own entry is put in place by a script, and none is run.
  program: `@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`,
  environment: (url) => ({
    ANTHROPIC_BASE_URL: url,
    ANTHROPIC_API_KEY: 'made-up',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    // `full` is refused to root otherwise; the workshop is as good as a container.
    IS_SANDBOX: '1',
  }),
  homeFiles: () => ({}),
  deeds: { read: NOTHING, edit: FILES_INSIDE, full: EVERYTHING },
  // After a break it asks again, at last without streaming, and so comes to an answer.
  failures: { 401: AUTH, 429: ERROR, 500: ERROR, cut: { kind: 'completed' } },
  sections: ['[TEAM_TASK]', '[MESSAGE]'],
  commandTool: 'Bash',
  listEntries: { command: 'Bash(node *)', write: 'Write' },
  sessionFolder: '.claude/projects',
};

const codex: RealCli = {
  agentType: 'openai-codex',
  command: 'codex',
  program: '@openai/codex/bin/codex.js',
  environment: () => ({ CODEX_API_KEY: 'made-up' }),
  homeFiles: (url) => ({
    '.codex/config.toml': [
      'model_provider = "fake"',
      '[model_providers.fake]',
      'name = "fake"',
      `base_url = "${url}/v1"`,
      'env_key = "CODEX_API_KEY"',
      'wire_api = "responses"',
      'request_max_retries = 1',
      'stream_max_retries = 1',
    ].join('\n'),
  }),
  // Commands are its only way to write, so they run in every mode; the sandbox decides what becomes of them.
  deeds: { read: NOTHING, edit: { ...FILES_INSIDE, runsCommands: true }, full: EVERYTHING },
  failures: { 401: AUTH, 429: ERROR, 500: ERROR, cut: ERROR },
  sections: ['[SYSTEM]', '[TEAM_TASK]', '[MESSAGE]'],
  commandTool: 'command',
  sessionFolder: '.codex/sessions',
};

const gemini: RealCli = {
  agentType: 'google-gemini',
  command: 'gemini',
  program: '@google/gemini-cli/bundle/gemini.js',
  // With `auto` it first asks a small model which one to take.
  model: 'gemini-2.5-pro',
  environment: (url) => ({ GEMINI_API_KEY: 'made-up', GOOGLE_GEMINI_BASE_URL: url }),
  homeFiles: () => ({
    '.gemini/settings.json': JSON.stringify({
      security: { auth: { selectedType: 'gemini-api-key' } },
      privacy: { usageStatisticsEnabled: false },
      general: { enableAutoUpdate: false, maxAttempts: 1 },
    }),
  }),
  // Its own tools for files never leave the folder; a command could.
  deeds: { read: NOTHING, edit: FILES_INSIDE, full: { ...EVERYTHING, writesOutside: false } },
  // What had arrived before the break was shown already, so it is a draft.
  failures: { 401: AUTH, 429: ERROR, 500: ERROR, cut: { ...ERROR, draft: CUT_TEXT } },
  sections: ['Instructions:', 'Team Task:', 'Your task:'],
  commandTool: 'run_shell_command',
  listEntries: { command: 'run_shell_command(node)', write: 'write_file' },
  sessionFolder: '.gemini/tmp',
};

export const REAL_CLIS = { claude, codex, gemini };
