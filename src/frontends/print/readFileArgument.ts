/** A choice of changes, as it is typed behind a slash command. */
export interface FileArgument {
  readonly what?: string;
  readonly paths?: readonly string[];
}

/** `4 -- src/a.ts src/b.ts`. */
export function readFileArgument(argument: string): FileArgument {
  const [before = '', after = ''] = ` ${argument} `.split(/\s--\s/u);
  const what = before.trim();
  const paths = [...after.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/gu)].map(
    ([, single, double, word]) => single ?? double ?? word ?? '',
  );
  return { ...(what !== '' && { what }), ...(paths.length > 0 && { paths }) };
}
