import type { ShownMember } from '../../../../presentation/Block.js';

const HUES = 8;

/** The class that colours what is of a member: each agent has its own, people have none. */
export function hueOf({ place }: Pick<ShownMember, 'place'>): string {
  return place < 0 ? 'hue-none' : `hue-${place % HUES}`;
}
