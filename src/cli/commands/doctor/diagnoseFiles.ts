import { words } from '../../../catalogue/words.js';
import { findGit } from '../../../files/git/runGit.js';
import { readKeptBytes } from '../../../files/letGo.js';
import { formatNumber } from '../../../utils/formatNumber.js';
import type { CliContext } from '../../start/CliContext.js';
import type { Diagnosis } from './Diagnosis.js';

const MEGABYTE = 1024 ** 2;

/** Checks whether changes of files can be recorded, and how much is kept of them. A run works without. */
export async function diagnoseFiles({ env, workingFolder, dataFolder }: CliContext): Promise<Diagnosis> {
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
