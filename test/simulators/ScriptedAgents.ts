import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import type { AgentAdapter, TurnRequest } from '../../src/agents/AgentAdapter.js';
import { AcpConnection, loadSdk } from '../../src/agents/acp/AcpConnection.js';
import { isAnswer, readRequestError } from '../../src/agents/acp/failures.js';
import type { Verdict } from '../../src/agents/dialect/Dialect.js';
import { fieldOf, lookUp, textOf } from '../../src/agents/dialect/records.js';
import { AgentTurn } from '../../src/agents/live/AgentTurn.js';
import { judgeTurn } from '../../src/agents/process/judgeTurn.js';
import { type ScriptedTool, turnOfScript } from '../../src/agents/rehearsal/script.js';
import { noTotals } from '../../src/agents/rehearsal/sessionFiles.js';
import { addTotals, answerOf, piecesOf, usageOf } from '../../src/agents/rehearsal/simulatedTurn.js';
import type { AgentEvent } from '../../src/models/AgentEvent.js';

const KINDS: Readonly<Record<string, string>> = { Read: 'read', Edit: 'edit', Bash: 'execute' };

/**
 * Plays a script as the built-in simulated agent does, without its process: the agent at the other end of the pipe is in here,
 * the connection and the turn are the real ones. `scriptedAgents.test.ts` compares both.
 */
export class ScriptedAgents implements AgentAdapter {
  readonly #script: unknown;
  readonly #members = new Map<string, { agent: ScriptedAgent; connection: AcpConnection }>();

  constructor(script: unknown) {
    this.#script = script;
  }

  async *runTurn(request: TurnRequest, signal: AbortSignal): AsyncGenerator<AgentEvent, void, undefined> {
    const { model: _anyWillDo, memberName, ...rest } = request;
    const { connection } = await this.#open(memberName);
    const turn = new AgentTurn({ request: { ...rest, memberName }, signal });
    connection.client = turn;
    const work = turn.run(() => ask(connection, turn));
    try {
      for await (const event of turn.events) yield event;
      const [verdict, { stopReason, answer }] = [await work, turn];
      const facts = { stopReason, verdict, exit: undefined, text: answer.text, draft: answer.draft };
      const identity = { memberName, command: ['scripted'], environment: {} };
      const outcome = judgeTurn(
        { ...facts, skippedLines: 0, badSample: undefined, stderr: '' },
        { output: 'json-lines' },
        identity,
      );
      yield { type: 'end', outcome };
    } finally {
      turn.events.close();
      turn.stop({ kind: 'cancelled' });
      await work.catch(() => undefined);
      connection.client = undefined;
    }
  }

  async close(): Promise<void> {
    for (const { agent, connection } of this.#members.values()) {
      agent.stdout.end();
      connection.stop();
    }
    this.#members.clear();
  }

  async #open(memberName: string) {
    const sdk = await loadSdk();
    const agent = new ScriptedAgent(memberName, this.#script);
    const opened = this.#members.get(memberName) ?? {
      agent,
      connection: new AcpConnection(agent, {}, sdk),
    };
    this.#members.set(memberName, opened);
    return opened;
  }
}

/** `undefined`: the turn was stopped. */
async function ask(connection: AcpConnection, turn: AgentTurn): Promise<Verdict | undefined> {
  try {
    await connection.open();
    return turn.stopReason === undefined ? await connection.prompt(turn) : undefined;
  } catch (error) {
    return isAnswer(error) ? { ok: false, failure: readRequestError(error) } : undefined;
  }
}

interface Session {
  readonly workingFolder: string;
  totals: typeof noTotals;
  cancel: AbortController;
}

/** The agent's end of a pipe, for one member. */
class ScriptedAgent {
  readonly stdout = new PassThrough();
  readonly #memberName: string;
  readonly #script: unknown;
  readonly #sessions = new Map<string, Session>();
  readonly #asked = new Map<string, (result: unknown) => void>();
  #turnCount = 0;

  constructor(memberName: string, script: unknown) {
    this.#memberName = memberName;
    this.#script = script;
  }

  /** Reads what is written to it. */
  async write(text: string): Promise<void> {
    for (const line of text.trim().split('\n')) void this.#receive(JSON.parse(line));
  }

  #send(message: object): void {
    this.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  }

  async #receive(message: unknown): Promise<void> {
    const [id, method, params] = [
      fieldOf(message, 'id'),
      textOf(message, 'method'),
      fieldOf(message, 'params'),
    ];
    if (method === undefined) this.#asked.get(String(id))?.(fieldOf(message, 'result'));
    else if (method === 'session/cancel') this.#sessionOf(params).cancel.abort();
    else this.#send({ id, result: await this.#answer(method, params) });
  }

  async #answer(method: string, params: unknown): Promise<unknown> {
    switch (method) {
      case 'initialize':
        return {
          protocolVersion: 1,
          agentCapabilities: {
            loadSession: true,
            sessionCapabilities: { close: {}, fork: {}, systemPrompt: {} },
          },
        };
      case 'session/new':
        return { sessionId: this.#openSession(params, noTotals) };
      case 'session/fork':
        return { sessionId: this.#openSession(params, this.#sessionOf(params).totals) };
      case 'session/prompt':
        return this.#answerPrompt(params);
      default: // Nothing is closed, so nothing has to be loaded.
        return {};
    }
  }

  #openSession(params: unknown, totals: typeof noTotals): string {
    const sessionId = randomUUID();
    const workingFolder = textOf(params, 'cwd') ?? '';
    this.#sessions.set(sessionId, { workingFolder, totals, cancel: new AbortController() });
    return sessionId;
  }

  #sessionOf(params: unknown): Session {
    const session = this.#sessions.get(textOf(params, 'sessionId') ?? '');
    if (session === undefined) throw new Error('an unknown session');
    return session;
  }

  async #answerPrompt(params: unknown): Promise<unknown> {
    const session = this.#sessionOf(params);
    const sessionId = textOf(params, 'sessionId');
    const prompt = (fieldOf(params, 'prompt') as { text: string }[]).map(({ text }) => text).join('');
    const turn = turnOfScript(this.#script, this.#memberName, this.#turnCount++);
    session.cancel = new AbortController();
    const say = (update: object): void =>
      this.#send({ method: 'session/update', params: { sessionId, update } });
    const sayBlock = (block: string, index: number): void => {
      for (const text of piecesOf(block)) {
        const messageId = `message-${this.#turnCount}-${index}`;
        say({ sessionUpdate: 'agent_message_chunk', messageId, content: { type: 'text', text } });
      }
    };
    const blocks = answerOf(turn, this.#memberName, prompt);
    const [first = '', ...rest] = blocks;
    sayBlock(first, 0);
    for (const [index, tool] of turn.tools.entries()) {
      const toolCallId = `tool-${this.#turnCount}-${index}`;
      await this.#useTool(tool, { toolCallId, sessionId, session, say });
    }
    if (session.cancel.signal.aborted) return { stopReason: 'cancelled' };
    for (const [index, block] of rest.entries()) sayBlock(block, index + 1);
    const usage = usageOf(prompt, blocks, turn.usd);
    session.totals = addTotals(session.totals, usage);
    const { inputTokens, outputTokens } = usage;
    const used = session.totals.inputTokens + session.totals.outputTokens;
    const cost = { amount: session.totals.usd, currency: 'USD' };
    if (cost.amount > 0) say({ sessionUpdate: 'usage_update', used, size: 1_000_000, cost });
    const totalTokens = inputTokens + outputTokens;
    return { stopReason: 'end_turn', usage: { inputTokens, outputTokens, totalTokens } };
  }

  async #useTool(tool: ScriptedTool, { toolCallId, sessionId, session, say }: ToolPlace): Promise<void> {
    const { name, input, asks, ok, result, change } = tool;
    const kind = lookUp(KINDS, name) ?? 'other';
    const hasFile = kind === 'read' || kind === 'edit';
    const rawInput = hasFile ? { file_path: input } : { command: input };
    const path = join(session.workingFolder, input);
    const toolCall = {
      ...{ toolCallId, name, kind, title: `${name} ${input}`, rawInput },
      ...(hasFile && { locations: [{ path }] }),
      ...(change && { content: [{ type: 'diff', path, oldText: change.before, newText: change.after }] }),
    };
    say({ sessionUpdate: 'tool_call', status: asks ? 'pending' : 'in_progress', ...toolCall });
    const isAllowed = !asks || (await this.#askPermission({ sessionId, toolCall }, session));
    if (session.cancel.signal.aborted) return;
    const status = isAllowed && ok ? 'completed' : 'failed';
    const rawOutput = isAllowed ? result : 'The user refused.';
    say({ sessionUpdate: 'tool_call_update', toolCallId, status, rawOutput });
  }

  async #askPermission(question: object, { cancel }: Session): Promise<boolean> {
    const options = [
      { optionId: 'allow', name: 'Allow', kind: 'allow_once' },
      { optionId: 'allow-always', name: 'Always allow', kind: 'allow_always' },
      { optionId: 'reject', name: 'Reject', kind: 'reject_once' },
    ];
    const id = randomUUID();
    const answered = new Promise((resolve) => this.#asked.set(id, resolve));
    this.#send({ id, method: 'session/request_permission', params: { ...question, options } });
    const outcome = fieldOf(await answered, 'outcome');
    if (textOf(outcome, 'outcome') === 'cancelled') cancel.abort();
    return textOf(outcome, 'optionId') === 'allow';
  }
}

interface ToolPlace {
  readonly toolCallId: string;
  readonly sessionId: string | undefined;
  readonly session: Session;
  readonly say: (update: object) => void;
}
