import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dialect, TurnEvent, Verdict } from '../../src/agents/dialect/Dialect.js';
import { AnswerText } from '../../src/agents/process/AnswerText.js';
import { judgeTurn, type TurnIdentity } from '../../src/agents/process/judgeTurn.js';
import type { ExitInfo } from '../../src/agents/process/spawnAgent.js';
import { createRecordOutput } from '../../src/agents/process/turnOutput.js';
import type { SessionTotals, TurnUsage } from '../../src/models/AgentEvent.js';
import type { FailureFacts, TurnFailureCode, TurnOutcome } from '../../src/models/TurnOutcome.js';

const recordings = fileURLToPath(new URL('../fixtures/recordings/', import.meta.url));

export type Cli = 'claude' | 'codex' | 'gemini';

export interface Recording {
  readonly stdout: Buffer;
  readonly stderr: string;
  readonly exit: ExitInfo;
  /** The system refused to start the program. */
  readonly spawnError?: string;
}

export interface Played {
  readonly events: readonly TurnEvent[];
  /** The code of the failure, where the turn failed. */
  readonly outcome: Exclude<TurnOutcome['kind'], 'failed'> | TurnFailureCode;
  /** In the dialect's words: the member and its command are not named yet. */
  readonly failure: FailureFacts | undefined;
  /** The answer, or what had arrived of it. */
  readonly text: string;
  readonly sessionId: string | undefined;
  readonly usage: TurnUsage | undefined;
  readonly sessionTotals: SessionTotals | undefined;
}

export function listRecordings(cli: Cli): readonly string[] {
  return readdirSync(recordings + cli)
    .filter((file) => file.endsWith('.meta.json'))
    .map((file) => file.replace('.meta.json', ''))
    .sort();
}

export function readRecording(cli: Cli, name: string): Recording {
  const meta = JSON.parse(readFileSync(`${recordings}${cli}/${name}.meta.json`, 'utf8'));
  return {
    stdout: readFileSync(`${recordings}${cli}/${name}.stdout.jsonl`),
    stderr: readFileSync(`${recordings}${cli}/${name}.stderr.txt`, 'utf8'),
    exit: { code: meta.exitCode ?? null, signal: meta.exitSignal ?? null },
    spawnError: meta.spawnError,
  };
}

/** A recorded turn of the real CLI: read and judged as a live one. */
export function playRecording(
  cli: Cli,
  dialect: Dialect,
  name: string,
  sessionTotals?: SessionTotals,
): Played {
  const { stdout, stderr, exit, spawnError } = readRecording(cli, name);
  const output = createRecordOutput(dialect.createReader({ sessionTotals }), {});
  const answer = new AnswerText();
  const events = [...output.push(stdout), ...output.end()].map((event) => answer.add(event));
  const { verdict, skippedLines, badSample } = output;
  const facts = { stopReason: undefined, verdict, exit, skippedLines, badSample, stderr };
  const identity: TurnIdentity = { memberName: 'Max', command: [cli], environment: {} };
  const outcome = judgeTurn({ ...facts, text: answer.text, draft: answer.draft }, dialect, identity);
  const usage = events.findLast((event) => event.type === 'usage');
  return {
    events,
    outcome: spawnError ? 'SPAWN' : outcome.kind === 'failed' ? outcome.failure.code : outcome.kind,
    failure: verdict
      ? failureOf(verdict)
      : dialect.explainExit?.({ exitCode: exit.code ?? undefined, stderr }),
    text: outcome.kind === 'completed' ? outcome.text : outcome.draft,
    sessionId: events.findLast((event) => event.type === 'session')?.sessionId,
    usage: usage?.usage,
    sessionTotals: usage?.sessionTotals,
  };
}

function failureOf(verdict: Verdict): FailureFacts | undefined {
  return verdict.ok ? undefined : verdict.failure;
}

/** `150 in (30 cached), 42 out, $0.001346`; empty when nothing was said. */
export function describeUsage(usage: TurnUsage | undefined): string {
  if (!usage) return '';
  const tokens = `${usage.inputTokens} in (${usage.cachedInputTokens} cached), ${usage.outputTokens} out`;
  return usage.usd === undefined ? tokens : `${tokens}, $${usage.usd}`;
}
