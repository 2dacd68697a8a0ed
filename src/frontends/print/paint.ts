import { styleText } from 'node:util';

/** The kinds of text that are coloured. */
export type Role = 'name' | 'person' | 'faint' | 'notice' | 'error' | 'good';

export type Paint = (role: Role, text: string) => string;

const FORMATS: Readonly<Record<Role, Parameters<typeof styleText>[0]>> = {
  name: ['bold', 'cyan'],
  person: ['bold', 'green'],
  faint: 'dim',
  notice: 'yellow',
  error: ['bold', 'red'],
  good: 'green',
};

type Environment = Readonly<Record<string, string | undefined>>;

/** Choice when to paint: as the terminal can, always, or never. */
export type ColourPreference = 'auto' | 'always' | 'never';

let preference: ColourPreference = 'auto';

/** Chooses for everything that is painted from now on; the environment still comes first. */
export function preferColours(colours: ColourPreference): void {
  preference = colours;
}

/** Paints for one stream, or leaves text as it is where colours are not wanted. */
export function createPaint(stream: { readonly isTTY?: boolean }, env: Environment): Paint {
  if (!wantsColour(stream, env)) return (_role, text) => text;
  return (role, text) => styleText(FORMATS[role], text, { validateStream: false });
}

/** FORCE_COLOR has the last word, then NO_COLOR, then the user's choice; without any only a terminal that can and is not a CI's log. */
export function wantsColour(stream: { readonly isTTY?: boolean }, env: Environment): boolean {
  const { colours } = colourChoiceOf(env) ?? { colours: preference };
  return colours === 'auto' ? isLiveTerminal(stream, env) : colours === 'always';
}

/** The choice that the environment makes, and the variable that makes it. */
export function colourChoiceOf(
  env: Environment,
): { readonly colours: ColourPreference; readonly variable: string } | undefined {
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
