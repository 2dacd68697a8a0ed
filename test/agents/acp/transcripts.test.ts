import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import type { PermissionQuestion, TurnRequest } from '../../../src/agents/AgentAdapter.js';
import type { AcpConnection } from '../../../src/agents/acp/AcpConnection.js';
import { loginWaysIn, readRequestError } from '../../../src/agents/acp/failures.js';
import { findKnownAcpAgent } from '../../../src/agents/acp/knownAgents.js';
import type { TurnEvent, Verdict } from '../../../src/agents/dialect/Dialect.js';
import { AgentTurn } from '../../../src/agents/live/AgentTurn.js';
import { describeUsage } from '../playRecording.js';
import { turnRequest } from '../turnRequest.js';
import { connectTo } from './memoryPair.js';
import { replayTranscript } from './transcripts.js';

/** The scripted answers of the recordings. */
const MULTI = 'First second third — ünïcode ✓ line\nbreak and `code` {"json":true} end.';
const TOOL_ANSWER = 'I will use a tool.\n\nThe tool ran; all done.';

const root = realpathSync(mkdtempSync(join(tmpdir(), 'huddle-acp-')));
afterAll(() => rmSync(root, { recursive: true }));

/** A folder as the recordings found it. */
function workingFolder(): string {
  const folder = mkdtempSync(join(root, 'folder-'));
  writeFileSync(join(folder, 'made-by-model.txt'), 'a note\n');
  return folder;
}

interface Played {
  readonly verdict: Verdict | undefined;
  readonly text: string;
  readonly events: readonly TurnEvent[];
}

async function runTurn(
  agent: AcpConnection,
  request: TurnRequest,
  onTurn: (turn: AgentTurn) => void = () => undefined,
): Promise<Played> {
  const turn = new AgentTurn({ request, signal: new AbortController().signal });
  onTurn(turn);
  agent.client = turn;
  const running = turn.run(() => agent.prompt(turn));
  const events: TurnEvent[] = [];
  for await (const event of turn.events) events.push(event);
  return { verdict: await running, text: turn.answer.text, events };
}

const usageOf = ({ events }: Played) => events.findLast((event) => event.type === 'usage');
const eventsOf = ({ events }: Played, ...types: readonly string[]) =>
  events.filter(({ type }) => types.includes(type));

/** Agent, its command, usage of the streamed turn and of the turn with a tool, the questions it asked. */
const agents: ReadonlyArray<
  readonly [name: string, command: string, multi: string, tool: string, questions: readonly string[]]
> = [
  [
    'claude-agent-acp-0.99.0-write',
    'claude-agent-acp',
    '150 in (30 cached), 42 out, $0.002692',
    '300 in (60 cached), 84 out, $0.004038',
    ['edit made-by-model.txt'],
  ],
  [
    'claude-agent-acp-0.49.0',
    'claude-agent-acp',
    '150 in (30 cached), 42 out, $0.00169',
    '300 in (60 cached), 84 out, $0.00338',
    [],
  ],
  ['codex-acp-2.6.0-write', 'codex-acp', '100 in (30 cached), 42 out', '200 in (60 cached), 84 out', []],
  [
    'gemini-write',
    'gemini',
    '100 in (0 cached), 42 out',
    '200 in (0 cached), 84 out',
    ['edit made-by-model.txt'],
  ],
  ['opencode', 'opencode', '100 in (0 cached), 42 out', '100 in (0 cached), 42 out', []],
  ['qwen-0.24.4', 'qwen', '100 in (0 cached), 42 out', '100 in (0 cached), 42 out', []],
  ['zed-codex-acp-0.16.0', 'codex-acp', '', '', []],
];

describe.concurrent.each(agents)('%s', (name, program, multiUsage, toolUsage, questions) => {
  test('streams, uses a tool, asks, and stops when it is told to', async () => {
    const folder = workingFolder();
    const { app, answers, hangs } = replayTranscript(name, folder);
    const agent = await connectTo(app, findKnownAcpAgent([program]));
    const asked: PermissionQuestion[] = [];
    const base: Partial<TurnRequest> = {
      command: [program],
      workingFolder: folder,
      permission: 'edit',
      askPermission: async (question) => {
        if (question.isAsked) asked.push(question);
        return 'allow';
      },
    };
    await agent.open();

    const first = await runTurn(agent, turnRequest(base));
    expect(first.verdict).toEqual({ ok: true });
    expect(first.text).toBe(MULTI);
    expect(
      eventsOf(first, 'text-delta')
        .map((event) => 'text' in event && event.text)
        .join(''),
    ).toBe(MULTI);
    expect(describeUsage(usageOf(first)?.usage)).toBe(multiUsage);

    const session = { kind: 'resume', sessionId: sessionIdOf(first) } as const;
    const sessionTotals = usageOf(first)?.sessionTotals;
    const second = await runTurn(agent, turnRequest({ ...base, session, sessionTotals }));
    expect(second.verdict).toEqual({ ok: true });
    expect(describeUsage(usageOf(second)?.usage)).toBe(toolUsage);
    expect(asked.map(({ kind, paths }) => `${kind} ${paths.join()}`)).toEqual(questions);
    expect(asked.every(({ isInFolder }) => isInFolder)).toBe(true);
    for (const { recorded, now } of answers) expect(now).toEqual(recorded ?? {});

    const third = runTurn(agent, turnRequest({ ...base, session }), (turn) => {
      void hangs.then(() => turn.stop({ kind: 'cancelled' }));
    });
    expect((await third).verdict).toMatchObject({
      ok: false,
      failure: { reason: 'stopped-early', stopReason: 'cancelled' },
    });
  });
});

function sessionIdOf({ events }: Played): string {
  return events.find((event) => event.type === 'session')?.sessionId ?? '';
}

test('a tool of Claude is shown when its input is known, and its file when it is written', async () => {
  const folder = workingFolder();
  const agent = await connectTo(replayTranscript('claude-agent-acp-0.99.0-write', folder).app);
  await agent.open();
  const base = { workingFolder: folder, askPermission: async () => 'allow' as const };
  const first = await runTurn(agent, turnRequest(base));
  const session = { kind: 'resume', sessionId: sessionIdOf(first) } as const;
  const second = await runTurn(agent, turnRequest({ ...base, session }));
  expect(second.text).toBe(TOOL_ANSWER);
  const path = join(folder, 'made-by-model.txt');
  expect(eventsOf(second, 'tool-start', 'tool-end', 'file-change')).toEqual([
    { type: 'tool-start', toolId: 'toolu_fake_7_1', name: 'Write', input: path, kind: 'edit' },
    { type: 'file-change', path, change: 'add' },
    {
      type: 'tool-end',
      toolId: 'toolu_fake_7_1',
      name: 'Write',
      ok: true,
      result: expect.stringContaining('File created successfully'),
    },
  ]);
});

test('what Gemini writes through us is in the file, and said once', async () => {
  const folder = workingFolder();
  const { app, answers } = replayTranscript('gemini-write', folder);
  const agent = await connectTo(app);
  await agent.open();
  const base = { workingFolder: folder, askPermission: async () => 'allow' as const };
  const first = await runTurn(agent, turnRequest(base));
  const session = { kind: 'resume', sessionId: sessionIdOf(first) } as const;
  const second = await runTurn(agent, turnRequest({ ...base, session }));
  expect(eventsOf(second, 'file-change')).toEqual([
    { type: 'file-change', path: join(folder, 'made-by-model.txt'), change: 'update' },
  ]);
  expect(answers.map(({ method }) => method)).toEqual([
    'fs/read_text_file',
    'session/request_permission',
    'fs/read_text_file',
    'fs/write_text_file',
  ]);
});

test('Copilot that nobody is logged in to says how to log in', async () => {
  const agent = await connectTo(replayTranscript('copilot', workingFolder()).app);
  await agent.open();
  const error = await runTurn(agent, turnRequest()).catch((reason: unknown) => reason);
  expect(readRequestError(error)).toEqual({
    code: 'AUTH',
    reason: 'login-needed',
    detail: 'Authentication required',
  });
  expect(loginWaysIn(agent.initialized)).toBe('Run `copilot login` in the terminal');
});
