import type { DetectedAgent } from '../../../agents/detectAgents.js';
import { describeError } from '../../../catalogue/errors.js';
import { words } from '../../../catalogue/words.js';
import { TeamFileError } from '../../../config/readRegularFile.js';
import { DataFolderError, TrustRecordError } from '../../../config/trust.js';
import { missingProgram } from '../../../models/knownPrograms.js';
import { agentsOf } from '../../../routing/teamMembers.js';
import type { CliContext } from '../../start/CliContext.js';
import { EXIT_CODES } from '../../start/exitCodes.js';
import { showPath } from '../../start/paths.js';
import { teamOf } from '../../team/chooseTeam.js';
import { groupMissingPrograms, type MissingProgram } from '../../team/missingPrograms.js';
import type { TeamLocation } from '../../team/Project.js';
import { examineTrust, type TrustSubject } from '../../trust/examineTrust.js';
import { problemsForJson } from '../teamCheck.js';
import {
  broken,
  type Diagnosis,
  type Finding,
  type RunVerdict,
  type TeamDiagnosis,
  VERDICTS,
} from './Diagnosis.js';

/** Checks the team file of this folder, or the user's default team: what it says, its programs, and the trust in it. */
export async function diagnoseTeam(context: CliContext): Promise<TeamDiagnosis> {
  const located = await context.project.locate();
  if (located === undefined)
    return { findings: [{ state: 'works', text: words.doctor.noTeam }], facts: { team: null } };
  try {
    return await diagnoseTeamFile(located, context);
  } catch (error) {
    if (!(error instanceof TeamFileError)) throw error;
    const { file } = located;
    const { problems } = error;
    return {
      findings: [broken(words.doctor.badTeam(showPath(file, context), problems.length))],
      verdict: VERDICTS.badTeam,
      file,
      facts: { team: { file, ok: false, problems: problemsForJson(problems) } },
    };
  }
}

async function diagnoseTeamFile(
  { file, isDefault }: TeamLocation,
  context: CliContext,
): Promise<TeamDiagnosis> {
  const options = { interactive: true, trustedFiles: 'any', prices: context.settings.prices } as const;
  const { folder, team, warnings } = await context.project.load(file, options);
  const workingFolder = isDefault ? context.workingFolder : folder;
  const missing = groupMissingPrograms(team, workingFolder, context);
  const subject = { team, teamFolder: folder, workingFolder, defaultTeamFile: isDefault ? file : undefined };
  const trust = await diagnoseTrust(subject, context);
  const describe = isDefault ? words.doctor.defaultTeam : words.doctor.team;
  const text = describe(showPath(file, context), team.name, agentsOf(team).length);
  return {
    findings: [{ state: 'works', text }, ...missing.map(describeMissing), trust.finding],
    verdict: judgeMissing(missing) ?? trust.verdict,
    file,
    team,
    facts: {
      team: {
        file,
        ok: true,
        name: team.name,
        isDefault,
        warnings: problemsForJson(warnings),
        missing: missing.flatMap(({ neededBy }) => neededBy),
        isTrusted: trust.verdict === undefined,
      },
    },
  };
}

function describeMissing({ program, neededBy }: MissingProgram): Finding {
  const { install } = missingProgram(program);
  const text = words.doctor.memberMissing(neededBy, program);
  return broken(text, install === undefined ? undefined : words.doctor.install(install));
}

function judgeMissing(missing: readonly MissingProgram[]): RunVerdict | undefined {
  if (missing.length === 0) return undefined;
  const installs = missing.map(({ program }) => missingProgram(program).install);
  const install = installs.find((each) => each !== undefined);
  return { exitCode: EXIT_CODES.agentMissing, next: install === undefined ? 'rehearse' : { run: install } };
}

/** Checks the trust in a team. A record that cannot be read is one more finding, and likely the one that was looked for. */
async function diagnoseTrust(
  subject: TrustSubject,
  context: CliContext,
): Promise<{ readonly finding: Finding; readonly verdict?: RunVerdict }> {
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

/** Without a team file, trust is in the folder; without an agent to start, that is no question yet. */
export async function diagnoseFolder(
  agents: readonly DetectedAgent[],
  context: CliContext,
): Promise<Diagnosis> {
  const { workingFolder } = context;
  const { team, rehearsal } = teamOf(agents, context);
  if (rehearsal) return { findings: [], facts: { isFolderTrusted: false } };
  const { finding, verdict } = await diagnoseTrust({ team, workingFolder }, context);
  return { findings: [finding], verdict, facts: { isFolderTrusted: verdict === undefined } };
}
