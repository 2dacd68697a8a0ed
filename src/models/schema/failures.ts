import { z } from 'zod';
import { arrayOf, boolean, number, oneOf, record, text } from './fields.js';

const missing = { code: z.literal('AGENT_MISSING') };
const spawn = { code: z.literal('SPAWN') };
const auth = { code: z.literal('AUTH') };
const agentError = { code: z.literal('AGENT_ERROR') };
const sessionUnknown = { code: z.literal('SESSION_UNKNOWN') };
const promptBudget = { code: z.literal('PROMPT_BUDGET') };
const noFinalEvent = { code: z.literal('NO_FINAL_EVENT') };
const noWorker = { code: z.literal('NO_WORKER') };
const workerRefused = { code: z.literal('WORKER_REFUSED') };
const lineTooLong = { code: z.literal('LINE_TOO_LONG') };

const detail = text.optional().describe('The words of the agent or of the system, sanitised, on one line.');
const exit = { exitCode: number.optional(), signal: text.optional() };
const said = { ...agentError, detail };

/** The way to log in to an agent. */
export const LOGIN = {
  run: text.describe('The command that logs in, or the program that asks for it.'),
  type: text.optional().describe('What to type in it.'),
  variables: arrayOf(text)
    .optional()
    .describe('Variables that may hold a key instead; none: the team file has to name one.'),
};

/** Reasons why a worker does not run a turn that it was asked for. */
const REFUSALS = [
  'unknown-key',
  'asker-not-allowed',
  'not-offered',
  'other-agent',
  'asked-before',
  'too-large',
  'expired',
  'bad-signature',
  'other-store',
  'other-turn',
  'newer-version',
  'unreadable',
] as const;

/** A refusal of a worker. */
export const REFUSAL = {
  because: z.enum(REFUSALS),
  asker: text.optional().describe('Role that asked, or the name that the worker file has for it.'),
  key: text.optional().describe('Public key that asked.'),
  agentType: text.optional().describe('Type of the agent there; of a member that is not offered: here.'),
  found: number.optional().describe('Version of the request.'),
  known: number.optional().describe('Newest version that the worker knows.'),
};

/** Reasons why a turn failed, with their facts. */
export const FAILURE_REASONS = {
  'not-found': {
    ...missing,
    program: text,
    label: text.optional(),
    install: text.optional().describe('The command that installs it.'),
  },
  'not-executable': { ...missing, file: text },
  'not-trusted': { ...missing, program: text, file: text.describe('Inside the project.') },
  'not-runnable': { ...missing, program: text, errno: z.enum(['ENOENT', 'EACCES', 'ENOEXEC']) },
  'not-started': { ...spawn, program: text, errno: text },
  'no-working-folder': { ...spawn, folder: text },
  'no-temporary-files': { ...spawn, errno: text },
  'no-copy': { ...spawn, detail },
  'check-not-run': {
    ...spawn,
    program: text.optional().describe('The program of the check, if it was not found or cannot be run.'),
    exitCode: number.optional().describe('126 or 127: a shell could not run a command of the check.'),
    detail,
  },
  'adapter-broke': { ...spawn, detail },
  'login-needed': {
    ...auth,
    status: number.optional().describe('HTTP status.'),
    login: record(LOGIN).optional(),
    ways: text.optional().describe('How to log in, in the words of the agent.'),
    detail,
  },
  'prompt-too-long': said,
  'unknown-model': said,
  'rate-limited': said,
  outage: said,
  'agent-limit': said,
  'agent-error': said,
  'agent-interrupted': { ...agentError, during: z.enum(['answer', 'tool']) },
  'outdated-agent': { code: z.enum(['AGENT_ERROR', 'SESSION_UNKNOWN']), label: text, detail },
  'root-refused': said,
  'bad-agent-settings': { ...agentError, label: text, file: text, detail },
  'servers-unlisted': { ...agentError, run: text.describe('The command that should list its MCP servers.') },
  'no-session-id': agentError,
  'no-mode': { ...agentError, permission: text, offered: text },
  'no-model': { ...agentError, model: text, offered: text },
  'other-protocol': { ...agentError, found: number.optional(), needed: number },
  'stopped-early': { ...agentError, stopReason: text },
  'session-unknown': { ...sessionUnknown, detail },
  'prompt-budget': {
    ...promptBudget,
    maxBytes: number,
    neededBytes: number.describe('The smallest budget that would have been enough.'),
    sections: record({
      system: number,
      task: number,
      context: number,
      files: number.optional(),
      message: number,
    }),
  },
  'no-final-event': { ...noFinalEvent, ...exit, detail },
  'bad-exit': { code: z.enum(['AGENT_ERROR', 'NO_FINAL_EVENT']), ...exit },
  'line-too-long': { ...lineTooLong, lines: number },
  'no-worker': {
    ...noWorker,
    worker: text.describe('Role of the workers that were waited for.'),
    member: text,
    minutes: number,
    account: text.optional().describe('The account that had no free place.'),
    isUnknown: z.literal(true).optional().describe('No worker of this role was ever invited.'),
  },
  'worker-refused': { ...workerRefused, worker: text, member: text, ...REFUSAL },
};

/** Fields that a failure of any reason may have. */
export const FAILED_RUN = {
  command: text.optional().describe('Name of the program that ran.'),
  isResent: boolean.optional().describe('Huddle itself retries at once, in a new session.'),
  stderrTail: text.optional().describe('The last lines of its stderr, sanitised and redacted.'),
};

export const failure = oneOf('reason', FAILURE_REASONS, FAILED_RUN);
