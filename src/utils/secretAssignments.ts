/** A name that ends like one of secrets, as environments, JSON, YAML, TOML, queries and programs write it. */
const NAME = `(?<![\\w-])([A-Za-z_][\\w.-]{0,64})(?<=${[
  ...['key', 'token', 'secret', 'credential', 'password', 'passwd', 'passphrase', 'passcode'],
  ...['pass', 'pwd', 'pw', 'auth', 'dsn', 'cred', 'pat'],
].join('s?|')}s?)`;
/** Sets it; in JSON that is in JSON, quotes have backslashes. */
const SIGN = '((?:\\\\{0,3}["\'])?[ \\t]{0,2}(?:=>|:=|[=:])[ \\t]{0,2})';
const QUOTED = new RegExp(`${NAME}${SIGN}(\\\\{0,3}["'\`])([^\\s"'\`\\\\]{8,512})(?=\\\\{0,3}["'\`])`, 'giu');
/** A value of several words. */
const WORDS = new RegExp(
  `${NAME}${SIGN}(\\\\{0,3}(["'\`]))([^"'\`\\\\\\r\\n]{4,512})(?=\\\\{0,3}\\4)`,
  'giu',
);
const BARE = new RegExp(`${NAME}${SIGN}([^\\s"'\`,;\\\\]{4,512})`, 'giu');
const ELEMENT = /<([A-Za-z][\w.-]{0,64})>([^<>\s]{4,512})(?=<\/\1>)/gu;
/** A block of lines in YAML, also in JSON and in a diff. */
const BLOCK = new RegExp(
  `${NAME}(:[ \\t]{0,2}[|>][-+]?(?:\\r?\\n|\\\\n))([+ \\t]{1,64})([^\\s\\\\][^\\r\\n\\\\"]{3,512}(?:(?:\\r?\\n|\\\\n)\\3[^\\r\\n\\\\"]{1,512}){0,99})`,
  'giu',
);
const FLAG = /(?<![\w-])--([a-z][a-z-]{1,40})([ =])(["']?)([^\s"'-][^\s"']{7,512})/gu;

/** By the last word of a name, or of a part of it; short ones only as a word of their own: `MYSQL_PWD`, but not `OLDPWD`. */
const SECRET_WORD =
  '(?:KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWDS?|PASSPHRASES?|PASSCODES?|CREDENTIALS?|AUTH|(?<![A-Z0-9])(?:PASS|PW|DSN|CREDS?|PAT)|_PWD)';
const SECRET_NAME = new RegExp(`${SECRET_WORD}(?:_|$)`, 'iu');
const SECRET_END = new RegExp(`${SECRET_WORD}$`, 'u');
/** Ends of names of variables that say where a secret is, not what it is. */
const NAMES_ANOTHER = /_(?:FILE|PATH|DIR|SOCK|SOCKET|NAME|HEADER|TYPE|METHOD|COMMAND|ALGORITHM|ALG)$/iu;
const HARMLESS_KEY =
  /(?:^|_)(?:CACHE|PRIMARY|FOREIGN|SORT|PARTITION|PUBLIC|HOT|STORAGE|QUERY|ROW|INDEX)_KEYS?$/u;

const PASSWORD_NAME = /(?:password|passwd|passphrase|passcode|(?<=[_.-])pwd|(?<![A-Za-z0-9])pass)s?$/iu;
/** Names in programs and settings, in any case: what is only called a key may be one of a table. */
const PROGRAM_NAME =
  /(?:password|passwd|passphrase|passcode|(?<=[_.-])pwd|(?<![A-Za-z0-9])pass|secret|token|credential|(?:api|secret|private|access|encryption|signing|auth|master|account|service)[_.-]?key)s?$/iu;

/** Says where the secret is, not what it is; or stands where one is to be put. */
const REFERENCE =
  /^(?:[$%<{[*]|\.\.\.|…|x{3,}|process\.|import\.|os\.|env[.(]|ENV\[|secrets?\.|vars?\.|config\.|settings\.|your|my[_-]|example|change-?me|undefined|required|optional|redacted)/iu;
const TYPE =
  /^(?:string|number|boolean|password|passphrase|passwords?|secrets?|tokens?|postgres|[A-Za-z]+(?:Type|Schema))[;|]?$/u;
const SHORTEST = 8;
const SHORTEST_BARE = 12;
const SHORTEST_WITHOUT_DIGIT = 16;

/** Puts `mask` into the place of every value that is set for a name of secrets. */
export function maskAssignments(text: string, mask: string): string {
  return text
    .replace(QUOTED, (whole, name: string, sign: string, quote: string, value: string) =>
      isSecretInQuotes(name, value) ? `${name}${sign}${quote}${mask}` : whole,
    )
    .replace(WORDS, (whole, name: string, sign: string, quote: string, _: string, value: string) =>
      isSecretOfWords(name, sign, value) ? `${name}${sign}${quote}${mask}` : whole,
    )
    .replace(ELEMENT, (whole, name: string, value: string) =>
      isSecretInQuotes(name, value) || isShortPassword(name, value) ? `<${name}>${mask}` : whole,
    )
    .replace(BLOCK, (whole, name: string, sign: string, indent: string) =>
      isSecretName(name) ? `${name}${sign}${indent}${mask}` : whole,
    )
    .replace(BARE, (whole, name: string, sign: string, value: string, at: number, all: string) => {
      const isInQuery = /[?&]/u.test(all.charAt(at - 1));
      const [first = ''] = isInQuery ? value.split('&') : [value];
      const isSecret = isInQuery ? isSecretInQuotes(name, first) : isBareSecret(name, sign, first);
      return isSecret ? `${name}${sign}${mask}${value.slice(first.length)}` : whole;
    })
    .replace(FLAG, (whole, name: string, sign: string, quote: string, value: string) =>
      isSecretInQuotes(name, value) ? `--${name}${sign}${quote}${mask}` : whole,
    );
}

/** Whether a variable of the environment is named like one that holds a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) && !NAMES_ANOTHER.test(name);
}

function isSecretInQuotes(name: string, value: string): boolean {
  if (value.length < SHORTEST || !isSecretName(name) || !mayBeSecret(value)) return false;
  if (isPasswordName(name) || hasDigit(value)) return true;
  return value.length >= SHORTEST_WITHOUT_DIGIT && /[a-z].*[A-Z]|[A-Z].*[a-z]/u.test(value);
}

/** In programs, several words in quotes are mostly a sentence about a secret. */
function isSecretOfWords(name: string, sign: string, value: string): boolean {
  if (!/\s/u.test(value) || !isSecretName(name) || !mayBeSecret(value)) return false;
  return hasDigit(value) || (isVariableName(name) && sign === '=');
}

function isShortPassword(name: string, value: string): boolean {
  return value.length < SHORTEST && isPasswordName(name) && mayBeSecret(value) && hasDigit(value);
}

/** In programs, what stands there without quotes is mostly the name of something. */
function isBareSecret(name: string, sign: string, value: string): boolean {
  const isCall = /\w\(/u.test(value);
  if (!isSecretName(name) || !mayBeSecret(value) || isCall) return false;
  const isSetInShell = isVariableName(name) && sign === '=';
  if (value.length < SHORTEST) return isSetInShell && isShortPassword(name, value);
  if (isSetInShell) return isPasswordName(name) || hasDigit(value);
  return hasDigit(value) && value.length >= SHORTEST_BARE;
}

function isVariableName(name: string): boolean {
  return /^[A-Z][A-Z0-9_]*$/u.test(name);
}

function isSecretName(name: string): boolean {
  if (!isVariableName(name)) return PROGRAM_NAME.test(name);
  return SECRET_END.test(name) && !HARMLESS_KEY.test(name);
}

function isPasswordName(name: string): boolean {
  return PASSWORD_NAME.test(name) || /(?:^|_)(?:PASS|PW|PWD)$/u.test(name);
}

function mayBeSecret(value: string): boolean {
  return !REFERENCE.test(value) && !TYPE.test(value);
}

/** Letters and digits together. */
function hasDigit(value: string): boolean {
  return /\d/u.test(value) && /[A-Za-z]/u.test(value);
}
