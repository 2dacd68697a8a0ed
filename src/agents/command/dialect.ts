import type { TurnRequest } from '../AgentAdapter.js';
import {
  type Dialect,
  type Invocation,
  requireCommand,
  type TurnReader,
  type Verdict,
} from '../dialect/Dialect.js';
import { createExitExplainer, failedWith, messageOf } from '../dialect/failures.js';
import { fieldOf, isRecord, textOf, type UnknownRecord } from '../dialect/records.js';

/**
 * Any program: the prompt on stdin, the answer on stdout. `plain-text`: all of stdout; an exit code is noted.
 * `json-lines`: the records that `createCommandReader` understands, and the last of them decides.
 */
export function createCommandDialect(output: Dialect['output']): Dialect {
  return { output, prepare: prepareCommand, createReader: createCommandReader, explainExit };
}

/** Tells a program that its service keeps waiting from others that fail: a bare 429 may as well be the number of a line. */
const explainExit = createExitExplainer([
  [
    /rate.?limit|(?<!disk )quota|too many requests|\b(?:http|status|code|error)\b\W{0,3}429\b/i,
    { code: 'AGENT_ERROR', reason: 'rate-limited' },
  ],
]);

function prepareCommand(request: TurnRequest): Invocation {
  return { command: requireCommand(request), args: [], env: {}, files: [], stdin: request.prompt };
}

/**
 * Understands the JSON lines of a command:
 * - `{"type":"text","text":"…"}`, or any record with a `text`: a block of the answer;
 * - `{"type":"result"}`, or any record with a `result`: the end; a string in `result` is the answer when no text came;
 *   `"ok": false` or an `error` says that it failed.
 */
export function createCommandReader(): TurnReader {
  let verdict: Verdict | undefined;
  let hasText = false;
  return {
    read(record) {
      if (verdict) return [];
      if (!isRecord(record)) return [{ type: 'raw', record }];
      const isFinal = textOf(record, 'type') === 'result' || fieldOf(record, 'result') !== undefined;
      if (isFinal) verdict = judge(record);
      const text = textOf(record, 'text') ?? (isFinal && !hasText ? textOf(record, 'result') : undefined);
      if (text) hasText = true;
      if (isFinal && !text) return [];
      return [text ? { type: 'text', text } : { type: 'raw', record }];
    },
    get verdict() {
      return verdict;
    },
  };
}

function judge(record: UnknownRecord): Verdict {
  const error = fieldOf(record, 'error');
  if (fieldOf(record, 'ok') !== false && !error) return { ok: true };
  return failedWith({ message: messageOf(error) });
}
