import { words } from '../../catalogue/words.js';
import { sanitizeToOneLine } from '../../utils/sanitize.js';
import type { CliContext } from '../start/CliContext.js';

/** Characters that mean something in the quotes of an alias. */
const UNQUOTABLE = /["'$`\\]/u;

/** Commands to try after a demo. In a clone `huddle` is not a command yet: the line that makes it one comes first. */
export function nextSteps({ env }: CliContext): string {
  const { HUDDLE_CLONE: clone = '' } = env;
  const [title = '', ...steps] = words.rehearsal.next;
  const alias = clone === '' || UNQUOTABLE.test(clone) ? [] : [`  ${aliasOf(sanitizeToOneLine(clone))}`];
  return ['', title, ...alias, ...steps].join('\n');
}

function aliasOf(program: string): string {
  return `alias huddle="node ${/\s/u.test(program) ? `'${program}'` : program}"`;
}
