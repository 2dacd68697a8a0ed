const VALUE = '(\\\\{0,3}["\'`])?([^\\s"\'`,;\\\\]{8,512})';
/** A name that ends like one of secrets, what sets it, and its value; as environments, JSON, YAML, TOML and programs write it. */
const ASSIGNMENT = new RegExp(
  `(?<![\\w-])([A-Za-z_][\\w.-]{0,64})(?<=${[
    ...['key', 'token', 'secret', 'credential', 'password', 'passwd', 'passphrase', 'passcode'],
    ...['pass', 'pwd', 'pw', 'auth', 'dsn', 'cred', 'pat'],
  ].join('s?|')}s?)((?:\\\\{0,3}["'])?[ \\t]{0,2}(?:=>|:=|[=:])[ \\t]{0,2})${VALUE}`,
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

const PASSWORD = /(?:password|passwd|passphrase|passcode|(?<=[_.-])pwd)s?$/iu;
/** Names in programs and settings, in any case: what is only called a key may be one of a table. */
const PROGRAM_NAME =
  /(?:password|passwd|passphrase|passcode|(?<=[_.-])pwd|secret|token|credential|(?:api|secret|private|access|encryption|signing|auth|master|account|service)[_.-]?key)s?$/iu;

/** Says where the secret is, not what it is; or stands where one is to be put. */
const REFERENCE =
  /^(?:[$%<{[*]|\.\.\.|…|x{3,}|process\.|import\.|os\.|env[.(]|ENV\[|secrets?\.|vars?\.|config\.|settings\.|your|my[_-]|example|change-?me|undefined|required|optional|redacted)/iu;
const TYPE =
  /^(?:string|number|boolean|password|passphrase|passwords?|secrets?|tokens?|postgres|[A-Za-z]+(?:Type|Schema))[;|]?$/u;
const SHORTEST_UNQUOTED = 12;
const SHORTEST_WITHOUT_DIGIT = 16;

/** Puts `mask` into the place of every value that is set for a name of secrets. */
export function maskAssignments(text: string, mask: string): string {
  return text
    .replace(ASSIGNMENT, (whole, name: string, sign: string, quote = '', value: string, at: number) => {
      const isInQuery = at > 0 && /[?&]/u.test(text.charAt(at - 1));
      const [first = ''] = isInQuery ? value.split('&') : [value];
      if (!isSecret(name, first, quote !== '' || isInQuery)) return whole;
      return `${name}${sign}${quote}${mask}${value.slice(first.length)}`;
    })
    .replace(FLAG, (whole, name: string, sign: string, quote: string, value: string) =>
      isSecret(name, value, true) ? `--${name}${sign}${quote}${mask}` : whole,
    );
}

/** Whether a variable of the environment is named like one that holds a secret. */
export function isSecretVariable(name: string): boolean {
  return SECRET_NAME.test(name) && !NAMES_ANOTHER.test(name);
}

function isSecret(name: string, value: string, isQuoted: boolean): boolean {
  if (REFERENCE.test(value) || TYPE.test(value) || /\w\(/u.test(value)) return false;
  const isVariable = /^[A-Z][A-Z0-9_]*$/u.test(name);
  if (isVariable ? !SECRET_END.test(name) || HARMLESS_KEY.test(name) : !PROGRAM_NAME.test(name)) return false;
  const isPassword = PASSWORD.test(name) || /(?:^|_)(?:PASS|PW|PWD)$/u.test(name);
  if (isPassword && (isVariable || isQuoted)) return true;
  return looksRandom(value) && (isVariable || isQuoted || value.length >= SHORTEST_UNQUOTED);
}

/** Letters and digits together, or a long run in both cases. */
function looksRandom(value: string): boolean {
  if (!/[A-Za-z]/u.test(value)) return false;
  return (
    /\d/u.test(value) || (value.length >= SHORTEST_WITHOUT_DIGIT && /[a-z].*[A-Z]|[A-Z].*[a-z]/u.test(value))
  );
}
