const MASK = '[redacted]';
/** Shorter values are words: masking them would make messages unreadable and hide nothing. */
const SHORTEST_SECRET = 8;
/** By the last word of a name, or of a part of it; short ones only as a word of their own: `MYSQL_PWD`, but not `OLDPWD`. */
const SECRET_WORD =
  '(?:KEYS?|TOKENS?|SECRETS?|PASSWORDS?|PASSWDS?|PASSPHRASES?|PASSCODES?|CREDENTIALS?|AUTH|(?<![A-Z0-9])(?:PASS|PW|DSN|CREDS?|PAT)|_PWD)';
const SECRET_NAME = new RegExp(`${SECRET_WORD}(?:_|$)`, 'iu');

const PASSWORD_IN_ADDRESS = /(?<=:\/\/[^\s:/@]{0,64}:)[^\s/]{1,256}(?=@)/gu;

/** Shapes of secrets. Each is one bounded or possessive-like run after a fixed opener, so the cost stays linear. */
const SECRET_SHAPES: readonly RegExp[] = [
  /-----BEGIN [A-Z ]{0,40}PRIVATE KEY-----(?:(?!-----END)[\s\S])*(?:-----END [A-Z ]{0,40}PRIVATE KEY-----)?/gu,
  /\b(?:sk|rk|pk|csk)-[A-Za-z0-9_-]{16,}/gu,
  /\b(?:sk|rk|pk)_(?:live|test)_[A-Za-z0-9]{10,}/gu,
  /\bwhsec_[A-Za-z0-9+/=]{16,}/gu,
  /\b(?:gsk|tgp_v1|fw|r8)_[A-Za-z0-9_-]{20,}/gu,
  /\b(?:xai|pplx|nvapi|tvly)-[A-Za-z0-9_-]{16,}/gu,
  /\bAIza[A-Za-z0-9_-]{20,}/gu,
  /\bya29\.[A-Za-z0-9_-]{16,}/gu,
  /\bgh[pousr]_[A-Za-z0-9]{16,}/gu,
  /\bgithub_pat_[A-Za-z0-9_]{16,}/gu,
  /\bglpat-[A-Za-z0-9_-]{16,}/gu,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/gu,
  /\b(?:AKIA|ASIA)[A-Z0-9]{16}\b/gu,
  /\bnpm_[A-Za-z0-9]{20,}/gu,
  /\bhf_[A-Za-z0-9]{20,}/gu,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/gu,
  /(?<=\b(?:Bearer|Basic)\s{1,4})[A-Za-z0-9._~+/=-]{8,}/giu,
  // Of an address, the password; or what stands alone in its place and is too long for a name.
  PASSWORD_IN_ADDRESS,
  /(?<=:\/\/)[^\s:/@]{16,256}(?=@)/gu,
  new RegExp(`(?<=\\b[A-Z][A-Z0-9_]{0,64}(?<=${SECRET_WORD})["']?[=:]["']?)[^\\s"',]{8,}`, 'gu'),
];

/** Masks what looks like a secret, and every one of `secrets` word for word. For messages and logs, never transcripts. */
export function redactSecrets(text: string, secrets: Iterable<string> = []): string {
  let masked = text;
  // Longest first: one secret may be the beginning of another.
  for (const secret of [...secrets].sort((one, other) => other.length - one.length)) {
    if (secret.length >= SHORTEST_SECRET) masked = masked.replaceAll(secret, MASK);
  }
  for (const shape of SECRET_SHAPES) masked = masked.replace(shape, MASK);
  return masked;
}

/** The values of the variables that are named like secrets, and the passwords in the addresses that others hold. */
export function secretValues(environment: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(environment).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) ? [value] : (value.match(PASSWORD_IN_ADDRESS) ?? []),
  );
}
