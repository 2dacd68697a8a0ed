import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type DetectedAgent, detectAcpAgents, detectAgents } from '../../agents/detectAgents.js';
import { describeSystemError } from '../../catalogue/errors.js';
import { findPreset, PRESET_NAMES, type PresetName } from '../../catalogue/presets.js';
import { words } from '../../catalogue/words.js';
import { type LoadedTeam, loadTeamFile } from '../../config/loadTeamFile.js';
import { findForeignSchema, findSchemaPlace, writeTeamFile } from '../../config/writeTeamFile.js';
import { isLiveTerminal } from '../../frontends/lines/paint.js';
import { HuddleError } from '../../models/errors.js';
import { findNamedAgentType, OFFERED_AGENT_TYPES } from '../../models/knownPrograms.js';
import { TEAM_FILE_NAMES } from '../../models/Team.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, exitCodeAfter, print, say } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { showPath } from '../start/paths.js';
import { byLogin } from '../team/chooseTeam.js';
import { recordTrust } from '../trust/trustQuestion.js';
import type { InitAnswers } from './init/askQuestions.js';
import { type FoundTests, findTestCommand, readProjectFiles } from './init/findTestCommand.js';
import {
  type AssignedRole,
  assignRoles,
  entryForTests,
  formatTeamFile,
  type TeamFileDraft,
} from './init/formatTeamFile.js';
import { printMembers } from './teamCheck.js';

interface InitOptions {
  readonly preset?: PresetName;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** Writes a first team file, made of what is installed, and trusts it. Nothing is written before everything is decided. */
export async function init(options: InitOptions, context: CliContext): Promise<number> {
  // What init writes is trusted, so only people may run it.
  const existing = options.force ? undefined : findInTheWay(context);
  const isAsking = !options.yes && canAskQuestions(context);
  if (existing !== undefined && !isAsking)
    throw new HuddleError('TEAM_FILE_EXISTS', words.init.exists(existing));

  const installed = await lookForAgents(context);
  const found = findTestCommand(await readProjectFiles(context.workingFolder));
  const { preset } = options;
  const questions = { preset, existing, hasTests: found !== undefined };
  const answers = isAsking
    ? await (await import('./init/askQuestions.js')).askQuestions(questions, context)
    : { preset: preset ?? sayDefault(context) };
  if (answers === undefined) {
    say(context, words.init.nothingWritten);
    return exitCodeAfter(context, EXIT_CODES.done);
  }
  const roles = assignRoles(findPreset(answers.preset), installed);
  for (const role of roles) sayReplaced(role, context);
  const { check, setup } = chooseCheck(answers, found, context);
  const testers = roles.filter((role) => entryForTests(role, check) !== undefined);
  if (testers.length > 0) say(context, words.init.mayTest(testers.map(({ name }) => name)));
  const loaded = await write({ preset: answers.preset, task: answers.task, roles, check, setup }, context);
  printMembers(loaded.team, context);
  await trust(loaded, context);
  say(context, (installed.length > 0 ? words.init.next : words.init.nextRehearsal).join('\n'));
  return EXIT_CODES.done;
}

/**
 * Finds what would be overwritten: anything with the name of a team file, a broken link too, and a schema that is not ours.
 * A team file further up is the file of another folder.
 */
function findInTheWay(context: CliContext): string | undefined {
  const { workingFolder } = context;
  const teamFile = TEAM_FILE_NAMES.map((name) => join(workingFolder, name)).find(
    (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
  );
  const files = [teamFile, findForeignSchema(workingFolder)].filter((file) => file !== undefined);
  return files.length === 0 ? undefined : files.map((file) => showPath(file, context)).join(', ');
}

function canAskQuestions({ stdin, stderr, env }: CliContext): boolean {
  return stdin.isTTY === true && isLiveTerminal(stderr, env);
}

function sayDefault(context: CliContext): PresetName {
  const [preset, ...others] = PRESET_NAMES;
  say(context, words.init.chosen(preset, others));
  return preset;
}

function sayReplaced({ name, prefers, agentType }: AssignedRole, context: CliContext): void {
  const labelOf = (type: string): string => findNamedAgentType(type)?.label ?? type;
  if (agentType !== prefers) say(context, words.init.replaced(labelOf(prefers), name, labelOf(agentType)));
}

/** Chooses what checks every change and prepares copies, if the preset has a use for it, and says so. */
function chooseCheck(
  { preset, tests }: InitAnswers,
  found: FoundTests | undefined,
  context: CliContext,
): Pick<TeamFileDraft, 'check' | 'setup'> {
  const { check: use, usesCopies } = findPreset(preset);
  if (use === undefined) return {};
  if (found === undefined) {
    if (use === 'wanted' && tests === undefined) say(context, words.init.noTests);
    return { check: tests };
  }
  say(context, words.init.foundTests(found.command.join(' '), found.file));
  return { check: found.command, ...(usesCopies && { setup: found.setup }) };
}

async function write(
  draft: Omit<TeamFileDraft, 'hint' | 'schema'>,
  context: CliContext,
): Promise<LoadedTeam> {
  const { workingFolder } = context;
  const [name, otherName] = TEAM_FILE_NAMES;
  const file = join(workingFolder, name);
  const schemaPlace = findSchemaPlace(workingFolder);
  const { hint } = words.init.comments;
  const text = formatTeamFile({ ...draft, hint, schema: schemaPlace.reference });
  try {
    await writeTeamFile({ file, text, schemaPlace });
  } catch (error) {
    const message = words.init.cannotWrite(name, describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
  print(context, words.init.written(name, schemaPlace.copy && basename(schemaPlace.copy)));
  if (existsSync(join(workingFolder, otherName))) say(context, words.init.noLongerRead(otherName));
  return loadTeamFile(file, { interactive: true });
}

/** No person has looked at what the project itself brings along: a run asks about that. */
const NOTHING_BESIDE = { programs: [], grants: [] };

async function trust(loaded: LoadedTeam, context: CliContext): Promise<void> {
  try {
    const { team, folder } = loaded;
    await recordTrust({ team, teamFolder: folder, workingFolder: folder }, NOTHING_BESIDE, context);
  } catch (error) {
    const message = words.init.cannotTrust(showPath(loaded.file, context), describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
}

/**
 * Finds the agent types that are installed, those without a login last. ACP agents count only if there is nothing else,
 * since not all of them are held to a permission. Says what it found, or what to install.
 */
async function lookForAgents(context: CliContext): Promise<readonly string[]> {
  say(context, words.init.looking);
  const { env: environment, workingFolder } = context;
  const options = { environment, workingFolder };
  const [agents, acpAgents] = await Promise.all([detectAgents(options), detectAcpAgents(options)]);
  for (const { passedOver } of agents)
    if (passedOver !== undefined) say(context, sanitizeToOneLine(words.trust.passedOver(passedOver)));
  const own = agents.filter(({ file }) => file !== undefined).toSorted(byLogin);
  const offered = acpAgents.filter(({ agentType }) => OFFERED_AGENT_TYPES.includes(agentType));
  const installed = own.length > 0 ? own : offered;
  if (installed.length > 0) sayFound(installed, context);
  else sayWhatToInstall(agents, context);
  return installed.map(({ agentType }) => agentType);
}

function sayFound(installed: readonly DetectedAgent[], context: CliContext): void {
  const names = installed.map(({ label, version }) =>
    version === undefined ? label : `${label} ${version}`,
  );
  say(context, sanitizeToOneLine(words.init.found(names)));
  for (const { label, loggedIn, login } of installed)
    if (loggedIn === 'no') say(context, words.cli.notLoggedIn(label, login));
}

function sayWhatToInstall(agents: readonly DetectedAgent[], context: CliContext): void {
  for (const line of words.init.nothingFound) say(context, line);
  for (const { label, installHint } of agents) say(context, words.init.install(label, installHint));
}
