import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import type { Dialect } from './Dialect.js';
import {
  AGENT_DEFINITIONS,
  type AgentCapabilities,
  type AgentDefinition,
  type AgentProbe,
} from './definitions.js';
import type { Environment } from './process/environment.js';
import { findCommand } from './process/findCommand.js';
import { runDialectTurn } from './process/runDialectTurn.js';
import { Semaphore } from './process/Semaphore.js';

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
  /** How long to wait for the slowest program. Stopping one that is deaf takes longer; nobody waits for that. */
  readonly patienceMilliseconds?: number;
}

const defaultPatience = 4900;

/** Asks every known program that can be installed. Takes five seconds at most, whatever the programs do. */
export async function detectAgents(options: DetectOptions = {}): Promise<readonly DetectedAgent[]> {
  const { environment = process.env, patienceMilliseconds = defaultPatience } = options;
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
  readonly patienceMilliseconds: number;
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
  const outcome = await ask(detection, detection.probe.versionArguments);
  return outcome?.kind === 'completed' ? /\d+\.\d+\.\d+/.exec(outcome.text)?.[0] : undefined;
}

/** Ends with 0 and says so, or says that nobody is; a version without the command says neither. */
async function askLogin(detection: Detection): Promise<DetectedAgent['loggedIn']> {
  if (!detection.probe.loginStatusArguments) return 'unknown';
  const outcome = await ask(detection, detection.probe.loginStatusArguments);
  if (outcome?.kind === 'completed') return /"loggedIn":\s*false/.test(outcome.text) ? 'no' : 'yes';
  if (outcome?.kind !== 'failed') return 'unknown';
  const said = `${outcome.draft}\n${outcome.failure.stderrTail ?? ''}`;
  return /not logged in|"loggedIn":\s*false/i.test(said) ? 'no' : 'unknown';
}

/** Runs the program like a command of the user; undefined when it does not end in time. */
async function ask(detection: Detection, args: readonly string[]): Promise<TurnOutcome | undefined> {
  const { definition, command, probe, environment, patienceMilliseconds } = detection;
  const dialect: Dialect = {
    output: 'plain-text',
    credentialVariables: definition.dialect?.credentialVariables,
    prepare: () => ({ command, args, env: probe.env ?? {}, files: [], stdin: '' }),
    createReader: () => ({ read: () => [], verdict: undefined }),
  };
  const request = {
    memberName: definition.label,
    prompt: '',
    workingFolder: tmpdir(),
    permission: 'read',
    session: { kind: 'new' },
    env: 'inherit',
    limits: { idleMilliseconds: patienceMilliseconds, totalMilliseconds: patienceMilliseconds },
  } as const;
  const turn = runDialectTurn(dialect, request, new AbortController().signal, {
    environment,
    slots: new Semaphore(1),
  });
  const outcomeOf = async (): Promise<TurnOutcome | undefined> => {
    for await (const event of turn) if (event.type === 'end') return event.outcome;
    return undefined;
  };
  return Promise.race([outcomeOf(), delay(patienceMilliseconds, undefined, { ref: false })]);
}

function isOlder(version: string, than: string): boolean {
  const numbers = version.split('.').map(Number);
  const wanted = than.split('.').map(Number);
  const different = wanted.findIndex((number, index) => number !== numbers[index]);
  return different >= 0 && (numbers[different] ?? 0) < (wanted[different] ?? 0);
}
