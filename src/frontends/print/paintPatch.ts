import { cutLine, type PatchLine, readPatch } from '../../presentation/readPatch.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import type { Paint, Role } from '../lines/paint.js';

/** As git colours them; lines without a change have no colour. */
const ROLES: Readonly<Record<Exclude<PatchLine['kind'], 'context'>, Role>> = {
  file: 'strong',
  meta: 'strong',
  hunk: 'place',
  add: 'good',
  remove: 'bad',
};

/** The lines of a unified diff for a screen: coloured, made harmless, overlong ones cut. A pipe gets the diff itself instead. */
export function* paintPatch(patch: string, paint: Paint): Generator<string> {
  for (const { kind, text } of readPatch(patch)) {
    const line = sanitizeForTerminal(cutLine(text));
    yield kind === 'context' ? line : paint(ROLES[kind], line);
  }
}
