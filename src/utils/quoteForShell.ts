/** A word of a command line that is there to be copied: quoted where a shell would read more into it. */
export function quoteForShell(word: string): string {
  return /^[\w.:/@+-]+$/u.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}
