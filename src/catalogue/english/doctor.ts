import { counted } from '../counted.js';
import { loginText } from './failures.js';

/** An agent CLI that was found. */
export interface FoundAgent {
  readonly label: string;
  readonly version: string | undefined;
  readonly file: string;
  readonly testedVersion: string;
  readonly login: keyof typeof LOGINS;
}

const LOGINS = { yes: 'logged in', no: 'not logged in', unknown: 'login unknown until its first turn' };

/** Sentences of `huddle doctor`. */
export const doctorText = {
  versions: (huddle: string, node: string, platform: string) => `Huddle ${huddle}, Node ${node}, ${platform}`,
  found: ({ label, version, file, testedVersion, login }: FoundAgent) =>
    `${label} ${version ?? '(version unknown)'} at ${file}, tested with ${testedVersion}, ${LOGINS[login]}`,
  available: (label: string, version: string | undefined, file: string) =>
    `${label} ${version ?? '(version unknown)'} at ${file} is available`,
  older: (label: string, version: string) =>
    `Older than the tested ${version}: update ${label} if a turn fails.`,
  noVersion: (command: string) => `It did not report its version. Run \`${command} --version\` to see why.`,
  noAgent: 'No agent CLI is installed',
  missing: (label: string, hint: string) => `${label} is not installed (${hint})`,
  logIn: loginText,
  install: (hint: string) => `To install: ${hint}`,
  team: (file: string, name: string, agents: number) =>
    `Team file ${file}: "${name}", ${counted(agents, 'agent')}`,
  defaultTeam: (file: string, name: string, agents: number) =>
    `Default team ${file}: "${name}", ${counted(agents, 'agent')}`,
  config: (file: string) => `Configuration file ${file}`,
  noConfig: (file: string | undefined) =>
    file === undefined ? 'No home folder, so no configuration file' : `No configuration file ${file}`,
  badConfig: (file: string, problems: number) =>
    `Configuration file ${file} has ${counted(problems, 'problem')}: huddle config`,
  noTeam: 'No team file: using the CLIs installed here, read-only',
  badTeam: (file: string, problems: number) =>
    `Team file ${file} has ${counted(problems, 'problem')}: huddle team check`,
  memberMissing: (names: readonly string[], command: string) =>
    `${names.join(', ')} ${names.length === 1 ? 'needs' : 'need'} ${command}, which is not on PATH`,
  trusted: (date: string) => `Folder trusted since ${date}`,
  notTrusted: 'Folder not trusted yet: its team would run commands here',
  lookAndTrust: 'Review and allow: huddle trust',
  sharedStore: (name: string) => `Shared store ${name}`,
  dataFolder: (folder: string) => `Data folder ${folder}`,
  noDataFolder: (folder: string, reason: string) => `Data folder ${folder} cannot be used: ${reason}`,
  git: (version: string, file: string, megabytes: string) =>
    `git ${version} at ${file}: file changes are recorded, ${megabytes} MB kept for undo`,
  noGit: 'git is not installed: file changes are not recorded',
  oldGit: (version: string) => `git ${version} is too old: file changes are not recorded`,
  brokenGit: (detail: string) => `git fails (${detail}): file changes are not recorded`,
  installGit: 'Install git 2.34 or newer.',
  repairGit: 'Run git --version and fix what it reports.',
  /** Commands that help. */
  steps: {
    rehearse: 'huddle rehearse',
    trust: 'huddle trust',
    check: 'huddle team check',
    config: 'huddle config',
    moveData: 'HUDDLE_HOME=<a folder of yours> huddle doctor',
    run: 'huddle "your message"',
    runUnsaved: 'huddle run --ephemeral "your message"',
  },
  next: (command: string) => `Next: ${command}`,
};
