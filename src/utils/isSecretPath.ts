const SECRET_NAME = /^(?:\.env.*|.*\.pem|.*\.key|id_.*|\.npmrc|\.netrc|.*credentials.*)$/isu;

/** Whether a file is named like one that holds secrets: it is listed without its lines. */
export function isSecretPath(path: string): boolean {
  return SECRET_NAME.test(path.slice(path.lastIndexOf('/') + 1));
}
