import { counted } from '../counted.js';
import { loginText } from './failures.js';

/** Sentences of `huddle doctor`. */
export const doctorText = {
  versions: (huddle: string, node: string, platform: string) => `Huddle ${huddle}, Node ${node}, ${platform}`,
  found: (label: string, version: string | undefined, file: string) =>
    `${label} ${version ?? '(version unknown)'} at ${file}`,
  tested: (version: string) => `tested with ${version}`,
  older: (label: string, version: string) =>
    `Older than the tested ${version}: update ${label} if a turn fails.`,
  noVersion: (command: string) => `It did not report its version. Run \`${command} --version\` to see why.`,
  missing: (label: string) => `${label} is not installed`,
  logIn: loginText,
  install: (hint: string) => `To install: ${hint}`,
  login: { yes: 'logged in', no: 'not logged in', unknown: 'login unknown until its first turn' },
  team: (file: string, name: string, agents: number) =>
    `Team file ${file}: "${name}", ${counted(agents, 'agent')}`,
  noTeam: 'No team file: using the CLIs installed here, read-only',
  badTeam: (file: string, problems: number) =>
    `Team file ${file} has ${counted(problems, 'problem')}: huddle team check`,
  memberMissing: (name: string, command: string) => `${name} needs ${command}, which is not on PATH`,
  trusted: (date: string) => `Folder trusted since ${date}`,
  notTrusted: 'Folder not trusted yet: its team would run commands here',
  lookAndTrust: 'Review and allow: huddle trust',
  dataFolder: (folder: string) => `Data folder ${folder}`,
  noDataFolder: (folder: string, reason: string) => `Data folder ${folder} cannot be used: ${reason}`,
  /** Commands that help. */
  steps: {
    rehearse: 'huddle rehearse',
    trust: 'huddle trust',
    check: 'huddle team check',
    moveData: 'HUDDLE_HOME=<a folder of yours> huddle doctor',
    run: 'huddle run "your message"',
    runUnsaved: 'huddle run --ephemeral "your message"',
  },
  next: (command: string) => `Next: ${command}`,
};
