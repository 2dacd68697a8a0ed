import { describeError, describeSystemError } from '../../catalogue/errors.js';
import { formatInvalidTeam } from '../../catalogue/teamProblems.js';
import { words } from '../../catalogue/words.js';
import { TeamFileError } from '../../config/readRegularFile.js';
import { createPaint } from '../../frontends/lines/paint.js';
import { HuddleError } from '../../models/errors.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { type CliContext, say } from './CliContext.js';
import { EXIT_CODE_OF_ERROR, EXIT_CODES } from './exitCodes.js';
import { showPath } from './paths.js';

/** The command line asks for something that cannot be. */
export class UsageError extends HuddleError<'USAGE'> {
  constructor(message: string) {
    super('USAGE', message);
  }
}

/** Says what went wrong, on one line where the error is one line, and returns the exit code. Never a stack trace. */
export function reportError(error: unknown, context: CliContext): number {
  const { env, stderr } = context;
  const { code, message } = describeForPeople(error, context);
  const line = sanitizeForTerminal(words.cli.error(code, message));
  say(context, createPaint(stderr, env, context.settings.colours)('error', line));
  if (isDebugging(env) && code === 'UNEXPECTED' && error instanceof Error)
    say(context, sanitizeForTerminal(redactSecrets(error.stack ?? '', secretValues(env))));
  return EXIT_CODE_OF_ERROR.get(code) ?? EXIT_CODES.failed;
}

export function isDebugging({ DEBUG }: CliContext['env']): boolean {
  return DEBUG === '1' || DEBUG === 'true';
}

/** Whether the system refused something: its own words are the best there are. */
function isSystemError(error: unknown): error is NodeJS.ErrnoException & { readonly code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** The code of an error and its sentence, without secrets of the environment. */
export function describeForPeople(error: unknown, context: CliContext): { code: string; message: string } {
  const { code, message } = describe(error, context);
  return { code, message: redactSecrets(message, secretValues(context.env)) };
}

function describe(error: unknown, context: CliContext): { code: string; message: string } {
  if (error instanceof TeamFileError)
    return {
      code: error.code,
      message: formatInvalidTeam(error.problems, error.file && showPath(error.file, context)),
    };
  if (error instanceof HuddleError) return { code: error.code, message: describeError(error) };
  if (isSystemError(error))
    return { code: error.code, message: words.cli.systemError(error, describeSystemError(error)) };
  const message = error instanceof Error ? error.message : String(error);
  return { code: 'UNEXPECTED', message: words.cli.unexpected(message) };
}
