import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Login } from '../models/TurnOutcome.js';
import { findCommand } from '../utils/findCommand.js';
import { KNOWN_ACP_AGENTS } from './acp/knownAgents.js';
import {
  AGENT_DEFINITIONS,
  type AgentCapabilities,
  type AgentDefinition,
  type AgentProbe,
} from './definitions.js';
import type { Environment } from './process/environment.js';
import { type ProbeResult, probeCommand } from './process/probeCommand.js';

/** All that is known about one agent type on this machine. */
export interface DetectedAgent {
  readonly type: string;
  /** Value of `agentType` in a team file: the type, or the name of an ACP agent. */
  readonly agentType: string;
  readonly label: string;
  readonly command: readonly string[];
  /** Absent: not on PATH. */
  readonly file?: string;
  /** A program of that name inside the project, which was not started. */
  readonly passedOver?: string;
  /** Absent: it did not say one in time. */
  readonly version?: string;
  readonly testedVersion: string;
  /** Older than what Huddle was tested with: options and records may differ. */
  readonly isOlderThanTested: boolean;
  /** As its own status command says. It does not look at keys in the environment: with one, it is unknown. */
  readonly loggedIn: 'yes' | 'no' | 'unknown';
  readonly capabilities: AgentCapabilities;
  readonly installHint: string;
  readonly login?: Login;
}

export interface DetectOptions {
  readonly environment?: Environment;
  /** The project: programs of its own that PATH leads to are not started, unless they are trusted. */
  readonly workingFolder?: string;
  readonly trustedPrograms?: readonly string[];
  /** The time to wait for the slowest program. */
  readonly patienceMilliseconds?: number;
  /** Programs are only looked up: nothing runs, and version and login are unknown. */
  readonly isQuick?: boolean;
}

/**
 * Detects which agent CLIs are installed, with versions and logins, by running them with `--version` and the like. Takes
 * five seconds at most, whatever the programs do.
 *
 * @example
 * ```ts
 * for (const { label, file, loggedIn } of await detectAgents()) console.log(label, file ?? 'not installed', loggedIn);
 * ```
 */
export async function detectAgents(options: DetectOptions = {}): Promise<readonly DetectedAgent[]> {
  return detectAll(ownPrograms(), options);
}

/** The known ACP agents that are installed as a program of their own; those one has anyhow are not named twice. */
export async function detectAcpAgents(options: DetectOptions = {}): Promise<readonly DetectedAgent[]> {
  const named = new Set(ownPrograms().map(({ command }) => command[0]));
  const others = acpPrograms().filter(({ command }) => !named.has(command[0]));
  const agents = await detectAll(others, options);
  return agents.filter(({ file }) => file !== undefined);
}

/** A program that may be installed. */
interface Program
  extends Pick<
      DetectedAgent,
      'type' | 'agentType' | 'label' | 'command' | 'installHint' | 'capabilities' | 'login'
    >,
    Pick<AgentDefinition, 'credentialVariables'> {
  readonly probe: AgentProbe;
}

function ownPrograms(): readonly Program[] {
  return AGENT_DEFINITIONS.flatMap(({ command, installHint, probe, dialect, ...row }) =>
    command && installHint && probe
      ? [{ ...row, agentType: row.type, command, installHint, probe, login: dialect?.login }]
      : [],
  );
}

function acpPrograms(): readonly Program[] {
  const definition = AGENT_DEFINITIONS.find(({ isAcp }) => isAcp);
  if (definition === undefined) return [];
  const { type, capabilities } = definition;
  return KNOWN_ACP_AGENTS.map(({ testedVersion, ...row }) => ({
    ...row,
    type,
    agentType: row.id,
    capabilities,
    probe: { testedVersion },
  }));
}

/** A program to look at, and the empty folder it is asked in. Without one nothing is asked. */
interface Detection extends DetectOptions {
  readonly program: Program;
  readonly emptyFolder: string | undefined;
}

/**
 * Programs read settings where they run, and what others put there would speak for them: they run in a folder that is
 * empty and closed to others.
 */
async function detectAll(programs: readonly Program[], options: DetectOptions): Promise<DetectedAgent[]> {
  const emptyFolder = options.isQuick ? undefined : await makeEmptyFolder();
  try {
    return await Promise.all(programs.map((program) => detect({ program, emptyFolder, ...options })));
  } finally {
    // What a program left running may still write there; it is on its way out.
    if (emptyFolder !== undefined)
      await rm(emptyFolder, { recursive: true, force: true, maxRetries: 3 }).catch(() => undefined);
  }
}

/**
 * Programs also look for settings at the top of the repository around them: what is called one ends that search here. With
 * nowhere to run, what they would have said is unknown, as if they had said nothing.
 */
async function makeEmptyFolder(): Promise<string | undefined> {
  try {
    const folder = await mkdtemp(join(tmpdir(), 'huddle-probe-'));
    await mkdir(join(folder, '.git'));
    return folder;
  } catch {
    return undefined;
  }
}

async function detect(detection: Detection): Promise<DetectedAgent> {
  const { program, environment = process.env, workingFolder = process.cwd(), trustedPrograms } = detection;
  const { type, agentType, label, command, installHint, capabilities, login, probe } = program;
  const { testedVersion } = probe;
  const known = { type, agentType, label, command, testedVersion, capabilities, installHint, login };
  const lookup = findCommand(command[0] ?? '', { path: environment.PATH, workingFolder, trustedPrograms });
  const passedOver = lookup.passedOver === undefined ? {} : { passedOver: lookup.passedOver };
  if (lookup.kind !== 'found')
    return { ...known, ...passedOver, isOlderThanTested: false, loggedIn: 'unknown' };

  const { file } = lookup;
  if (detection.emptyFolder === undefined)
    return { ...known, file, ...passedOver, isOlderThanTested: false, loggedIn: 'unknown' };
  const ask = asker(file, detection.emptyFolder, detection);
  const [version, loggedIn] = await Promise.all([askVersion(ask), askLogin(ask, detection)]);
  const isOlderThanTested =
    version !== undefined && version.localeCompare(testedVersion, 'en', { numeric: true }) < 0;
  return { ...known, file, ...passedOver, ...(version && { version }), isOlderThanTested, loggedIn };
}

type Ask = (args: readonly string[]) => Promise<ProbeResult>;

async function askVersion(ask: Ask): Promise<string | undefined> {
  const answer = await ask(['--version']);
  const isGood = answer.kind === 'answered' && answer.exit.code === 0;
  return isGood ? /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0] : undefined;
}

/** The status command ends with 0, or reports that the user is not logged in, which a key may make up for; a version without the command does neither. */
async function askLogin(
  ask: Ask,
  { program, environment = process.env }: Detection,
): Promise<DetectedAgent['loggedIn']> {
  const { loginStatusArguments } = program.probe;
  if (!loginStatusArguments) return 'unknown';
  const answer = await ask(loginStatusArguments);
  if (answer.kind !== 'answered') return 'unknown';
  if (/not logged in|"loggedIn":\s*false/i.test(`${answer.stdout}\n${answer.stderr}`))
    return program.credentialVariables.some((name) => environment[name]) ? 'unknown' : 'no';
  return answer.exit.code === 0 ? 'yes' : 'unknown';
}

/** Asks the file that was found, and no other of the same name. */
function asker(
  file: string,
  workingFolder: string,
  { program, environment = process.env, patienceMilliseconds }: Detection,
): Ask {
  return (args) =>
    probeCommand({
      command: [file],
      args,
      workingFolder,
      environment: { ...environment, ...program.probe.env },
      ownCredentials: program.credentialVariables,
      milliseconds: patienceMilliseconds,
    });
}
