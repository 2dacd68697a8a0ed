import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  interface ProvidedContext {
    /** A folder for what is made once and used by many files of tests. */
    runFolder: string;
  }
}

/** Makes the folder of this run, which ends with it and is empty again before the next one of a watch. */
export default function open(project: TestProject): () => void {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-tests-'));
  project.provide('runFolder', folder);
  const remove = () => rmSync(folder, { recursive: true, force: true });
  project.onTestsRerun(() => {
    remove();
    mkdirSync(folder);
  });
  return remove;
}
