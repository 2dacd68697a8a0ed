import type { Routing } from '../../models/Team.js';
import { counted } from '../counted.js';
import { loginText } from './failures.js';

/** Sentences about what the command line changes for one run. */
export const adjustText = {
  model: (name: string, model: string) => `Model in this run: ${name} uses ${model}.`,
  readOnly: (names: readonly string[]) => `Read-only in this run: ${names.join(', ')}.`,
  notHeld: (names: readonly string[]) =>
    `--read-only does not hold ${names.join(', ')}: ${names.length === 1 ? 'that program runs' : 'those programs run'} as you (no sandbox).`,
  noAgent: (name: string, near: string | undefined, names: readonly string[]) =>
    `No agent "${name}" in this team. ${near === undefined ? `Agents: ${names.join(', ')}.` : `Did you mean ${near}?`}`,
  whichAgent: (model: string, names: readonly string[]) =>
    `This team has several agents. Name one: --model ${names[0] ?? 'member'}=${model} (agents: ${names.join(', ')}).`,
  noModels: (name: string, label: string) => `${name} (${label}) takes no model.`,
  badModel: (entry: string) => `"${entry}" names no model. Write --model member=name, such as max=opus.`,
  noReader: (names: readonly string[]) =>
    `No agent of this team can be held to reading (${names.join(', ')}), so none can be asked.`,
  rehearsed: (id: string) =>
    `Session ${id} is a dry run: simulated agents answered in it. To continue it: huddle resume ${id}`,
  otherFolder: (id: string) => `Session ${id} is of another folder. To read it: huddle show ${id}`,
  noFolder: (folder: string) => `No folder ${folder}.`,
};

/** Sentences of the user's configuration. */
export const configText = {
  invalid: (file: string, problems: string) => `${file} is not valid:\n${problems}`,
  toFix: 'Fix the file, or remove it to use the defaults.',
  file: (file: string, exists: boolean) =>
    exists ? `Configuration file: ${file}` : `Configuration file: ${file} (does not exist yet)`,
  noFile: 'No home folder found for a configuration file. Set XDG_CONFIG_HOME to an absolute path.',
  unknownKey: (key: string, nearest: string | undefined) =>
    nearest === undefined
      ? `Unknown setting "${key}". List all: huddle config`
      : `Unknown setting "${key}". Did you mean ${nearest}?`,
  choices: (key: string, choices: readonly string[], value: string) =>
    `${key} must be ${listChoices(choices)}, not "${value}".`,
  oneValue: (key: string) => `${key} takes one value.`,
  price: (model: string) =>
    `A price is US dollars per million tokens, as in: huddle config set prices.${model} <input> <output>.`,
  set: (key: string, value: string, file: string) => `Set ${key} to ${value} in ${file}`,
  removed: (key: string, file: string) => `Removed ${key} from ${file}`,
  notSet: (key: string, file: string) => `${key} is not set in ${file}`,
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}. Nothing was changed.`,
  teamNeedsTrust: 'It serves every folder without a team file, and asks for your trust in each.',
  heads: { key: 'setting', value: 'value', source: 'from' },
  dataFolder: 'data folder',
  none: 'none',
  on: 'on',
  off: 'off',
  shownPrice: (input: number, cached: number | undefined, output: number) =>
    cached === undefined ? `$${input} in, $${output} out` : `$${input} in, $${cached} cached, $${output} out`,
  sources: {
    default: 'default',
    installed: 'default: the CLIs installed here',
    config: (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`),
    environment: (name: string) => name,
    teamFile: 'team file',
    locale: (variable: string | undefined, value: string | undefined) =>
      variable === undefined ? 'locale' : `locale (${variable}=${value})`,
  },
};

/** `"a", "b" or "c"`. */
function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' or ');
}

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

/** Every sentence of `huddle init`, and the comments of the file it writes. */
export const initText = {
  looking: 'Looking for agent CLIs …',
  found: (names: readonly string[]) => `Installed: ${names.join(', ')}.`,
  nothingFound: [
    'No agent CLI is installed, so this team can only do dry runs for now.',
    'Install at least one:',
  ],
  install: (label: string, hint: string) => `  ${label.padEnd(12)} ${hint}`,
  replaced: (missing: string, role: string, agent: string) =>
    `${missing} is not installed; ${agent} will be the ${role}.`,
  whichPreset: 'How should they work together? (↑↓ to move, Enter to choose)',
  choice: (name: string, summary: string) => `${name.padEnd(9)}${summary}`,
  whatTask: 'What should the team work on?',
  skipTask: 'optional, press Enter to skip',
  mayTest: (names: readonly string[]) =>
    `${names.join(', ')} may run them at any time without asking ("allow" in the team file).`,
  foundTests: (command: string, file: string) =>
    `Tests: ${command} (${file}). They run after each turn that changes files.`,
  noTests:
    'No test command found, so this team has no check. To add one: a member with "agentType": "command", its "command" and "check": true',
  whichTests: 'Which command runs the tests?',
  skipTests: 'such as npm test; press Enter to go without',
  taskTooLong: (bytes: number) =>
    `At most ${bytes} bytes: put the rest into a file, and name that file here.`,
  askOverwrite: (file: string) => `${file} already exists. Overwrite it?`,
  yes: 'Yes',
  no: 'No',
  exists: (file: string) =>
    `${file} already exists and was not changed. To overwrite it: huddle init --force`,
  chosen: (preset: string, others: readonly string[]) =>
    `Using preset ${preset} (others: ${others.join(', ')})`,
  nothingWritten: 'Nothing was written.',
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}; nothing was changed`,
  written: (file: string, schema: string | undefined) =>
    `Created ${file}${schema === undefined ? '' : ` and ${schema} (schema for your editor)`}`,
  noLongerRead: (file: string) => `${file} still exists but is no longer read.`,
  cannotTrust: (file: string, reason: string) =>
    `Created ${file}, but your trust in it could not be saved. ${reason} Then: huddle trust`,
  next: [
    'Next:',
    '  huddle rehearse   dry run with simulated agents, no cost',
    '  huddle            talk to the team',
  ],
  nextRehearsal: ['Next:', '  huddle rehearse   dry run with simulated agents, no cost'],

  comments: {
    preset: (name: string, summary: string) => `The preset "${name}": ${summary}.`,
    hint: 'Edit freely. Check it: huddle team check. Try it: huddle rehearse',
    task: 'Included in every prompt. In the conversation, [TEAM_TASK] replaces it.',
    noTask: 'What the team works on',
    name: (name: string) => `[NEXT: ${name}] hands off to it`,
    agentType: 'or codex, gemini, opencode, qwen, copilot; command and acp need a "command"',
    permission: 'read: read-only; edit: may change files here; full: no sandbox',
    allow: 'runs without asking',
    check: 'runs after each turn that changes files; a failure goes back to its author',
    setup: 'Each author works in a copy of the folder. This prepares a new one.',
    fanout: {
      sequential:
        'A reply without [NEXT: name] comes back to you. When several are asked, each sees the earlier answers.',
      'same-question':
        'A reply without [NEXT: name] comes back to you. When several are asked, all answer the same question.',
      blind:
        "A reply without [NEXT: name] comes back to you. When several are asked, they don't see each other's answers.",
    } satisfies Record<Routing['fanout'], string>,
    /** The comment on a blind round, with who is asked in it. */
    round: (recipients: string) =>
      `A reply without [NEXT: name] comes back to you. [NEXT: ${recipients}] asks ${recipients === 'all' ? 'everyone' : 'them'} at once; they don't see each other's answers.`,
    limits: 'The conversation pauses and asks you at these limits: agent turns in a row, US dollars, tokens.',
  },
};
