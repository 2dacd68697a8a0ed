import { toText } from '../bytePaths.js';
import type { OwnRepository } from './ownRepository.js';

/** Arguments that limit git to the folder that is worked in. */
export function limitTo({ prefix }: OwnRepository): readonly string[] {
  return prefix === '' ? [] : ['--', toText(prefix.slice(0, -1))];
}
