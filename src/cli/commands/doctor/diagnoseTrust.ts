import type { DetectedAgent } from '../../../agents/detectAgents.js';
import { describeError } from '../../../catalogue/errors.js';
import { words } from '../../../catalogue/words.js';
import { DataFolderError, TrustRecordError } from '../../../config/trust.js';
import type { CliContext } from '../../start/CliContext.js';
import { teamOf } from '../../team/findTeam.js';
import { examineTrust, type TrustSubject } from '../../trust/examineTrust.js';
import { broken, type Diagnosis, type Finding, type RunVerdict, VERDICTS } from './Diagnosis.js';

/** Checks the trust in a team. A record that cannot be read is one more finding, and likely the one that was looked for. */
export async function diagnoseTrust(
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
