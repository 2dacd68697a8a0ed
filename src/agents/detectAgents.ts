import { tmpdir } from 'node:os';
import {
  AGENT_DEFINITIONS,
  type AgentCapabilities,
  type AgentDefinition,
  type AgentProbe,
} from './definitions.js';
import type { Environment } from './process/environment.js';
import { findCommand } from './process/findCommand.js';
import { type ProbeResult, probeCommand } from './process/probeCommand.js';

/** What is known about one agent type on this machine. */
export interface DetectedAgent {
  readonly type: string;
  readonly label: string;
  readonly command: readonly string[];
  /** Absent: not on PATH. */
  readonly file?: string;
  /** Absent: it did not say one in time. */
  readonly version?: string;
  readonly testedVersion: string;
  /** Older than what Huddle was tested with: options and records may differ. */
  readonly isOlderThanTested: boolean;
  /** As its own status command says. */
  readonly loggedIn: 'yes' | 'no' | 'unknown';
  readonly capabilities: AgentCapabilities;
  readonly installHint: string;
  readonly loginHint?: string;
}

export interface DetectOptions {
  readonly environment?: Environment;
  /** How long to wait for the slowest program. */
  readonly patienceMilliseconds?: number;
}

/** Asks every known program that can be installed. Takes five seconds at most, whatever the programs do. */
export async function detectAgents(options: DetectOptions = {}): Promise<readonly DetectedAgent[]> {
  const { environment = process.env, patienceMilliseconds } = options;
  const detections = AGENT_DEFINITIONS.flatMap((definition) => {
    const { command, probe } = definition;
    return command && probe
      ? [detect({ definition, command, probe, environment, patienceMilliseconds })]
      : [];
  });
  return Promise.all(detections);
}

interface Detection {
  readonly definition: AgentDefinition;
  readonly command: readonly string[];
  readonly probe: AgentProbe;
  readonly environment: Environment;
  readonly patienceMilliseconds: number | undefined;
}

async function detect(detection: Detection): Promise<DetectedAgent> {
  const { definition, command, probe, environment } = detection;
  const { type, label, capabilities, dialect } = definition;
  const { testedVersion, installHint } = probe;
  const known = {
    type,
    label,
    command,
    testedVersion,
    capabilities,
    installHint,
    loginHint: dialect?.loginHint,
  };
  const lookup = findCommand(command[0] ?? '', { path: environment.PATH, workingFolder: tmpdir() });
  if (lookup.kind !== 'found') return { ...known, isOlderThanTested: false, loggedIn: 'unknown' };

  const [version, loggedIn] = await Promise.all([askVersion(detection), askLogin(detection)]);
  const isOlderThanTested = version !== undefined && isOlder(version, testedVersion);
  return { ...known, file: lookup.file, ...(version && { version }), isOlderThanTested, loggedIn };
}

async function askVersion(detection: Detection): Promise<string | undefined> {
  const answer = await ask(detection, detection.probe.versionArguments);
  const isGood = answer.kind === 'answered' && answer.exit.code === 0;
  return isGood ? /\d+\.\d+\.\d+/.exec(answer.stdout)?.[0] : undefined;
}

/** It ends with 0, or says that nobody is logged in; a version without the command does neither. */
async function askLogin(detection: Detection): Promise<DetectedAgent['loggedIn']> {
  const { loginStatusArguments } = detection.probe;
  if (!loginStatusArguments) return 'unknown';
  const answer = await ask(detection, loginStatusArguments);
  if (answer.kind !== 'answered') return 'unknown';
  if (/not logged in|"loggedIn":\s*false/i.test(`${answer.stdout}\n${answer.stderr}`)) return 'no';
  return answer.exit.code === 0 ? 'yes' : 'unknown';
}

function ask(detection: Detection, args: readonly string[]): Promise<ProbeResult> {
  const { definition, command, probe, environment, patienceMilliseconds } = detection;
  return probeCommand({
    command,
    args,
    workingFolder: tmpdir(),
    environment: { ...environment, ...probe.env },
    ownCredentials: definition.dialect?.credentialVariables,
    milliseconds: patienceMilliseconds,
  });
}

function isOlder(version: string, than: string): boolean {
  const numbers = version.split('.').map(Number);
  const wanted = than.split('.').map(Number);
  const different = wanted.findIndex((number, index) => number !== numbers[index]);
  return different >= 0 && (numbers[different] ?? 0) < (wanted[different] ?? 0);
}
