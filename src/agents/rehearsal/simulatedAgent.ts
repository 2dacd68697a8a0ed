/**
 * The built-in simulated agent: a process that speaks the Agent Client Protocol and answers without a model and without a
 * network. Run as `node simulatedAgent.js`.
 */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { Readable, Writable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import {
  type AgentContext,
  agent,
  methods,
  ndJsonStream,
  PROTOCOL_VERSION,
  type PromptResponse,
  RequestError,
  type RequestPermissionRequest,
  type SessionUpdate,
  type ToolCallContent,
  type ToolKind,
} from '@agentclientprotocol/sdk/unstable';
import { lookUp } from '../dialect/records.js';
import { type FailureName, type ScriptedTool, type ScriptedTurn, turnOfScript } from './script.js';
import { noTotals, SessionFiles } from './sessionFiles.js';
import { addTotals, answerOf, piecesOf, REHEARSAL_VARIABLES, readScript, usageOf } from './simulatedTurn.js';

const memberName = process.env[REHEARSAL_VARIABLES.memberName] ?? 'agent';
const paceMilliseconds = Number(process.env[REHEARSAL_VARIABLES.pace] ?? 0);
const files = new SessionFiles(process.env[REHEARSAL_VARIABLES.stateFolder]);

interface OpenSession {
  readonly sessionId: string;
  readonly workingFolder: string;
  totals: typeof noTotals;
  /** Cancels the prompt that is being worked on. */
  cancel: AbortController;
}

const sessions = new Map<string, OpenSession>();
let turnCount = 0;

const failures: Readonly<Partial<Record<FailureName, string>>> = {
  auth: 'API Error: 401 Incorrect API key provided: rehearsed',
  'rate-limit': 'API Error: 429 Too many requests: rehearsed',
  'server-error': 'API Error: 500 Internal server error: rehearsed',
  cut: 'stream disconnected before completion: rehearsed',
};

const toolKinds: Readonly<Record<string, ToolKind>> = {
  Read: 'read',
  Grep: 'search',
  Write: 'edit',
  Edit: 'edit',
  Bash: 'execute',
  WebFetch: 'fetch',
};

/** Without a state folder the turns of this one process are counted. */
function nextTurn(): ScriptedTurn {
  return turnOfScript(readScript(), memberName, files.isKept ? files.turnsOf(memberName) : turnCount);
}

function countTurn(): void {
  turnCount += 1;
  files.countTurn(memberName);
}

function openSession(
  sessionId: string,
  workingFolder: string,
  totals = files.find(sessionId)?.totals ?? noTotals,
): { sessionId: string } {
  sessions.set(sessionId, { sessionId, workingFolder, totals, cancel: new AbortController() });
  return { sessionId };
}

function startSession(workingFolder: string): { sessionId: string } {
  if (nextTurn().failure === 'not-logged-in') {
    countTurn();
    throw RequestError.authRequired();
  }
  return openSession(randomUUID(), workingFolder);
}

function loadSession(sessionId: string, workingFolder: string): Record<string, never> {
  if (files.isKept && files.find(sessionId) === undefined) throw RequestError.sessionNotFound(sessionId);
  openSession(sessionId, workingFolder);
  return {};
}

/** Copies a session under a new id. */
function forkSession(original: string, workingFolder: string): { sessionId: string } {
  loadSession(original, workingFolder);
  return openSession(randomUUID(), workingFolder, sessions.get(original)?.totals);
}

async function answerPrompt(
  sessionId: string,
  prompt: string,
  client: AgentContext,
): Promise<PromptResponse> {
  const session = sessions.get(sessionId);
  if (session === undefined) throw RequestError.sessionNotFound(sessionId);
  const turn = nextTurn();
  countTurn();
  session.cancel = new AbortController();
  const { signal } = session.cancel;
  const say = (update: SessionUpdate): Promise<void> =>
    client.notify(methods.client.session.update, { sessionId, update });

  const blocks = answerOf(turn, memberName, prompt);
  const isRefused = turn.failure !== undefined && turn.failure !== 'cut' && turn.failure !== 'no-final-event';
  const [first = '', ...rest] = isRefused ? [] : blocks;
  await sayBlock(first, 0, say, signal);
  if (turn.failure === 'no-final-event') process.exit(0);
  const message = turn.failure && failures[turn.failure];
  if (message !== undefined) throw RequestError.internalError({ details: message });
  for (const [index, tool] of turn.tools.entries()) await useTool(tool, index, session, client, say);
  for (const [index, block] of rest.entries()) await sayBlock(block, index + 1, say, signal);
  if (signal.aborted) return { stopReason: 'cancelled' };

  const usage = usageOf(prompt, blocks, turn.usd);
  session.totals = addTotals(session.totals, usage);
  files.save({ sessionId, totals: session.totals });
  const { inputTokens, outputTokens } = usage;
  const used = session.totals.inputTokens + session.totals.outputTokens;
  if (session.totals.usd > 0) {
    const cost = { amount: session.totals.usd, currency: 'USD' };
    await say({ sessionUpdate: 'usage_update', used, size: 1_000_000, cost });
  }
  const totalTokens = inputTokens + outputTokens;
  return { stopReason: 'end_turn', usage: { inputTokens, outputTokens, totalTokens } };
}

async function sayBlock(
  block: string,
  index: number,
  say: (update: SessionUpdate) => Promise<void>,
  signal: AbortSignal,
): Promise<void> {
  for (const text of piecesOf(block)) {
    if (paceMilliseconds > 0) await wait(paceMilliseconds);
    if (signal.aborted) return;
    await say({
      sessionUpdate: 'agent_message_chunk',
      messageId: `message-${turnCount}-${index}`,
      content: { type: 'text', text },
    });
  }
}

function diffOf(path: string, { before, after }: NonNullable<ScriptedTool['change']>): ToolCallContent {
  return { type: 'diff', path, oldText: before, newText: after };
}

async function useTool(
  tool: ScriptedTool,
  index: number,
  { sessionId, workingFolder, cancel }: OpenSession,
  client: AgentContext,
  say: (update: SessionUpdate) => Promise<void>,
): Promise<void> {
  const kind = lookUp(toolKinds, tool.name) ?? 'other';
  const hasFile = kind === 'read' || kind === 'edit';
  const toolCall = {
    toolCallId: `tool-${turnCount}-${index}`,
    name: tool.name,
    kind,
    title: `${tool.name} ${tool.input}`,
    rawInput: hasFile ? { file_path: tool.input } : { command: tool.input },
    ...(hasFile && { locations: [{ path: join(workingFolder, tool.input) }] }),
    ...(tool.change && { content: [diffOf(join(workingFolder, tool.input), tool.change)] }),
  };
  await say({ sessionUpdate: 'tool_call', status: tool.asks ? 'pending' : 'in_progress', ...toolCall });
  const isAllowed = !tool.asks || (await askPermission());
  if (cancel.signal.aborted) return;
  await say({
    sessionUpdate: 'tool_call_update',
    toolCallId: toolCall.toolCallId,
    status: isAllowed && tool.ok ? 'completed' : 'failed',
    rawOutput: isAllowed ? tool.result : 'The user refused.',
  });

  async function askPermission(): Promise<boolean> {
    const question: RequestPermissionRequest = {
      sessionId,
      toolCall,
      options: [
        { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
        { optionId: 'allow-always', name: 'Always allow', kind: 'allow_always' },
        { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
      ],
    };
    const { outcome } = await client.request(methods.client.session.requestPermission, question);
    if (outcome.outcome === 'cancelled') cancel.abort();
    return outcome.outcome === 'selected' && outcome.optionId === 'allow';
  }
}

const connection = agent({ name: 'huddle-rehearsal' })
  .onRequest(methods.agent.initialize, () => ({
    protocolVersion: PROTOCOL_VERSION,
    agentInfo: { name: 'rehearsal', version: '0.0.0' },
    agentCapabilities: {
      loadSession: true,
      sessionCapabilities: { close: {}, fork: {}, systemPrompt: {} },
    },
    authMethods: [{ id: 'rehearsal', name: 'Rehearsal', description: 'this failure is simulated' }],
  }))
  .onRequest(methods.agent.session.new, ({ params }) => startSession(params.cwd))
  .onRequest(methods.agent.session.load, ({ params }) => loadSession(params.sessionId, params.cwd))
  .onRequest(methods.agent.session.fork, ({ params }) => forkSession(params.sessionId, params.cwd))
  .onRequest(methods.agent.session.close, ({ params }) => {
    sessions.delete(params.sessionId);
  })
  .onRequest(methods.agent.session.prompt, ({ params, client }) => {
    const texts = params.prompt.map((content) => (content.type === 'text' ? content.text : ''));
    return answerPrompt(params.sessionId, texts.join(''), client);
  })
  .onNotification(methods.agent.session.cancel, ({ params }) =>
    sessions.get(params.sessionId)?.cancel.abort(),
  )
  // Node types its own web streams apart from the global ones; they are the same.
  .connect(
    ndJsonStream(
      Writable.toWeb(process.stdout) as WritableStream<Uint8Array>,
      Readable.toWeb(process.stdin) as ReadableStream<Uint8Array>,
    ),
  );

await connection.closed;
