/** A pattern of secrets. Its first group is what stands before the secret and is kept. */
export type SecretShape = RegExp;

/** Tokens that a fixed opener names, with the letters that may follow it. Each is one bounded run, so the cost stays linear. */
const OPENERS: readonly (readonly [opener: string, rest: string])[] = [
  // Models and what is built on them.
  ['(?:sk|rk|pk|csk)-', '(?:(?=[\\w-]*[A-Z0-9])[\\w-]{16,}|[a-z]{16,}(?![\\w-]))'],
  ['sk_(?=[0-9a-f]{40})', '[0-9a-f]{40,}'],
  ['(?:gsk|fw|r8|hf|pcsk|jina|napi|nfp)_', '[A-Za-z0-9]{20,}'],
  ['tgp_v1_', '[\\w-]{20,}'],
  ['(?:xai|pplx|nvapi|tvly)-(?=[\\w-]*[A-Z0-9])', '[\\w-]{16,}'],
  ['fc-', '[0-9a-f]{32}'],
  ['lsv2_(?:pt|sk)_', '[0-9a-f_]{32,}'],
  // Clouds.
  ['AIza', '[\\w-]{20,}'],
  ['ya29\\.', '[\\w-]{16,}'],
  ['GOCSPX-', '[\\w-]{20,}'],
  ['1//0', '[\\w-]{30,}'],
  ['(?:AKIA|ASIA)', '[A-Z0-9]{16}\\b'],
  ['LTAI', '[A-Za-z0-9]{16,24}\\b'],
  ['AKID', '[A-Za-z0-9]{32,}'],
  ['do[opr]_v1_', '[0-9a-f]{40,}'],
  ['dapi', '[0-9a-f]{32}'],
  ['HRKU-', '[\\w-]{30,}'],
  ['fo1_', '[\\w-]{30,}'],
  ['sb(?:p|_secret)_', '[\\w-]{20,}'],
  ['pscale_(?:tkn|pw|oauth)_', '[\\w.-]{20,}'],
  ['hv[sbr]\\.', '[\\w-]{20,}'],
  ['[A-Za-z0-9]{14}\\.atlasv1\\.', '[\\w-]{40,}'],
  ['dp\\.(?:pt|st|ct|sa|scim)\\.', '[\\w.]{30,}'],
  ['ops_eyJ', '[\\w-]{20,}'],
  ['[\\w~.]{3}8Q~', '[\\w~.-]{31,34}'],
  // Code and packages.
  ['gh[pousr]_', '[A-Za-z0-9]{16,}'],
  ['github_pat_', '\\w{16,}'],
  ['gl(?:pat|ptt|dt|rt|cbt|ft|imt|agent|oas|soat|ffct)-', '[\\w.-]{16,}'],
  ['AT(?:ATT|BB|CTT)3?(?=[\\w=-]*\\d)', '[\\w=-]{20,}'],
  ['npm_', '[A-Za-z0-9]{20,}'],
  ['pypi-Ag', '[\\w-]{30,}'],
  ['rubygems_', '[0-9a-f]{40,}'],
  ['dckr_(?:pat|oat)_', '[\\w-]{20,}'],
  ['PMAK-', '[0-9a-f]{24}-[0-9a-f]{34}'],
  // Services.
  ['(?:sk|rk|pk)_(?:live|test)_', '[A-Za-z0-9]{10,}'],
  ['whsec_', '[A-Za-z0-9+/=]{16,}'],
  ['(?:xox[abeoprs]|xapp)-', '[A-Za-z0-9-]{10,}'],
  ['hooks\\.slack\\.com/services/', '[A-Z0-9]+/[A-Z0-9]+/[A-Za-z0-9]{10,}'],
  ['discord(?:app)?\\.com/api/webhooks/', '\\d{10,}/[\\w-]{20,}'],
  ['[MNO][A-Za-z0-9_-]{23,27}\\.[\\w-]{6}\\.', '[\\w-]{27,}'],
  ['\\d{8,10}:AA', '[\\w-]{32,}'],
  ['SG\\.[\\w-]{16,32}\\.', '[\\w-]{16,}'],
  ['SK(?=[0-9a-f]*\\d)', '[0-9a-f]{32}\\b'],
  ['key-(?=[0-9a-f]*\\d)', '[0-9a-f]{32}\\b'],
  ['shp(?:at|ca|pa|ss)_', '[0-9a-fA-F]{32}'],
  ['sq0[a-z]{3}-', '[\\w-]{20,}'],
  ['NRAK-', '[A-Z0-9]{20,}'],
  ['sntry[su]_', '[\\w+/=-]{20,}'],
  ['glsa_', '\\w{32,}'],
  ['glc_eyJ', '[\\w+/=-]{20,}'],
  ['lin_(?:api|oauth)_', '[A-Za-z0-9]{30,}'],
  ['(?:secret|ntn)_(?=[A-Za-z0-9]*\\d)', '[A-Za-z0-9]{40,}'],
  ['pat[A-Za-z0-9]{14}\\.', '[0-9a-f]{40,}'],
  ['figd_', '[\\w-]{30,}'],
  ['AGE-SECRET-KEY-1', '[0-9A-Z]{40,}'],
  ['eyJ[\\w-]{8,}\\.', '[\\w-]{8,}(?:\\.[\\w-]*)?'],
];

export const PASSWORD_IN_ADDRESS = /(:\/\/[^\s:/@"'`]{0,64}:)([^\s/"'`]{4,256})(?=@)/gu;

/** Secrets that are known by what stands before them. */
const AFTER_WORDS: readonly SecretShape[] = [
  /(\b[Bb]earer\s{1,4})(?=[\w.~+/=-]*(?:\d|[A-Z]{2}))(?![A-Z_]+(?![\w.~+/=-]))[\w.~+/=-]{8,}/gu,
  /(\bAuthorization\\{0,3}["']?\s{0,2}:\s{0,2}\\{0,3}["']?[A-Za-z-]{2,32}\s{1,4})(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/giu,
  // What stands alone in the place of a name and a password, and is too long for a name.
  /(:\/\/)(?=[\w.~%+-]*[A-Z0-9])[^\s:/@"'`]{16,256}(?=@)/gu,
  /((?:^|[^\w-])(?:x-api-key|api-key|x-goog-api-key|x-auth-token|private-token)["']?\s{0,2}:\s{0,2}["']?)(?=[\w.~+/=-]*\d)[\w.~+/=-]{8,}/giu,
  /(\b(?:Set-)?Cookie:\s{0,2}[\w.-]{1,64}=)(?=[^\s;]*\d)[^\s;"']{8,}/giu,
  /(\b(?:AccountKey|SharedAccessKey|SharedAccessSignature)=)[\w+/=%-]{16,}/gu,
  /([?&](?:X-Amz-Signature|X-Amz-Security-Token|X-Goog-Signature|sig|signature)=)[\w+/=%-]{16,}/giu,
  /(\blogin\s+\S{1,64}\s+password\s+)\S{4,256}/gu,
  /(\bcurl\s[^\n]{0,200}?\s(?:-u|--user)[ =]["']?[^\s:"'$]{1,64}:)(?!\$)[^\s"']{4,256}/gu,
  /(\b(?:mysql|mariadb)(?:-?[a-z]{3,12})?\s(?:[^\n;|&]{0,200}?\s)?-p["']?)(?![$<%])(?=[^\s"']*\d)[^\s"']{4,256}/gu,
  /(\bsshpass\s+-p[ \t]*["']?)(?![$<%])[^\s"']{4,256}/gu,
  /((?:密码|口令|密钥|令牌)["']?\s{0,2}(?:[:：=]|[是为])\s{0,2}["“「]?)(?=[\x21-\x7e]*\d)(?![$<%])[\x21\x23-\x26\x28-\x7e]{6,256}/gu,
  // Hashes of passwords, as systems keep them.
  /()\$(?:2[aby]|5|6|y|argon2(?:id|i|d))\$[\w./$,=+-]{20,}/gu,
];

/** The looks of secrets. Tokens are one pattern: a text is gone through once for all of them. */
export const SECRET_SHAPES: readonly SecretShape[] = [
  new RegExp(`()(?<![A-Za-z0-9])(?:${OPENERS.map(([opener, rest]) => `${opener}${rest}`).join('|')})`, 'gu'),
  ...AFTER_WORDS,
];
