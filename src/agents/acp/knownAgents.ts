import { ACP_AGENTS, type AcpAgentId, type AcpAgentInfo, findAcpAgent } from '../../models/AcpAgents.js';
import type { Permission } from '../../models/Team.js';
import type { Login } from '../../models/TurnOutcome.js';

/** The half of the table that says how an agent is run: where agents that speak the same protocol differ. */
interface AcpBehaviour {
  /** Its own names for what it may do without asking, best first; what is not offered is passed over. */
  readonly modes: Readonly<Record<Permission, readonly string[]>>;
  /** The mode in which it asks before everything that matters; needed for a `deny` list to hold. */
  readonly askingModes: readonly string[];
  /** Added to the command, where it is not there. */
  readonly extraArguments?: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
  /** Set unless the permission is `full`: makes it ask at all. */
  readonly askingEnv?: Readonly<Record<string, string>>;
  /** It cannot be told by us that a file is not there, so it does its own reading. */
  readonly readsFilesItself?: boolean;
  /** Whether its session keeps the prompt of a turn that it ended without an answer. Absent: not looked at. */
  readonly keepsPrompt?: boolean;
  readonly login: Login;
  /** The version that `npm run test:real` runs; where it runs none, the one its transcript in `test/fixtures/acp` is of. */
  readonly testedVersion: string;
}

export type KnownAcpAgent = AcpAgentInfo & AcpBehaviour;

const behaviours: Readonly<Record<AcpAgentId, AcpBehaviour>> = {
  'claude-agent-acp': {
    // As root it does not offer to skip its questions; they are answered here instead.
    modes: { read: ['default'], edit: ['acceptEdits'], full: ['bypassPermissions', 'default'] },
    askingModes: ['default'],
    env: { DISABLE_AUTOUPDATER: '1', DISABLE_TELEMETRY: '1', DISABLE_ERROR_REPORTING: '1' },
    keepsPrompt: true,
    login: { run: 'claude', type: '/login', variables: ['ANTHROPIC_API_KEY'] },
    testedVersion: '0.49.0',
  },
  'codex-acp': {
    // The second names are those of the older package of the same name.
    modes: {
      read: ['read-only'],
      edit: ['workspace-write', 'auto'],
      full: ['agent-full-access', 'full-access'],
    },
    askingModes: ['read-only'],
    keepsPrompt: true,
    login: { run: 'codex login', variables: ['CODEX_API_KEY', 'OPENAI_API_KEY'] },
    testedVersion: '2.6.0',
  },
  gemini: {
    modes: { read: ['default'], edit: ['autoEdit'], full: ['yolo'] },
    askingModes: ['default'],
    // It takes our answer that a file is not there for a failure, and so could never make a new one.
    readsFilesItself: true,
    // Its own question about the folder is answered by Huddle's.
    extraArguments: ['--skip-trust'],
    env: { GEMINI_CLI_NO_RELAUNCH: 'true', GEMINI_TELEMETRY_ENABLED: 'false' },
    // It takes the prompt back.
    keepsPrompt: false,
    login: { run: 'gemini', variables: ['GEMINI_API_KEY'] },
    testedVersion: '0.61.0',
  },
  opencode: {
    modes: { read: ['plan'], edit: ['build'], full: ['build'] },
    askingModes: ['build'],
    // Otherwise it runs every command without a word.
    askingEnv: { OPENCODE_PERMISSION: '{"edit":"ask","bash":"ask","webfetch":"ask"}' },
    keepsPrompt: true,
    login: { run: 'opencode auth login', variables: [] },
    testedVersion: '1.18.33',
  },
  qwen: {
    modes: { read: ['default'], edit: ['auto-edit'], full: ['yolo'] },
    askingModes: ['default'],
    login: { run: 'qwen', variables: ['OPENAI_API_KEY'] },
    testedVersion: '0.24.4',
  },
  copilot: {
    // Not recorded beyond its login: it asks by itself, and is answered here.
    modes: { read: [], edit: [], full: [] },
    askingModes: [],
    login: { run: 'copilot login' },
    testedVersion: '1.0.102',
  },
};

/** Every ACP agent that was looked at. Adding one is a row in `models/AcpAgents.ts` and a row above. */
export const KNOWN_ACP_AGENTS: readonly KnownAcpAgent[] = ACP_AGENTS.map((info) => ({
  ...info,
  ...behaviours[info.id],
}));

/** The rows of the agent that a command starts; any other agent runs as well, without them. */
export function findKnownAcpAgent(command: readonly string[]): KnownAcpAgent | undefined {
  const info = findAcpAgent(command);
  return info && { ...info, ...behaviours[info.id] };
}
