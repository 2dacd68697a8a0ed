const UNREADABLE = '…';
/** A word that a shell takes as it is. */
const PLAIN_WORD = /^[\w@%+=:,./-]+$/u;

/** A command as people read it: text as it is, a list joined and quoted as for a shell. `undefined`: there is none. */
export function commandLine(command: unknown): string | undefined {
  if (command === undefined || command === null || typeof command === 'string') return command ?? undefined;
  if (!Array.isArray(command)) return toJson(command) ?? UNREADABLE;
  return command.length === 0 ? undefined : command.map(quoteWord).join(' ');
}

/** `undefined` where there is nothing to say, or too much: a value can be nested too deep for the stack. */
export function toJson(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}

function quoteWord(word: unknown): string {
  const text = typeof word === 'string' ? word : (toJson(word) ?? UNREADABLE);
  return PLAIN_WORD.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
