import type { FailureFacts, FailureReason, Login } from '../../models/TurnOutcome.js';
import { counted } from '../counted.js';
import { workerFailureText } from './workers.js';

const RETRY = 'Retry the turn.';
const NO_REASON = 'it gave no reason';

/** A failure in two sentences: what happened, and what to do. */
type Explanation = readonly [what: string, hint: string];

/** Describes the end of a process: `killed by SIGKILL`, `exit code 3`. */
export function exitText({ exitCode, signal }: { exitCode?: number; signal?: string }): string {
  return signal === undefined ? `exit code ${exitCode}` : `killed by ${signal}`;
}

/** Describes how to log in: `Run `codex login`, or set CODEX_API_KEY.` */
export function loginText({ run, type, variables }: Login): string {
  const inside = run.includes(' ') ? '' : type === undefined ? ' and log in' : ` and type ${type}`;
  const key = variables?.length === 0 ? 'name the variable of its key in "credentials" of the team file' : '';
  const instead = key || (variables ? `set ${variables.join(' or ')}` : '');
  return `Run \`${run}\`${inside}${instead && `, or ${instead}`}.`;
}

/** A failure in the agent's own words, and what to do. */
function reported(hint: string): (facts: { readonly detail?: string | undefined }) => Explanation {
  return ({ detail = NO_REASON }) => [detail, hint];
}

/** Facts of a failure, with the name of the program that was run where one was. */
type FactsOf<Reason> = Extract<FailureFacts, { reason: Reason }> & { readonly command?: string };

/** Sentences for every reason why a turn failed. */
export const failureText = {
  'not-found': ({ program, label, install }) => {
    if (program.includes('/'))
      return [`${program} does not exist`, 'Check the command of this member in the team file.'];
    const name = label === undefined ? program : `${label} (${program})`;
    return [
      `${name} not found on PATH`,
      install === undefined ? 'Install it, or add its folder to PATH.' : `Install: ${install}`,
    ];
  },
  'not-executable': ({ file }) => [`${file} is not executable`, `Run: chmod +x ${file}`],
  'not-trusted': ({ program, file }) => [
    `${program} is only inside this project, and was not started: ${file}`,
    'Review it, then run: huddle trust',
  ],
  'not-runnable': ({ program, errno }) => {
    const [what, hint] = NOT_RUNNABLE[errno];
    return [`${program} ${what} (${errno})`, hint];
  },
  'not-started': ({ program, errno }) =>
    errno === 'E2BIG'
      ? [
          `${program} could not be started: its arguments and environment are too long (${errno})`,
          'Shorten the system prompt or the environment.',
        ]
      : [
          `${program} could not be started (${errno})`,
          'Close other programs or raise the limits (ulimit -n, ulimit -u), then try again.',
        ],
  'no-working-folder': ({ folder }) => [`the working folder ${folder} does not exist`, 'Create it.'],
  'no-temporary-files': ({ errno }) => [
    `its temporary files could not be written (${errno})`,
    'Make room in the temporary folder.',
  ],
  'no-copy': ({ detail = NO_REASON }) => [
    `it works in a copy of the folder, which could not be made (${detail})`,
    'Fix that, then retry. To work in the folder itself, set "blind" in "files" to "shared" (or "workspace" of this member).',
  ],
  'check-not-run': ({ program, exitCode, detail }) => [
    program === undefined
      ? `the check could not run: ${detail ?? NO_REASON} (exit code ${exitCode})`
      : `the check could not run: ${program} was not found or cannot be started`,
    'It says nothing about the changes. Install what it needs (in copies: "setup" in "files"), then retry.',
  ],
  'adapter-broke': ({ detail = 'it stopped without reporting a result' }) => [
    `the turn could not be run (${detail})`,
    'Check this member in the team file, then retry.',
  ],
  'login-needed': ({ status, login, ways, detail, command }) => [
    detail ?? (status === undefined ? 'could not log in' : `the service rejected the login (HTTP ${status})`),
    login
      ? loginText(login)
      : ways === undefined
        ? `Log in with its own command${command === undefined ? '' : `, ${command}`}.`
        : `Log in: ${ways}.`,
  ],
  'prompt-too-long': reported('Lower the window of this member or context.maxBytes, then retry.'),
  'unknown-model': reported('Check the model of this member in the team file.'),
  'rate-limited': reported('Wait, then retry; or ask another member.'),
  outage: reported('Temporary service error. Retry in a moment.'),
  'agent-limit': reported("This is one of the agent's own limits: raise it there or ask for less."),
  'agent-error': reported('Retry; if it fails again, run the command by hand to see more.'),
  'agent-interrupted': ({ during }) => [
    during === 'tool' ? 'was interrupted while a tool was running' : 'was interrupted',
    RETRY,
  ],
  'outdated-agent': ({ label, detail = NO_REASON }) => [
    detail,
    `Update ${label}: it does not know an option Huddle needs.`,
  ],
  'root-refused': reported(
    'Do not run as root, give the member `edit`, or set IS_SANDBOX=1 if this is a container.',
  ),
  'bad-agent-settings': ({ label, file, detail = NO_REASON }) => [detail, `Correct ${label}'s own ${file}.`],
  'servers-unlisted': ({ run }) => [
    'did not list its MCP servers, so it cannot be held to "read"',
    `Run \`${run}\` to see why. Update the agent if it does not know that command.`,
  ],
  'no-session-id': () => ['opened a session without an id', 'Update the agent.'],
  'no-mode': ({ permission, offered }) => [
    `the agent offers no mode for permission "${permission}" that is known here; it offers ${offered || 'nothing to choose from'}`,
    'Update Huddle, or change this member in the team file.',
  ],
  'no-model': ({ model, offered }) => [
    `the agent offers no model "${model}"; it offers ${offered || 'nothing to choose from'}`,
    'Name one of them, or change this member in the team file.',
  ],
  'other-protocol': ({ found, needed }) => [
    `speaks version ${found ?? 'unknown'} of the Agent Client Protocol; version ${needed} is needed`,
    'Update the agent, or Huddle.',
  ],
  'stopped-early': ({ stopReason }) => STOPPED.get(stopReason) ?? [`stopped early: ${stopReason}`, RETRY],
  'bad-exit': ({ exitCode, signal }) => [
    exitCode === undefined && signal === undefined
      ? 'closed its output and did not exit'
      : exitText({ exitCode, signal }),
    'Run the command by hand to see why.',
  ],
  'session-unknown': ({ detail }) => [
    detail === undefined ? 'cannot open earlier sessions again' : `could not open its session (${detail})`,
    RETRY,
  ],
  'prompt-budget': ({ maxBytes, neededBytes, sections }) => [
    `The prompt does not fit into ${maxBytes} bytes: at least ${neededBytes} are needed (${sizes(sections)})`,
    'Shorten it, or raise context.maxBytes in the team file.',
  ],
  'no-final-event': ({ exitCode, signal, detail }) => [
    `exited before completing its reply${exitCode || signal ? ` (${exitText({ exitCode, signal })})` : ''}${detail === undefined ? '' : `; it printed: ${detail}`}`,
    RETRY,
  ],
  'line-too-long': ({ lines }) => [
    `${counted(lines, 'line')} of output too long to read, and no other text arrived`,
    'Ask for a shorter reply, or for one in a file.',
  ],
  ...workerFailureText,
} satisfies {
  readonly [Reason in FailureReason]: (facts: FactsOf<Reason>) => Explanation;
};

const NOT_RUNNABLE = {
  ENOENT: [
    'exists, but the interpreter named in its first line does not',
    'Install it again, or install its interpreter.',
  ],
  EACCES: ['is not executable', 'Check the permissions of the program.'],
  ENOEXEC: ['is not a program this system can run', 'Install it again.'],
} as const;

/** By the words of the Agent Client Protocol. */
const STOPPED: ReadonlyMap<string, Explanation> = new Map([
  [
    'max_tokens',
    ["the reply reached the model's limit of output tokens", 'Ask for less at a time, or for the rest.'],
  ],
  [
    'max_turn_requests',
    ['the turn took more requests to the model than the agent allows', `Ask for less at a time. ${RETRY}`],
  ],
  ['refusal', ['the model refused to answer', 'Ask in another way, or ask another member.']],
  ['cancelled', ['the agent cancelled the turn itself', RETRY]],
]);

function sizes(sections: Readonly<Record<string, number>>): string {
  return Object.entries(sections)
    .map(([name, bytes]) => `${name} ${bytes}`)
    .join(', ');
}
