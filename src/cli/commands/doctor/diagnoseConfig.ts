import { words } from '../../../catalogue/words.js';
import type { CliContext } from '../../start/CliContext.js';
import { isThere } from '../../start/loadSettings.js';
import { problemsForJson } from '../../team/problemsForJson.js';
import { broken, type Diagnosis, VERDICTS } from './Diagnosis.js';

/** Checks the configuration file of the user. */
export function diagnoseConfig({ configFile: file, settingsProblems }: CliContext): Diagnosis {
  const exists = file !== undefined && isThere(file);
  const facts = { config: { file: file ?? null, exists, problems: problemsForJson(settingsProblems) } };
  if (file === undefined || !exists)
    return { findings: [{ state: 'unused', text: words.doctor.noConfig(file) }], facts };
  const { length } = settingsProblems;
  if (length === 0) return { findings: [{ state: 'works', text: words.doctor.config(file) }], facts };
  return { findings: [broken(words.doctor.badConfig(file, length))], verdict: VERDICTS.badConfig, facts };
}
