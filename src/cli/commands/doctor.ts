import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type DetectedAgent, detectAcpAgents, detectAgents } from '../../agents/detectAgents.js';
import { english } from '../../catalogue/english.js';
import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { type Catalogue, words } from '../../catalogue/words.js';
import { describeWhatStarts } from '../../config/describeWhatStarts.js';
import { findTeamFile, loadTeamFile } from '../../config/loadTeamFile.js';
import { TeamFileError } from '../../config/TeamFileError.js';
import { DataFolderError, findTrustedFolder, TrustRecordError } from '../../config/trust.js';
import { createPaint, type Role } from '../../frontends/print/paint.js';
import { HuddleError } from '../../models/errors.js';
import type { Team } from '../../models/Team.js';
import type { Login } from '../../models/TurnOutcome.js';
import { loadSqlite } from '../../store/sqlite/loadSqlite.js';
import { toArray } from '../../utils/AnyIterable.js';
import { requireOwnFolder } from '../../utils/privatePaths.js';
import { readVersion } from '../../utils/readVersion.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson } from '../CliContext.js';
import { teamOf } from '../chooseTeam.js';
import { examineTrust, type TrustSubject } from '../examineTrust.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from '../exitCodes.js';
import { findMissingPrograms } from '../missingPrograms.js';
import { problemsForJson } from '../problemsForJson.js';
import { listStored, withStore } from '../sessions.js';
import { showPath } from '../showPath.js';

/** Result of one check. */
interface Finding {
  readonly state: 'works' | 'doubtful' | 'broken';
  readonly text: string;
  /** A way to fix it. */
  readonly advice?: string;
}

/** A reason why a run would fail: its exit code, and the command that helps. */
interface Verdict {
  readonly exitCode: number;
  readonly next: NextStep;
}

const VERDICTS = {
  noAgent: { exitCode: EXIT_CODES.agentMissing, next: 'rehearse' },
  notTrusted: { exitCode: EXIT_CODES.notTrusted, next: 'trust' },
  noDataFolder: { exitCode: EXIT_CODES.cannotWrite, next: 'moveData' },
} as const satisfies Readonly<Record<string, Verdict>>;

/** A step to take next: one of those in the catalogue, a command, or a login. */
type NextStep = keyof Catalogue['doctor']['steps'] | { readonly run: string } | { readonly logIn: Login };

function nameStep(step: NextStep, { doctor: { steps, logIn } }: Catalogue): string {
  if (typeof step === 'string') return steps[step];
  return 'run' in step ? step.run : logIn(step.logIn);
}

interface Diagnosis {
  readonly findings: readonly Finding[];
  readonly verdict?: Verdict;
  /** The team file, valid or not. */
  readonly file?: string;
  /** The team, if its file is valid. */
  readonly team?: Team;
  /** The same for `--json`. */
  readonly facts: Readonly<Record<string, unknown>>;
}

/** Reports what works and what does not. Ends with the exit code that a run would have, and what to type next. */
export async function doctor({ json }: { readonly json?: boolean }, context: CliContext): Promise<number> {
  const { env: environment, workingFolder } = context;
  const trustedPrograms = await findTrustedPrograms(context);
  const options = { environment, workingFolder, trustedPrograms };
  const [agents, acpAgents] = await Promise.all([detectAgents(options), detectAcpAgents(options)]);
  const team = await diagnoseTeam(context);
  const diagnoses = [
    team,
    diagnoseAgents(agents, acpAgents, team.team),
    ...(team.file === undefined ? [await diagnoseFolder(agents, context)] : []),
    await diagnoseStorage(context),
  ];
  const verdict = diagnoses.find((diagnosis) => diagnosis.verdict)?.verdict ?? {
    exitCode: EXIT_CODES.done,
    next: 'run' as const,
  };
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

const MARKS: Readonly<Record<Finding['state'], { readonly mark: string; readonly role: Role }>> = {
  works: { mark: '✓', role: 'good' },
  doubtful: { mark: '!', role: 'notice' },
  broken: { mark: '✗', role: 'error' },
};

function printFinding({ state, text, advice }: Finding, context: CliContext): void {
  const paint = createPaint(context.stdout, context.env, context.settings.colours);
  const { mark, role } = MARKS[state];
  print(context, `  ${paint(role, mark)} ${sanitizeToOneLine(text)}`);
  if (advice !== undefined) print(context, `    ${paint('faint', sanitizeToOneLine(advice))}`);
}

/** ACP agents are many and work only if a team file names them, so only the installed ones are shown. */
function diagnoseAgents(
  agents: readonly DetectedAgent[],
  acpAgents: readonly DetectedAgent[],
  team: Team | undefined,
): Diagnosis {
  const installed = [...agents.filter(({ file }) => file !== undefined), ...acpAgents];
  const verdict =
    team === undefined && installed.length === 0
      ? {
          exitCode: EXIT_CODES.agentMissing,
          next: agents[0] === undefined ? ('rehearse' as const) : { run: agents[0].installHint },
        }
      : judgeLogins(installed.filter((agent) => team === undefined || isIn(team, agent)));
  const findings = [...agents, ...acpAgents].flatMap(examineAgent);
  return { findings, facts: { agents, acpAgents }, verdict };
}

function judgeLogins(installed: readonly DetectedAgent[]): Verdict | undefined {
  const [first] = installed;
  if (first === undefined || installed.some(({ loggedIn }) => loggedIn !== 'no')) return undefined;
  return {
    exitCode: EXIT_CODES.notLoggedIn,
    next: first.login === undefined ? 'rehearse' : { logIn: first.login },
  };
}

function isIn({ members }: Team, { type }: DetectedAgent): boolean {
  return members.some((member) => member.type === 'ai' && member.agentType === type);
}

/** Looks at the program itself, and at one of the same name that the project brings along. */
function examineAgent(agent: DetectedAgent): readonly Finding[] {
  const { file, passedOver } = agent;
  if (passedOver === undefined) return [examineProgram(agent)];
  const notStarted: Finding = { state: 'doubtful', text: words.trust.passedOver(passedOver) };
  return file === undefined
    ? [{ ...notStarted, advice: words.doctor.lookAndTrust }]
    : [examineProgram(agent), notStarted];
}

function examineProgram(agent: DetectedAgent): Finding {
  const { label, file, version, testedVersion, loggedIn, login, installHint, command } = agent;
  if (file === undefined) return broken(words.doctor.missing(label), words.doctor.install(installHint));
  const text = words.joining.facts([
    words.doctor.found(label, version, file),
    words.doctor.tested(testedVersion),
    words.doctor.login[loggedIn],
  ]);
  if (loggedIn === 'no') return broken(text, login && words.doctor.logIn(login));
  if (version === undefined)
    return { state: 'doubtful', text, advice: words.doctor.noVersion(command.join(' ')) };
  if (agent.isOlderThanTested)
    return { state: 'doubtful', text, advice: words.doctor.older(label, testedVersion) };
  return { state: 'works', text };
}

async function diagnoseTeam(context: CliContext): Promise<Diagnosis> {
  const file = await findTeamFile(context.workingFolder);
  if (file === undefined)
    return { findings: [{ state: 'works', text: words.doctor.noTeam }], facts: { team: null } };
  try {
    return await diagnoseTeamFile(file, context);
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    const { problems } = error;
    return {
      findings: [broken(words.doctor.badTeam(showPath(file, context), problems.length))],
      verdict: { exitCode: EXIT_CODES.teamFileInvalid, next: 'check' },
      file,
      facts: { team: { file, ok: false, problems: problemsForJson(problems) } },
    };
  }
}

async function diagnoseTeamFile(file: string, context: CliContext): Promise<Diagnosis> {
  const { folder, team, warnings } = await loadTeamFile(file, { interactive: true, trustedFiles: 'any' });
  const programs = describeWhatStarts(team);
  const missing = findMissingPrograms(team, folder, context);
  const trust = await diagnoseTrust({ team, teamFolder: folder, workingFolder: folder }, context);
  const isAllMissing = missing.length > 0 && missing.length === programs.length;
  const verdict = isAllMissing ? VERDICTS.noAgent : trust.verdict;
  return {
    findings: [
      { state: 'works', text: words.doctor.team(showPath(file, context), team.name, programs.length) },
      ...missing.map(({ member, command: [name = ''] }) => broken(words.doctor.memberMissing(member, name))),
      trust.finding,
    ],
    verdict,
    file,
    team,
    facts: {
      team: {
        file,
        ok: true,
        name: team.name,
        warnings: problemsForJson(warnings),
        missing: missing.map(({ member }) => member),
        isTrusted: trust.verdict === undefined,
      },
    },
  };
}

/** Without a team file, trust is in the folder; without an agent to start, that is no question yet. */
async function diagnoseFolder(agents: readonly DetectedAgent[], context: CliContext): Promise<Diagnosis> {
  const { workingFolder } = context;
  const { team, rehearsal } = teamOf(agents, context);
  if (rehearsal) return { findings: [], facts: { isFolderTrusted: false } };
  const { finding, verdict } = await diagnoseTrust({ team, workingFolder }, context);
  return { findings: [finding], verdict, facts: { isFolderTrusted: verdict === undefined } };
}

/** Checks the trust in a team. A record that cannot be read is one more finding, and likely the one that was looked for. */
async function diagnoseTrust(
  subject: TrustSubject,
  context: CliContext,
): Promise<{ readonly finding: Finding; readonly verdict?: Verdict }> {
  try {
    const { trustedSince } = await examineTrust(subject, context);
    if (trustedSince !== undefined)
      return { finding: { state: 'works', text: words.doctor.trusted(trustedSince) } };
    const { notTrusted: text, lookAndTrust: advice } = words.doctor;
    return { finding: broken(text, advice), verdict: VERDICTS.notTrusted };
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof TrustRecordError)) throw error;
    const verdict = error instanceof DataFolderError ? VERDICTS.noDataFolder : VERDICTS.notTrusted;
    return { finding: broken(describeError(error)), verdict };
  }
}

/** Reads the trust record; the finding about trust reports what is wrong with it. */
async function findTrustedPrograms(context: CliContext): Promise<readonly string[]> {
  try {
    return (await findTrustedFolder(context.workingFolder, context))?.programs ?? [];
  } catch (error) {
    if (!(error instanceof DataFolderError || error instanceof TrustRecordError)) throw error;
    return [];
  }
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
    loadSqlite();
    await withStore(context, (store) => toArray(listStored(store)));
    return { findings: [isThere], facts: { dataFolder, canKeepSessions: true } };
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

/** Requires that the folder can be made when it is needed. An existing one must be ours. */
function requireWritable(folder: string): void {
  let existing = folder;
  while (!existsSync(existing) && dirname(existing) !== existing) existing = dirname(existing);
  // With the dot, because a file can be written too.
  accessSync(`${existing}/.`, constants.W_OK | constants.X_OK);
  if (existing === folder) requireOwnFolder(folder);
}

function broken(text: string, advice?: string): Finding {
  return { state: 'broken', text, advice };
}
