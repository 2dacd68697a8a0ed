import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { TurnRequest } from '../../../src/agents/AgentAdapter.js';
import type { Dialect, TurnEvent, TurnReader, Verdict } from '../../../src/agents/dialect/Dialect.js';
import { runDialectTurn, type TurnProcessOptions } from '../../../src/agents/process/runDialectTurn.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import type { TurnOutcome } from '../../../src/models/TurnOutcome.js';
import { turnRequest } from '../turnRequest.js';

const HOSTILE_AGENT =
  process.env.HOSTILE_AGENT ?? fileURLToPath(new URL('../../fixtures/hostile-agent.mjs', import.meta.url));

export const STYLES = ['claude', 'codex', 'gemini'] as const;
export type Style = (typeof STYLES)[number] | 'plain';

/** Just enough of each CLI's words to judge the process layer by; the real readers have their own tests. */
const READERS: Record<Exclude<Style, 'plain'>, (record: Fields) => Understood> = {
  claude: (record) => {
    if (record.type === 'assistant') return textBlocks(fields(record.message).content);
    if (record.subtype === 'api_retry') return { events: [retry(record)] };
    return record.type === 'result' ? { verdict: verdictOf(record.is_error === false, record.result) } : {};
  },
  codex: (record) => {
    if (record.type === 'item.completed') return settledText(fields(record.item).text);
    if (record.type === 'error') return { events: [retry(record)] };
    if (record.type === 'turn.failed') return { verdict: verdictOf(false, fields(record.error).message) };
    return record.type === 'turn.completed' ? { verdict: { ok: true } } : {};
  },
  gemini: (record) => {
    if (record.type === 'message' && record.role === 'assistant' && typeof record.content === 'string') {
      return { events: [{ type: 'text-delta', text: record.content }] };
    }
    if (record.type === 'error' && record.severity === 'warning') return { events: [retry(record)] };
    if (record.type !== 'result') return {};
    return { verdict: verdictOf(record.status === 'success', fields(record.error).message) };
  },
};

type Fields = Readonly<Record<string, unknown>>;
interface Understood {
  readonly events?: TurnEvent[];
  readonly verdict?: Verdict;
}

export function hostileDialect(
  style: Style,
  env: Record<string, string>,
  changes: Partial<Dialect> = {},
): Dialect {
  return {
    output: style === 'plain' ? 'plain-text' : 'json-lines',
    prepare: (request) => ({
      command: request.command ?? [process.execPath, HOSTILE_AGENT],
      args: [],
      env: { HOSTILE_STYLE: style, HOSTILE_MAX_LIFE_MS: '60000', ...env },
      files: [],
      stdin: request.prompt,
    }),
    createReader: () => (style === 'plain' ? unusedReader : createReader(READERS[style])),
    ...changes,
  };
}

const PATIENT = { idleMilliseconds: 30_000, totalMilliseconds: 60_000 };

export interface Played {
  readonly events: AgentEvent[];
  readonly outcome: TurnOutcome;
  /** Processes of the turn that are alive a second after it. */
  readonly alive: string[];
}

export interface PlayOptions extends TurnProcessOptions {
  readonly style?: Style;
  readonly env?: Record<string, string>;
  readonly request?: Partial<TurnRequest>;
  readonly signal?: AbortSignal;
  readonly dialect?: Partial<Dialect>;
  readonly onEvent?: (event: AgentEvent) => void;
  /** Called again and again with the processes that are there, until it says that it is done. */
  readonly onProcesses?: (processes: readonly RegisteredProcess[]) => boolean;
}

/** Plays one behaviour of the hostile agent through the process layer, to the very end. */
export async function play(behaviour: string, options: PlayOptions = {}): Promise<Played> {
  const { style = 'claude', env = {}, request, signal = new AbortController().signal, ...rest } = options;
  const { dialect: changes, onEvent, onProcesses, ...processOptions } = rest;
  const folder = mkdtempSync(join(tmpdir(), 'huddle-test-'));
  const pidFile = join(folder, 'pids');
  const dialect = hostileDialect(style, { HOSTILE: behaviour, HOSTILE_PIDFILE: pidFile, ...env }, changes);
  const asked = turnRequest({ workingFolder: tmpdir(), limits: PATIENT, ...request });
  const events: AgentEvent[] = [];
  let isOver = false;
  if (onProcesses) void until(() => isOver || onProcesses(registeredProcesses(pidFile)));
  for await (const event of runDialectTurn(dialect, asked, signal, processOptions)) {
    events.push(event);
    onEvent?.(event);
  }
  isOver = true;
  const survivors = () => registeredProcesses(pidFile).filter(({ pid }) => isAlive(pid));
  const deadline = performance.now() + 1000;
  await until(() => survivors().length === 0 || performance.now() > deadline);
  const alive = survivors().map(({ role }) => role);
  rmSync(folder, { recursive: true });
  const last = events.at(-1);
  if (last?.type !== 'end') throw new Error(`the turn ended with ${last?.type}, not with an end`);
  return { events, outcome: last.outcome, alive };
}

export interface RegisteredProcess {
  readonly pid: number;
  readonly role: string;
}

/** The processes that wrote their whole line into a file: one that is made and still empty names none. */
export function registeredProcesses(pidFile: string): RegisteredProcess[] {
  if (!existsSync(pidFile)) return [];
  const lines = readFileSync(pidFile, 'utf8').split('\n').slice(0, -1);
  return lines.map((line) => ({ pid: Number.parseInt(line, 10), role: line.split(' ')[1] ?? '' }));
}

/** The processes named in a file that are still there. */
export function alivePids(pidFile: string): readonly number[] {
  return registeredProcesses(pidFile).flatMap(({ pid }) => (isAlive(pid) ? [pid] : []));
}

/** A zombie is dead: only its parent has not looked yet. */
export function isAlive(pid: number): boolean {
  try {
    return !/^State:\s+[ZX]/mu.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

const unusedReader: TurnReader = { read: () => [], verdict: undefined };

function createReader(understand: (record: Fields) => Understood): TurnReader {
  let verdict: Verdict | undefined;
  return {
    read: (record) => {
      const understood = understand(fields(record));
      verdict ??= understood.verdict;
      return understood.events ?? [];
    },
    get verdict() {
      return verdict;
    },
  };
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? { ...value } : {};
}

function textBlocks(content: unknown): Understood {
  const blocks = Array.isArray(content) ? content.map(fields) : [];
  return { events: blocks.flatMap(({ text }) => settledText(text).events ?? []) };
}

function settledText(text: unknown): Understood {
  return typeof text === 'string' ? { events: [{ type: 'text', text }] } : {};
}

function verdictOf(ok: boolean, message: unknown): Verdict {
  return ok
    ? { ok }
    : { ok: false, failure: { code: 'AGENT_ERROR', reason: 'agent-error', detail: String(message) } };
}

function retry(record: Fields): TurnEvent {
  const message = String(record.message);
  const status = /status (\d+)/u.exec(message)?.[1];
  return { type: 'retry', message, ...(status === undefined ? {} : { status: Number(status) }) };
}

const SIGTERM_BIT = 1n << 14n;

/** Whether a process catches SIGTERM by now: the hostile agent then ignores it. */
export function isDeaf(pid: number): boolean {
  try {
    const caught = /^SigCgt:\s+([0-9a-f]+)/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '0';
    return (BigInt(`0x${caught}`) & SIGTERM_BIT) !== 0n;
  } catch {
    return false;
  }
}

/** Waits for something that only another process can tell. */
export async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise((resolve) => setTimeout(resolve, 5));
}
