import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Dialect, DialectFailure, TurnEvent } from '../../src/agents/Dialect.js';
import { AnswerText } from '../../src/agents/process/AnswerText.js';
import type { SessionTotals, TurnUsage } from '../../src/models/AgentEvent.js';
import { JsonLines } from '../../src/utils/jsonLines.js';

const recordings = fileURLToPath(new URL('../fixtures/recordings/', import.meta.url));

export type Cli = 'claude' | 'codex' | 'gemini';

export interface Played {
  readonly events: readonly TurnEvent[];
  /** `completed`, or the code of the failure. */
  readonly outcome: 'completed' | DialectFailure['code'];
  readonly failure: DialectFailure | undefined;
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

export function readRecording(cli: Cli, name: string): { stdout: Buffer; stderr: string; exitCode?: number } {
  const meta = JSON.parse(readFileSync(`${recordings}${cli}/${name}.meta.json`, 'utf8'));
  return {
    stdout: readFileSync(`${recordings}${cli}/${name}.stdout.jsonl`),
    stderr: readFileSync(`${recordings}${cli}/${name}.stderr.txt`, 'utf8'),
    exitCode: meta.exitCode ?? undefined,
  };
}

/** A recorded turn of the real CLI, through the same translator as a live one. */
export function playRecording(
  cli: Cli,
  dialect: Dialect,
  name: string,
  sessionTotals?: SessionTotals,
): Played {
  const { stdout, stderr, exitCode } = readRecording(cli, name);
  const lines = new JsonLines();
  const reader = dialect.createReader({ sessionTotals });
  const events = [...lines.push(stdout), ...lines.end()].flatMap((record) => reader.read(record));
  const answer = new AnswerText();
  for (const event of events) answer.add(event);
  const usage = events.findLast((event) => event.type === 'usage');
  const failure =
    reader.verdict?.ok === false ? reader.verdict.failure : dialect.explainExit?.({ exitCode, stderr });
  return {
    events,
    outcome: reader.verdict?.ok ? 'completed' : (failure?.code ?? 'NO_FINAL_EVENT'),
    failure: reader.verdict?.ok ? undefined : failure,
    text: answer.draft,
    sessionId: events.findLast((event) => event.type === 'session')?.sessionId,
    usage: usage?.usage,
    sessionTotals: usage?.sessionTotals,
  };
}

/** `150 in (30 cached), 42 out, $0.001346`; empty when nothing was said. */
export function describeUsage(usage: TurnUsage | undefined): string {
  if (!usage) return '';
  const tokens = `${usage.inputTokens} in (${usage.cachedInputTokens} cached), ${usage.outputTokens} out`;
  return usage.usd === undefined ? tokens : `${tokens}, $${usage.usd}`;
}
