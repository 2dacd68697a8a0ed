import { closeSync, constants, fchmodSync, fstatSync, openSync, statSync, writeSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { describeSystemError } from '../../catalogue/errors.js';
import { words } from '../../catalogue/words.js';
import { HuddleError } from '../../models/errors.js';
import type { Logger } from '../../utils/logger.js';
import { makePrivateFolder } from '../../utils/privatePaths.js';
import { redactSecrets, secretValues } from '../../utils/redact.js';
import { sanitizeForTerminal } from '../../utils/sanitize.js';
import { type CliContext, say } from './CliContext.js';
import { isDebugging } from './reportError.js';

const FILE_MODE = 0o600;

export interface ClosableLogger extends Logger {
  close(): void;
}

/** Warnings go to stderr. Debug lines go to a file, or to stderr where that is not the screen people read. */
export function createLogger(
  { debugFile }: { readonly debugFile?: string },
  context: CliContext,
): ClosableLogger {
  const { env, stderr, workingFolder } = context;
  const secrets = secretValues(env);
  const clean = createCleaner(context);
  const { warn, error } = createWarnings(context);
  const warnings = { warn, error, close: () => undefined };
  if (debugFile === undefined && !isDebugging(env)) return warnings;
  if (debugFile === undefined && !stderr.isTTY)
    return { ...warnings, debug: (message) => say(context, clean(message)) };

  const file = debugFile === undefined ? defaultDebugFile(context) : resolve(workingFolder, debugFile);
  const descriptor = openPrivately(file);
  say(context, words.cli.debugFile(clean(file)));
  return {
    ...warnings,
    debug: createWriter(descriptor, secrets, (error) => warn(cannotWrite(file, error).message)),
    close: () => closeSync(descriptor),
  };
}

/** Only what must not be missed, for commands that hold no conversation. */
export function createWarnings(context: CliContext): Required<Pick<Logger, 'warn' | 'error'>> {
  const clean = createCleaner(context);
  const warn = (message: string): void => say(context, clean(words.cli.warning(message)));
  return { warn, error: warn };
}

function createCleaner({ env }: CliContext): (text: string) => string {
  const secrets = secretValues(env);
  return (text) => sanitizeForTerminal(redactSecrets(text, secrets));
}

/** A disk that is full ends the debug lines, not the conversation. */
function createWriter(
  descriptor: number,
  secrets: readonly string[],
  onFailure: (error: unknown) => void,
): (message: string) => void {
  let hasFailed = false;
  return (message) => {
    if (hasFailed) return;
    try {
      writeSync(descriptor, `${redactSecrets(message, secrets)}\n`);
    } catch (error) {
      hasFailed = true;
      onFailure(error);
    }
  };
}

function defaultDebugFile({ dataFolder }: CliContext): string {
  const folder = join(dataFolder, 'debug');
  try {
    makePrivateFolder(dataFolder);
    makePrivateFolder(folder);
  } catch (error) {
    throw cannotWrite(folder, error);
  }
  return join(folder, `${new Date().toISOString().replaceAll(/[:.]/gu, '-')}-${process.pid}.log`);
}

/** Opens a file, and makes it private. A device stays as it is, and a pipe without a reader is refused. */
function openPrivately(file: string): number {
  try {
    const isPipe = statSync(file, { throwIfNoEntry: false })?.isFIFO() === true;
    // To open one for writing waits for a reader, deaf to every signal; without waiting it fails where there is none.
    if (isPipe) closeSync(openSync(file, constants.O_WRONLY | constants.O_NONBLOCK));
    const descriptor = openSync(file, 'a', FILE_MODE);
    if (fstatSync(descriptor).isFile()) fchmodSync(descriptor, FILE_MODE);
    return descriptor;
  } catch (error) {
    throw cannotWrite(file, error);
  }
}

function cannotWrite(file: string, error: unknown): HuddleError {
  const sentence = () => words.cli.cannotWriteDebug(file, describeSystemError(error));
  return new HuddleError('CANNOT_WRITE', sentence, { cause: error });
}
