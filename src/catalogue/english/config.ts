/** Sentences of the user's configuration. */
export const configText = {
  invalid: (file: string, problems: string) => `${file} is not valid:\n${problems}`,
  toFix: 'Fix the file, or remove it to use the defaults.',
  file: (file: string, exists: boolean) =>
    exists ? `Configuration file: ${file}` : `Configuration file: ${file} (does not exist yet)`,
  noFile: 'No home folder found for a configuration file. Set XDG_CONFIG_HOME to an absolute path.',
  unknownKey: (key: string, nearest: string | undefined) =>
    nearest === undefined
      ? `Unknown setting "${key}". List all: huddle config`
      : `Unknown setting "${key}". Did you mean ${nearest}?`,
  choices: (key: string, choices: readonly string[], value: string) =>
    `${key} must be ${listChoices(choices)}, not "${value}".`,
  oneValue: (key: string) => `${key} takes one value.`,
  price: (model: string) =>
    `A price is US dollars per million tokens, as in: huddle config set prices.${model} <input> <output>.`,
  set: (key: string, value: string, file: string) => `Set ${key} to ${value} in ${file}`,
  removed: (key: string, file: string) => `Removed ${key} from ${file}`,
  notSet: (key: string, file: string) => `${key} is not set in ${file}`,
  cannotWrite: (file: string, reason: string) => `${file} cannot be written: ${reason}. Nothing was changed.`,
  teamNeedsTrust: 'It serves every folder without a team file, and asks for your trust in each.',
  heads: { key: 'setting', value: 'value', source: 'from' },
  dataFolder: 'data folder',
  none: 'none',
  on: 'on',
  off: 'off',
  shownPrice: (input: number, cached: number | undefined, output: number) =>
    cached === undefined ? `$${input} in, $${output} out` : `$${input} in, $${cached} cached, $${output} out`,
  sources: {
    default: 'default',
    installed: 'default: the CLIs installed here',
    config: (file: string, line: number | undefined) => (line === undefined ? file : `${file}:${line}`),
    environment: (name: string) => name,
    teamFile: 'team file',
    locale: (variable: string | undefined, value: string | undefined) =>
      variable === undefined ? 'locale' : `locale (${variable}=${value})`,
  },
};

/** `"a", "b" or "c"`. */
function listChoices(choices: readonly string[]): string {
  const quoted = choices.map((choice) => `"${choice}"`);
  return [quoted.slice(0, -1).join(', '), ...quoted.slice(-1)].join(' or ');
}
