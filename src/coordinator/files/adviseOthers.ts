import { quoteForShell } from '../../utils/quoteForShell.js';

/** Advice for more files than these would be no help. */
const MOST_ADVISED = 20;

/** The command for the files that nothing stands in the way of; absent without any, or with too many to type. */
export function adviseOthers(
  command: string,
  files: readonly { readonly path: string }[],
): string | undefined {
  if (files.length === 0 || files.length > MOST_ADVISED) return undefined;
  return `${command} -- ${files.map(({ path }) => quoteForShell(path)).join(' ')}`;
}
