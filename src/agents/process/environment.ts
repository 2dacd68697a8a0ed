import { ACP_AGENTS } from '../../models/AcpAgents.js';
import { AGENT_TYPES } from '../../models/AgentConfig.js';
import { isAmongCredentials, isVendorCredential } from '../../models/vendorCredentials.js';
import { MARKER_VARIABLE, readProcess, readProcessFile } from './processTable.js';

/** A set of variables, as `process.env` is one. */
export type Environment = Readonly<Record<string, string | undefined>>;

/** Says which turn that is, see `findOuterTurn.ts`. */
export const TURN_VARIABLE = 'HUDDLE_TURN_OF';

/**
 * Variables by which an agent that runs Huddle tells its own tools about its session: sockets and tokens to
 * talk to it, and words by which a program knows that it runs inside. None of them is meant for members.
 */
const HOST_SESSION: ReadonlySet<string> = new Set([
  ...['CLAUDECODE', 'CLAUDE_CODE_ENTRYPOINT', 'CLAUDE_CODE_SESSION_ID', 'CLAUDE_CODE_SESSION_ACCESS_TOKEN'],
  ...['CLAUDE_CODE_SSE_PORT', 'CLAUDE_CODE_MESSAGING_SOCKET', 'CLAUDE_CODE_MESSAGING_TOKEN'],
  ...['CLAUDE_PROJECT_DIR', 'AI_AGENT', 'GEMINI_CLI', 'CODEX_THREAD_ID'],
]);
const HOST_SESSION_BEGINNING = 'CODEX_SANDBOX';

/** Variables by which programs of Postgres find a server and log in. */
const POSTGRES = /^PG[A-Z]/u;

/** Variables of `minimal`: to find programs and files, language, terminal, network, agents' own folders. */
const MINIMAL_NAMES: ReadonlySet<string> = new Set([
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'PWD', 'TMPDIR', 'TMP', 'TEMP', 'TZ'],
  ...['LANG', 'LANGUAGE', 'TERM', 'COLORTERM', 'NO_COLOR', 'CI'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY'],
  ...['http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['XDG_CONFIG_HOME', 'XDG_DATA_HOME', 'XDG_CACHE_HOME', 'XDG_STATE_HOME', 'XDG_RUNTIME_DIR'],
  ...['CLAUDE_CONFIG_DIR', 'CODEX_HOME', 'GEMINI_CLI_HOME'],
]);

/** Variables that a row of the tables of agents calls credentials, whatever their names. */
const NAMED_CREDENTIALS: ReadonlySet<string> = new Set(
  [...AGENT_TYPES, ...ACP_AGENTS].flatMap(({ credentialVariables }) => credentialVariables),
);

export interface EnvironmentChoice {
  readonly parent: Environment;
  /** `inherit`: the parent's less other vendors' credentials; `minimal`: a short allow-list. */
  readonly mode: 'inherit' | 'minimal';
  /** The credential variables that the member gets, see `credentialsOf`. */
  readonly ownCredentials: readonly string[];
  /** Set on top, whatever the names. */
  readonly extra: Readonly<Record<string, string>>;
  /** The variables of Postgres are left out, since they lead to the shared store that is in use. */
  readonly hidesPostgres?: boolean | undefined;
  /** The value of the variable that names the turn. */
  readonly turn?: string | undefined;
}

/** The environment of an agent's process. Huddle's own variables and those of a surrounding session never pass. */
export function childEnvironment(choice: EnvironmentChoice): Record<string, string> {
  const own = new Set(choice.ownCredentials);
  const passes = choice.mode === 'minimal' ? isMinimal : isNoCredential;
  const environment: Record<string, string> = {};
  for (const [name, value] of Object.entries(choice.parent)) {
    if (value === undefined || name.startsWith('HUDDLE_') || isOfHost(name)) continue;
    if (choice.hidesPostgres && POSTGRES.test(name)) continue;
    if (isAmongCredentials(name, own) || passes(name)) environment[name] = value;
  }
  return {
    ...environment,
    ...choice.extra,
    ...(choice.turn !== undefined && { [TURN_VARIABLE]: choice.turn }),
  };
}

function isOfHost(name: string): boolean {
  return HOST_SESSION.has(name) || name.startsWith(HOST_SESSION_BEGINNING);
}

function isMinimal(name: string): boolean {
  return MINIMAL_NAMES.has(name) || name.startsWith('LC_');
}

function isNoCredential(name: string): boolean {
  return !isVendorCredential(name) && !NAMED_CREDENTIALS.has(name);
}

/** A turn of Huddle inside of which this process runs. */
export interface OuterTurn {
  /** `turn-3 of session …`; absent if the Huddle that started the turn did not say. */
  readonly name?: string;
}

/**
 * Every turn that this process is inside of, the nearest first. The own environment alone does not tell: some agents
 * start programs with a short list of variables, and any program can unset one. What an ancestor was started with stays, so
 * all of them are asked where the system shows it, which is Linux.
 */
export function findOuterTurns(environment: Environment): readonly OuterTurn[] {
  return [environment, ...ancestorsOf(process.pid).map(readEnvironment)].flatMap(turnIn);
}

function turnIn(environment: Environment): readonly OuterTurn[] {
  if (environment[MARKER_VARIABLE] === undefined) return [];
  const name = environment[TURN_VARIABLE];
  return [name ? { name } : {}];
}

/** Upwards to the first process of the system, or of the container. */
function ancestorsOf(pid: number): readonly number[] {
  const parent = readProcess(pid)?.parent ?? 0;
  return parent > 0 ? [parent, ...ancestorsOf(parent)] : [];
}

function readEnvironment(pid: number): Environment {
  const entries = readProcessFile(pid, 'environ', 'utf8').split('\0');
  return Object.fromEntries(
    entries.map((entry) => {
      const end = entry.indexOf('=');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}
