import { InvalidOptionError } from '../../models/errors.js';
import type { Permission } from '../../models/Team.js';
import type { SessionChoice, TurnRequest } from '../AgentAdapter.js';
import { argumentValue, type Dialect, folderValue, type Invocation } from '../dialect/Dialect.js';
import { createGeminiReader, explainGeminiExit } from './events.js';

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

/** Gemini may go into plan mode by itself and come out of it in `yolo`; and it may start agents of its own. */
const deniedTools: Readonly<Record<Permission, readonly string[]>> = {
  read: ['enter_plan_mode', 'exit_plan_mode', 'invoke_agent'],
  edit: ['enter_plan_mode', 'exit_plan_mode', 'invoke_agent'],
  full: ['invoke_agent'],
};

/** The one tool whose calls can be told apart, by how their command begins. */
const shellTool = 'run_shell_command';

interface Rule {
  readonly tools: readonly string[];
  readonly commandPrefix?: string;
  readonly decision: 'allow' | 'deny';
  /** The highest one that fits counts; 999 is the highest there is. */
  readonly priority: number;
}

/**
 * Writes what is denied and allowed beyond the approval mode, in Gemini's own words. A tool asked for by name
 * is not switched off.
 */
export function writePolicy({ permission, allow = [], deny = [] }: TurnRequest): string {
  const off = deniedTools[permission].filter((tool) => !allow.includes(tool));
  const rules: readonly Rule[] = [
    { tools: off, decision: 'deny', priority: 999 },
    ...deny.map((entry): Rule => ({ ...readEntry('deny', entry), decision: 'deny', priority: 999 })),
    ...allow.map((entry): Rule => ({ ...readEntry('allow', entry), decision: 'allow', priority: 998 })),
  ];
  return rules
    .filter(({ tools }) => tools.length > 0)
    .map(writeRule)
    .join('\n');
}

/** `tool`, or `run_shell_command(npm test)`: commands that begin so. A `*` at the end says the same. */
function readEntry(option: string, entry: string): Pick<Rule, 'tools' | 'commandPrefix'> {
  const { tool = '', prefix } =
    /^(?<tool>[^()\s]+)(?:\((?<prefix>.+)\))?$/su.exec(entry.trim())?.groups ?? {};
  if (tool === '' || (prefix !== undefined && tool !== shellTool))
    throw new InvalidOptionError(
      option,
      JSON.stringify(entry),
      `a tool of Gemini CLI, or ${shellTool}(command)`,
    );
  const commandPrefix = prefix?.replace(/[ :]?\*$/u, '');
  return commandPrefix ? { tools: [tool], commandPrefix } : { tools: [tool] };
}

function writeRule({ tools, commandPrefix, decision, priority }: Rule): string {
  const lines = [
    '[[rule]]',
    `toolName = ${JSON.stringify(tools)}`,
    ...(commandPrefix === undefined ? [] : [`commandPrefix = ${JSON.stringify(commandPrefix)}`]),
    `decision = "${decision}"`,
    `priority = ${priority}`,
  ];
  return `${lines.join('\n')}\n`;
}

export const geminiDialect: Dialect = {
  output: 'json-lines',
  login: { run: 'gemini', variables: ['GEMINI_API_KEY'] },
  prepare: prepareGemini,
  createReader: createGeminiReader,
  explainExit: explainGeminiExit,
};
