import { existsSync, mkdtempSync, rmdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { detectAcpAgents, detectAgents } from '../../agents/detectAgents.js';
import { english } from '../../catalogue/english.js';
import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { findGit } from '../../files/git/runGit.js';
import { readKeptBytes } from '../../files/letGo.js';
import { createPaint, type Role } from '../../frontends/lines/paint.js';
import { HuddleError } from '../../models/errors.js';
import { isShared } from '../../store/postgres/SharedStore.js';
import { loadSqlite } from '../../store/sqlite/loadSqlite.js';
import { toArray } from '../../utils/AnyIterable.js';
import { formatNumber } from '../../utils/formatNumber.js';
import { requireOwnFolder } from '../../utils/privatePaths.js';
import { readVersion } from '../../utils/readVersion.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { listStored, withStore } from '../sessions/storedSessions.js';
import { type CliContext, print, printJson } from '../start/CliContext.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../start/exitCodes.js';
import { isThere } from '../start/settings.js';
import { chooseStore } from '../team/chooseStore.js';
import { findTrustedPrograms } from '../trust/examineTrust.js';
import {
  broken,
  type Diagnosis,
  type Finding,
  nameStep,
  type RunVerdict,
  VERDICTS,
} from './doctor/Diagnosis.js';
import { diagnoseAgents } from './doctor/diagnoseAgents.js';
import { diagnoseFolder, diagnoseTeam } from './doctor/diagnoseTeam.js';
import { problemsForJson } from './teamCheck.js';

const ALL_WELL: RunVerdict = { exitCode: EXIT_CODES.done, next: 'run' };

/** Reports what works and what does not. Ends with the exit code that a run would have, and what to type next. */
export async function doctor({ json }: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const diagnoses = await examine(context);
  const verdicts = diagnoses.flatMap(({ verdict }) => verdict ?? []);
  // Without a data folder nothing else can be put right.
  const verdict = verdicts.find((each) => each === VERDICTS.noDataFolder) ?? verdicts[0] ?? ALL_WELL;
  const versions = { huddle: readVersion(), node: process.versions.node, platform: process.platform };
  if (json) {
    const facts = Object.assign({}, ...diagnoses.map((diagnosis) => diagnosis.facts));
    // For programs in English, like everything else.
    printJson(context, { ...versions, ...facts, ...verdict, next: nameStep(verdict.next, english) });
  } else {
    print(context, words.doctor.versions(versions.huddle, versions.node, versions.platform));
    for (const finding of diagnoses.flatMap(({ findings }) => findings)) printFinding(finding, context);
    print(context, words.doctor.next(nameStep(verdict.next, words)));
  }
  return verdict.exitCode;
}

async function examine(context: CliContext): Promise<readonly Diagnosis[]> {
  const { env: environment, workingFolder } = context;
  const trustedPrograms = await findTrustedPrograms(context.workingFolder, context);
  const options = { environment, workingFolder, trustedPrograms };
  const [agents, acpAgents] = await Promise.all([detectAgents(options), detectAcpAgents(options)]);
  const team = await diagnoseTeam(context);
  return [
    diagnoseConfig(context),
    team,
    diagnoseAgents({ agents, acpAgents }, team),
    ...(team.file === undefined ? [await diagnoseFolder(agents, context)] : []),
    await diagnoseStorage(context),
    await diagnoseFiles(context),
  ];
}

const MARKS: Readonly<Record<Finding['state'], { readonly mark: string; readonly role: Role }>> = {
  works: { mark: '✓', role: 'good' },
  doubtful: { mark: '!', role: 'notice' },
  broken: { mark: '✗', role: 'error' },
  unused: { mark: '·', role: 'faint' },
};

function printFinding({ state, text, advice }: Finding, context: CliContext): void {
  const paint = createPaint(context.stdout, context.env, context.settings.colours);
  const { mark, role } = MARKS[state];
  const line = sanitizeToOneLine(text);
  print(context, `  ${paint(role, mark)} ${state === 'unused' ? paint(role, line) : line}`);
  if (advice !== undefined) print(context, `    ${paint('faint', sanitizeToOneLine(advice))}`);
}

/** Checks the configuration file of the user. */
function diagnoseConfig({ configFile: file, settingsProblems }: CliContext): Diagnosis {
  const exists = file !== undefined && isThere(file);
  const facts = { config: { file: file ?? null, exists, problems: problemsForJson(settingsProblems) } };
  if (file === undefined || !exists)
    return { findings: [{ state: 'unused', text: words.doctor.noConfig(file) }], facts };
  const { length } = settingsProblems;
  if (length === 0) return { findings: [{ state: 'works', text: words.doctor.config(file) }], facts };
  return { findings: [broken(words.doctor.badConfig(file, length))], verdict: VERDICTS.badConfig, facts };
}

const MEGABYTE = 1024 ** 2;

/** Checks whether changes of files can be recorded, and how much is kept of them. A run works without. */
async function diagnoseFiles({ env, workingFolder, dataFolder }: CliContext): Promise<Diagnosis> {
  const { git, noGit, oldGit, brokenGit, installGit, repairGit } = words.doctor;
  const found = await findGit(env.PATH, workingFolder);
  const keptBytes = await readKeptBytes(dataFolder).catch(() => 0); // What is wrong with the folder is found elsewhere.
  if (found.kind === 'broken') {
    const broken = { state: 'doubtful', text: brokenGit(found.detail), advice: repairGit } as const;
    return { findings: [broken], facts: { git: null, keptBytes } };
  }
  if (found.kind !== 'found') {
    const text = found.kind === 'missing' ? noGit : oldGit(found.version);
    const version = found.kind === 'missing' ? null : found.version;
    return {
      findings: [{ state: 'doubtful', text, advice: installGit }],
      facts: { git: version, keptBytes },
    };
  }
  const { file, version } = found.git;
  const text = git(version, file, formatNumber(Math.ceil(keptBytes / MEGABYTE)));
  return { findings: [{ state: 'works', text }], facts: { git: version, keptBytes } };
}

/** Checks whether sessions can be saved, and whether the saved ones can be read. */
async function diagnoseStorage(context: CliContext): Promise<Diagnosis> {
  const { dataFolder } = context;
  try {
    requireWritable(dataFolder);
  } catch (error) {
    return {
      findings: [broken(words.doctor.noDataFolder(dataFolder, describeSystemError(error)))],
      verdict: VERDICTS.noDataFolder,
      facts: { dataFolder, canKeepSessions: false },
    };
  }
  const isThere: Finding = { state: 'works', text: words.doctor.dataFolder(dataFolder) };
  try {
    const shared = await chooseStore(context);
    if (shared === undefined) loadSqlite();
    await withStore(context, async (store) => {
      // A shared store may hold millions.
      if (isShared(store)) await store.list({ limit: 1 });
      else await toArray(listStored(store));
    });
    const facts = { dataFolder, canKeepSessions: true };
    if (shared === undefined) return { findings: [isThere], facts };
    const { name } = shared;
    const isInUse: Finding = { state: 'works', text: words.doctor.sharedStore(name) };
    return { findings: [isThere, isInUse], facts: { ...facts, store: name } };
  } catch (error) {
    if (!(error instanceof HuddleError)) throw error;
    return {
      findings: [isThere, broken(describeError(error))],
      verdict: {
        exitCode: EXIT_CODE_OF_ERROR.get(error.code) ?? EXIT_CODES.failed,
        next: 'runUnsaved',
      },
      facts: { dataFolder, canKeepSessions: false },
    };
  }
}

/** Requires that the folder can be made when it is needed, by making another one there: rights alone do not tell. An existing one must be ours. */
function requireWritable(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  rmdirSync(mkdtempSync(join(existing, '.huddle-')));
  if (existing === folder) requireOwnFolder(folder);
}
