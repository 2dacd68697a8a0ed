import { InvalidOptionError } from '../../models/errors.js';
import type { Permission } from '../../models/Team.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import { argumentValue, folderValue } from '../dialect/argumentValue.js';
import type { Invocation } from '../dialect/Dialect.js';
import { writePolicy } from './policy.js';

/**
 * Read is `default`, not `plan`: without a terminal `default` takes the writing tools away, while `plan` approves
 * its own plan and carries it out in `yolo`.
 */
const approvalModes: Readonly<Record<Permission, string>> = {
  read: 'default',
  edit: 'auto_edit',
  full: 'yolo',
};

const policyFile = 'policy.toml';

/**
 * Attempts (ten, and silent) and usage statistics can be set in its settings only: those in its home are the
 * user's, and the system's must belong to root. Updates happen in its interactive mode only.
 */
export function prepareGemini(request: TurnRequest): Invocation {
  return {
    command: request.command ?? ['gemini'],
    args: [
      '--output-format',
      'stream-json',
      '--skip-trust',
      ...(request.model ? ['-m', argumentValue('model', request.model)] : []),
      '--approval-mode',
      approvalModes[request.permission],
      '--admin-policy',
      { file: policyFile },
      ...folderArguments(request),
      ...sessionArguments(request.session),
    ],
    env: {
      // Otherwise a launcher stands before the real process, swallows signals and doubles the start-up time.
      GEMINI_CLI_NO_RELAUNCH: 'true',
      GEMINI_TELEMETRY_ENABLED: 'false',
    },
    files: [{ file: policyFile, content: writePolicy(request) }],
    stdin: request.prompt,
  };
}

/** It takes a comma for the end of a name, so a folder with one in its name cannot be given. */
function folderArguments({ additionalFolders = [] }: TurnRequest): readonly string[] {
  return additionalFolders
    .filter(({ path }) => !path.includes(','))
    .flatMap(({ path }) => ['--include-directories', folderValue('additionalFolders', path)]);
}

function sessionArguments(session: SessionChoice): readonly string[] {
  if (session.kind === 'fork')
    throw new InvalidOptionError('session.kind', session.kind, '"new" or "resume" for Gemini CLI');
  return session.kind === 'new' ? [] : ['--resume', argumentValue('session.sessionId', session.sessionId)];
}
