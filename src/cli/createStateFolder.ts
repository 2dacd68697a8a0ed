import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { english } from '../catalogue/english.js';
import { HuddleError } from '../models/errors.js';
import { describeSystemError } from '../utils/systemErrors.js';

/** Where stand-ins keep their sessions as long as a rehearsal lasts. */
export async function createStateFolder(): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'huddle-rehearsal-'));
  } catch (error) {
    const message = english.rehearsal.noStateFolder(tmpdir(), describeSystemError(error));
    throw new HuddleError('CANNOT_WRITE', message, { cause: error });
  }
}
