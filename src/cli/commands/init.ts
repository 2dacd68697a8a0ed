import { existsSync, lstatSync } from 'node:fs';
import { basename, join } from 'node:path';
import { initEnglish } from '../../catalogue/init.js';
import { PRESET_NAMES, PRESETS, type PresetName } from '../../catalogue/presets.js';
import { nameHuman } from '../../config/defaultTeam.js';
import { type LoadedTeam, loadTeamFile } from '../../config/loadTeamFile.js';
import { findForeignSchema, findSchemaPlace, writeTeamFile } from '../../config/writeTeamFile.js';
import { isLiveTerminal } from '../../frontends/print/paint.js';
import { findAgentType } from '../../models/AgentConfig.js';
import { HuddleError } from '../../models/errors.js';
import { TEAM_FILE_NAMES } from '../../models/teamFileNames.js';
import { describeSystemError } from '../../utils/systemErrors.js';
import { showPath } from '../chooseTeam.js';
import { EXIT_CODES } from '../exitCodes.js';
import type { Wishes } from '../init/askQuestions.js';
import { castPreset, type TakenSeat } from '../init/castPreset.js';
import { formatTeamFile } from '../init/formatTeamFile.js';
import { lookForAgents } from '../init/lookForAgents.js';
import { requirePerson } from '../outerTurn.js';
import { exitCodeAfter, print, type Surroundings, say } from '../Surroundings.js';
import { recordTrust } from '../trustQuestion.js';
import { printMembers } from './teamCheck.js';

export interface InitOptions {
  readonly preset?: PresetName;
  readonly yes?: boolean;
  readonly force?: boolean;
}

/** Writes a first team file, made of what is installed, and trusts it. Nothing is written before everything is decided. */
export async function init(options: InitOptions, surroundings: Surroundings): Promise<number> {
  // What init writes is trusted, so only people may run it.
  requirePerson(surroundings);
  const existing = options.force ? undefined : findInTheWay(surroundings);
  const isAsking = !options.yes && canAskQuestions(surroundings);
  if (existing !== undefined && !isAsking)
    throw new HuddleError('TEAM_FILE_EXISTS', initEnglish.exists(existing));

  const installed = await lookForAgents(surroundings);
  const wishes = isAsking
    ? await ask(options, existing, surroundings)
    : { preset: options.preset ?? sayDefault(surroundings) };
  if (wishes === undefined) {
    say(surroundings, initEnglish.nothingWritten);
    return exitCodeAfter(surroundings, EXIT_CODES.done);
  }
  const seats = castPreset(PRESETS[wishes.preset], installed);
  for (const seat of seats) sayReplaced(seat, surroundings);
  const loaded = await write(wishes, seats, surroundings);
  printMembers(loaded.team, surroundings);
  await trust(loaded, surroundings);
  say(surroundings, (installed.length > 0 ? initEnglish.next : initEnglish.nextRehearsal).join('\n'));
  return EXIT_CODES.done;
}

/**
 * What would be written over. Whatever has the name of a team file counts, a broken link too; of the schema, what is not
 * ours. A team file further up is the file of another folder.
 */
function findInTheWay(surroundings: Surroundings): string | undefined {
  const { workingFolder } = surroundings;
  const teamFile = TEAM_FILE_NAMES.map((name) => join(workingFolder, name)).find(
    (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
  );
  const files = [teamFile, findForeignSchema(workingFolder)].filter((file) => file !== undefined);
  return files.length === 0 ? undefined : files.map((file) => showPath(file, surroundings)).join(', ');
}

function canAskQuestions({ stdin, stderr, env }: Surroundings): boolean {
  return stdin.isTTY === true && isLiveTerminal(stderr, env);
}

async function ask(
  { preset }: InitOptions,
  existing: string | undefined,
  surroundings: Surroundings,
): Promise<Wishes | undefined> {
  const { askQuestions } = await import('../init/askQuestions.js');
  return askQuestions({ preset, existing }, surroundings);
}

function sayDefault(surroundings: Surroundings): PresetName {
  const [preset, ...others] = PRESET_NAMES;
  say(surroundings, initEnglish.chosen(preset, others));
  return preset;
}

function sayReplaced({ name, prefers, agentType }: TakenSeat, surroundings: Surroundings): void {
  const labelOf = (type: string): string => findAgentType(type)?.label ?? type;
  if (agentType !== prefers)
    say(surroundings, initEnglish.replaced(labelOf(prefers), name, labelOf(agentType)));
}

async function write(
  { preset, task }: Wishes,
  seats: readonly TakenSeat[],
  surroundings: Surroundings,
): Promise<LoadedTeam> {
  const { workingFolder, userName } = surroundings;
  const [name, otherName] = TEAM_FILE_NAMES;
  const file = join(workingFolder, name);
  const schemaPlace = findSchemaPlace(workingFolder);
  const text = formatTeamFile({
    preset,
    seats,
    humanName: nameHuman(
      userName,
      seats.map((seat) => seat.name),
    ),
    schema: schemaPlace.reference,
    hint: initEnglish.comments.hint,
    ...(task !== undefined && { task }),
  });
  try {
    await writeTeamFile({ file, text, schemaPlace });
  } catch (error) {
    throw new HuddleError('CANNOT_WRITE', initEnglish.cannotWrite(name, describeSystemError(error)), {
      cause: error,
    });
  }
  print(surroundings, initEnglish.written(name, schemaPlace.copy && basename(schemaPlace.copy)));
  if (existsSync(join(workingFolder, otherName))) say(surroundings, initEnglish.noLongerRead(otherName));
  return loadTeamFile(file, { interactive: true });
}

async function trust(loaded: LoadedTeam, surroundings: Surroundings): Promise<void> {
  try {
    const { team, folder } = loaded;
    // What the project itself brings along nobody has looked at: a run asks about that.
    await recordTrust({ team, teamFolder: folder, workingFolder: folder }, { programs: [] }, surroundings);
  } catch (error) {
    const message = initEnglish.cannotTrust(showPath(loaded.file, surroundings), describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
}
