import { chmodSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createMachine, type Finished, type Machine, teamFile } from './runHuddle.js';

/** How a resumed turn of each CLI ends, in its own words: on standard output or error, and by its exit code. */
interface Ending {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly code: number;
}

interface FakeCli {
  readonly program: string;
  readonly agentType: string;
  /** On the command line of a turn that goes on in an earlier session. */
  readonly resume: string;
  readonly answer: string;
  readonly gone: Ending;
  readonly outages: Readonly<Record<string, Ending>>;
}

const SESSION = '01a1dcb5-c244-70c1-86df-1a9eb7fd5c51';

const lines = (...records: readonly object[]) => records.map((record) => JSON.stringify(record)).join('\n');

const claudeInit = { type: 'system', subtype: 'init', session_id: SESSION, model: 'made-up' };
const claudeRefusal = (status: number, message: string): Ending => ({
  stdout: lines(claudeInit, {
    type: 'result',
    subtype: 'success',
    is_error: true,
    result: message,
    api_error_status: status,
    session_id: SESSION,
  }),
  code: 1,
});

const codexStart = [{ type: 'thread.started', thread_id: SESSION }, { type: 'turn.started' }];
const codexFailure = (message: string): Ending => ({
  stdout: lines(...codexStart, { type: 'turn.failed', error: { message } }),
  code: 1,
});

const geminiStart = [
  { type: 'init', session_id: SESSION, model: 'made-up' },
  { type: 'message', role: 'user', content: 'prompt' },
];
const geminiFailure = (message: string): Ending => ({
  stdout: lines(...geminiStart, { type: 'result', status: 'error', error: { message } }),
  code: 173,
});

const CLIS: readonly FakeCli[] = [
  {
    program: 'claude',
    agentType: 'claude',
    resume: '--resume',
    answer: lines(
      claudeInit,
      {
        type: 'assistant',
        uuid: 'mark-1',
        session_id: SESSION,
        message: { content: [{ type: 'text', text: 'Yes.' }] },
      },
      { type: 'result', subtype: 'success', is_error: false, result: 'Yes.', session_id: SESSION },
    ),
    gone: { stderr: `No conversation found with session ID: ${SESSION}`, code: 1 },
    outages: {
      429: claudeRefusal(429, 'API Error: Request rejected (429)'),
      500: claudeRefusal(500, 'API Error: 500 Internal server error'),
      404: claudeRefusal(404, "There's an issue with the selected model. It may not exist."),
      overloaded: claudeRefusal(529, 'API Error: 529 Overloaded'),
    },
  },
  {
    program: 'codex',
    agentType: 'codex',
    resume: 'resume',
    answer: lines(
      ...codexStart,
      { type: 'item.completed', item: { id: 'item_0', type: 'agent_message', text: 'Yes.' } },
      { type: 'turn.completed', usage: {} },
    ),
    gone: {
      stderr: `Error: thread/resume: thread/resume failed: no rollout found for thread id ${SESSION} (code -32600)`,
      code: 1,
    },
    outages: {
      429: codexFailure('exceeded retry limit, last status: 429 Too Many Requests'),
      500: codexFailure('We are currently experiencing high demand, which may cause temporary errors.'),
      404: codexFailure('unexpected status 404 Not Found: no such model'),
      'time-out': codexFailure('stream disconnected before completion: request timed out'),
    },
  },
  {
    program: 'gemini',
    agentType: 'gemini',
    resume: '--resume',
    answer: lines(
      ...geminiStart,
      { type: 'message', role: 'assistant', content: 'Yes.' },
      { type: 'result', status: 'success' },
    ),
    gone: { stderr: 'Error resuming session: No previous sessions found for this project.', code: 42 },
    outages: {
      429: geminiFailure('[API Error: 429] Please wait and try again later.'),
      500: geminiFailure('{"error":{"code":500,"message":"Internal error","status":"INTERNAL"}}'),
      404: geminiFailure('[API Error: models/made-up is not found]'),
    },
  },
];

/** Ends without any record, in words that nobody knows. */
const SPEECHLESS: Ending = { stderr: 'panicked', code: 101 };

describe.each(CLIS)('a member with session memory whose $program', (cli) => {
  test.each([
    ['does not know its session', cli.gone],
    ['ends without any record', SPEECHLESS],
  ])('%s is asked again in a new one, and the run is no failure', async (_, ending) => {
    const machine = await machineWith(cli);
    await machine.run(['run', 'One.']);
    ends(machine, ending);
    const { code, stdout, stderr } = await machine.run(['run', '-c', 'Two.']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
    expect(stderr).toContain(
      'max could not continue its own session; the whole prompt is sent in a new one.',
    );
    expect(adviceIn({ stderr })).toEqual([]);
    expect(sessionsIn(machine)).toEqual(['new', 'resumed', 'new']);
  });

  test.each(Object.entries(cli.outages))(
    'meets %s keeps its session; --retry goes on in it and the run is no failure',
    async (_, ending) => {
      const machine = await machineWith(cli);
      await machine.run(['run', 'One.']);
      ends(machine, ending);
      const failed = await machine.run(['run', '-c', 'Two.']);
      expect(failed).toMatchObject({ code: 1, stderr: expect.stringContaining('error[AGENT_ERROR]: max') });
      expect(failed.stderr).toContain('--retry');
      ends(machine, undefined);
      const { code, stdout, stderr } = await machine.run(['resume', '--retry']);
      expect({ code, stdout }).toEqual({ code: 0, stdout: 'Yes.\n' });
      expect(adviceIn({ stderr })).toEqual([]);
      expect(sessionsIn(machine)).toEqual(['new', 'resumed', 'resumed']);
    },
  );
});

/** A machine with this CLI on PATH, which writes down for which session it is called, and answers unless it was told otherwise. */
async function machineWith(cli: FakeCli): Promise<Machine> {
  const machine = createMachine();
  const place = (name: string) => join(machine.folder, name);
  machine.write('../answer', `${cli.answer}\n`);
  const script = [
    '#!/bin/sh',
    'case "$1" in --version|auth|login) echo 1.0.0; exit 0;; mcp) echo "[]"; exit 0;; esac',
    '/bin/cat > /dev/null',
    `case " $* " in *' ${cli.resume} '*) session=resumed;; *) session=new;; esac`,
    `echo $session >> '${place('sessions')}'`,
    `[ $session = resumed ] && [ -e '${place('code')}' ] || exec /bin/cat '${place('answer')}'`,
    `/bin/cat '${place('stdout')}'; /bin/cat '${place('stderr')}' >&2; exit $(/bin/cat '${place('code')}')`,
  ].join('\n');
  chmodSync(machine.write(`../bin/${cli.program}`, `${script}\n`), 0o755);
  machine.write('huddle.jsonc', teamFile({ max: { agentType: cli.agentType, memory: 'session' } }));
  await machine.trust();
  return machine;
}

/** From now on turns in an earlier session end so; `undefined`: well. */
function ends(machine: Machine, ending: Ending | undefined): void {
  const { stdout = '', stderr = '', code } = ending ?? {};
  machine.write('../stdout', `${stdout}\n`);
  machine.write('../stderr', `${stderr}\n`);
  const file = machine.write('../code', String(code));
  if (ending === undefined) rmSync(file);
}

/** What people are told to do about turns. */
function adviceIn({ stderr }: Pick<Finished, 'stderr'>): string[] {
  return stderr
    .split('\n')
    .filter((line) =>
      /\/retry|--retry|send the message again|new session:|try again|in a new session\.$/i.test(line),
    );
}

/** Whether the CLI was called for an earlier session, turn by turn. */
function sessionsIn(machine: Machine): string[] {
  return readFileSync(join(machine.folder, 'sessions'), 'utf8').trim().split('\n');
}
