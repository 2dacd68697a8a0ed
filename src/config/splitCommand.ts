/** Characters that only a shell understands. */
const SHELL = /[|&;<>$`*?~]/u;
const WORD = /"(?<double>[^"]*)"|'(?<single>[^']*)'|\S+/gu;

/** A command line as the list of its words; one that needs a shell gets it. */
export function splitCommand(line: string): readonly string[] {
  if (SHELL.test(line)) return ['sh', '-c', line];
  return [...line.matchAll(WORD)].map(({ 0: word, groups }) => groups?.double ?? groups?.single ?? word);
}
