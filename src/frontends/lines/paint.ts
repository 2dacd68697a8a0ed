import { styleText } from 'node:util';
import type { UserSettings } from '../../models/UserSettings.js';
import { cutLine, type PatchLine, readPatch } from '../../presentation/readPatch.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';

/** The kinds of text that are coloured. */
export type Role = 'name' | 'person' | 'faint' | 'notice' | 'error' | 'good' | 'bad' | 'place' | 'strong';

export type Paint = (role: Role, text: string) => string;

const FORMATS: Readonly<Record<Role, Parameters<typeof styleText>[0]>> = {
  name: ['bold', 'cyan'],
  person: ['bold', 'green'],
  faint: 'dim',
  notice: 'yellow',
  error: ['bold', 'red'],
  good: 'green',
  bad: 'red',
  place: 'cyan',
  strong: 'bold',
};

type Environment = Readonly<Record<string, string | undefined>>;
type Colours = UserSettings['colours'];

/** Paints for one stream, or leaves text as it is where colours are not wanted. */
export function createPaint(
  stream: { readonly isTTY?: boolean },
  env: Environment,
  colours?: Colours,
): Paint {
  if (!wantsColour(stream, env, colours)) return (_role, text) => text;
  return (role, text) => styleText(FORMATS[role], text, { validateStream: false });
}

/** FORCE_COLOR has the last word, then NO_COLOR, then the user's settings; without any only a terminal that can and is not a CI's log. */
export function wantsColour(
  stream: { readonly isTTY?: boolean },
  env: Environment,
  colours: Colours = 'auto',
): boolean {
  const chosen = colourChoiceOf(env)?.colours ?? colours;
  return chosen === 'auto' ? isLiveTerminal(stream, env) : chosen === 'always';
}

/** The choice that the environment makes, and the variable that makes it. */
export function colourChoiceOf(
  env: Environment,
): { readonly colours: 'always' | 'never'; readonly variable: string } | undefined {
  if (env.FORCE_COLOR !== undefined) {
    const isOff = env.FORCE_COLOR === '0' || env.FORCE_COLOR === 'false';
    return { colours: isOff ? 'never' : 'always', variable: 'FORCE_COLOR' };
  }
  return env.NO_COLOR ? { colours: 'never', variable: 'NO_COLOR' } : undefined;
}

/** A terminal with a person before it, where a line can be written over. */
export function isLiveTerminal(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  return stream.isTTY === true && env.TERM !== 'dumb' && !env.CI;
}

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
