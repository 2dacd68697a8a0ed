import type { Language } from '../../models/Language.js';

type Environment = Readonly<Record<string, string | undefined>>;

/** The language that a command line and its environment ask for. */
export interface LanguageWish {
  /** By name, in `--lang` or HUDDLE_LANG; without `language` where Huddle does not speak it. */
  readonly named?: { readonly source: string; readonly value: string; readonly language?: Language };
  /** That of the locale; English where Huddle does not speak it. */
  readonly locale: Language;
}

const OPTION = '--lang';

/** Takes `--lang zh-CN`, which may stand anywhere, out of the arguments. */
export function readLanguage(
  args: readonly string[],
  env: Environment,
): { readonly rest: readonly string[]; readonly wish: LanguageWish } {
  const { rest, value } = takeOption(args);
  const [source, name] =
    value === undefined ? ['HUDDLE_LANG', env.HUDDLE_LANG || undefined] : [OPTION, value];
  const locale = parseLanguage(env.LC_ALL || env.LC_MESSAGES || env.LANG || '') ?? 'en';
  if (name === undefined) return { rest, wish: { locale } };
  const language = parseLanguage(name);
  return { rest, wish: { locale, named: { source, value: name, ...(language && { language }) } } };
}

/** Reads a language as people and locales write it: `zh`, `zh_CN.UTF-8`, `EN`. */
function parseLanguage(name: string): Language | undefined {
  const [language] = name.toLowerCase().split(/[-_.@]/u);
  if (language === 'zh') return 'zh-CN';
  return language === 'en' ? 'en' : undefined;
}

/** Finds `--lang zh-CN` or `--lang=zh-CN`. Words that are to be completed are not ours to read. */
function takeOption(args: readonly string[]): { rest: readonly string[]; value?: string } {
  const end = args.indexOf('--');
  const at = args.findIndex((arg) => arg === OPTION || arg.startsWith(`${OPTION}=`));
  const arg = args[at];
  if (arg === undefined || (end >= 0 && at > end) || args[0] === 'completion') return { rest: args };
  const isJoined = arg !== OPTION;
  return {
    rest: args.toSpliced(at, isJoined ? 1 : 2),
    value: isJoined ? arg.slice(OPTION.length + 1) : (args[at + 1] ?? ''),
  };
}
