import { detectAcpAgents, detectAgents } from '../../agents/detectAgents.js';
import { english } from '../../catalogue/english.js';
import { words } from '../../catalogue/words.js';
import { createPaint, type Role } from '../../frontends/lines/paint.js';
import { readVersion } from '../../utils/readVersion.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import { type CliContext, print, printJson } from '../start/CliContext.js';
import { EXIT_CODES } from '../start/exitCodes.js';
import { findTrustedPrograms } from '../trust/examineTrust.js';
import { type Diagnosis, type Finding, nameStep, type RunVerdict, VERDICTS } from './doctor/Diagnosis.js';
import { diagnoseAgents } from './doctor/diagnoseAgents.js';
import { diagnoseConfig } from './doctor/diagnoseConfig.js';
import { diagnoseFiles } from './doctor/diagnoseFiles.js';
import { diagnoseStorage } from './doctor/diagnoseStorage.js';
import { diagnoseTeam } from './doctor/diagnoseTeam.js';
import { diagnoseFolder } from './doctor/diagnoseTrust.js';

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
