import { homedir } from 'node:os';
import type { TurnOutcome } from '../models/TurnOutcome.js';
import type { WorkerMember } from '../models/WorkerFile.js';
import { redactSecrets } from '../utils/redact.js';
import { replaceStrings } from '../utils/replaceStrings.js';

/** A failure without the folders of this machine and without what looks like a secret: where and how it starts things is its own. */
export function hidePlaces(outcome: TurnOutcome, { folder }: WorkerMember): TurnOutcome {
  if (outcome.kind !== 'failed') return outcome;
  const places = [
    { path: folder, shown: '[folder]' },
    { path: homedir(), shown: '~' },
  ].filter(({ path }) => path.length > 1);
  const hide = (text: string): string =>
    places.reduce((hidden, { path, shown }) => hidden.replaceAll(path, shown), redactSecrets(text));
  return {
    ...outcome,
    failure: replaceStrings(structuredClone(outcome.failure), hide) as typeof outcome.failure,
  };
}
