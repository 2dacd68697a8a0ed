import { expect, test } from 'vitest';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import { asExpectation, BEFORE_TOOL, type Expectation, HELLO, MULTI, TOOL_ANSWER } from '../expectations.js';
import { listRecordings, playRecording } from '../playRecording.js';

/** One request. Codex counts the cached part in. */
const ONE = '100 in (30 cached), 42 out';
const TWO = '200 in (60 cached), 84 out';
const NONE = '';

const expectations: readonly Expectation[] = [
  ['approval-flag', 'AGENT_ERROR', '', NONE, ''],
  ['arg200k', 'NO_FINAL_EVENT', '', NONE, ''],
  ['combo', 'completed', HELLO, ONE, '01a1dccf'],
  ['cut', 'AGENT_ERROR', '', NONE, '01a1dcb6'],
  ['empty-stdin', 'NO_FINAL_EVENT', '', NONE, ''],
  ['ephemeral', 'completed', HELLO, ONE, '01a1dcbc'],
  ['err-401', 'AUTH', '', NONE, '01a1dcb5'],
  ['err-429', 'AGENT_ERROR', '', NONE, '01a1dcb5'],
  ['err-500', 'AGENT_ERROR', '', NONE, '01a1dcb5'],
  ['err-overflow', 'AGENT_ERROR', '', NONE, '01a1dcb6'],
  ['full-auto-flag', 'AGENT_ERROR', '', NONE, ''],
  ['git-dir', 'completed', HELLO, ONE, '01a1dcc5'],
  ['hang-sigint', 'NO_FINAL_EVENT', '', NONE, '01a1dcb6'],
  ['hang-sigkill', 'NO_FINAL_EVENT', '', NONE, '01a1dcbc'],
  ['hang-sigterm', 'NO_FINAL_EVENT', '', NONE, '01a1dcb6'],
  ['hangmid-sigint', 'NO_FINAL_EVENT', '', NONE, '01a1dcb6'],
  ['idle-timeout', 'AGENT_ERROR', '', NONE, '01a1dcbc'],
  ['long-1mb', 'completed', '2953 000000 n9ng5a atq03k', ONE, '01a1dcbb'],
  ['multi', 'completed', MULTI, ONE, '01a1dcb3'],
  ['no-credentials-envkey', 'AUTH', '', NONE, '01a1dcb4'],
  ['no-skip-git', 'NO_FINAL_EVENT', '', NONE, ''],
  ['openai-CODEX_API_KEY', 'completed', HELLO, ONE, '01a1dcb4'],
  ['openai-OPENAI_API_KEY', 'completed', HELLO, ONE, '01a1dcb4'],
  ['openai-OPENAI_BASE_URL', 'NO_FINAL_EVENT', '', NONE, '01a1dcb4'],
  ['output-last', 'completed', MULTI, ONE, '01a1dcbc'],
  ['retries0', 'AGENT_ERROR', '', NONE, '01a1dcbc'],
  ['session-1', 'completed', HELLO, ONE, '01a1dcb7'],
  ['session-2-resume', 'completed', HELLO, TWO, '01a1dcb7'],
  ['session-3-resume-last', 'completed', HELLO, '300 in (90 cached), 126 out', '01a1dcb7'],
  ['session-4-resume-sandbox-before', 'completed', TOOL_ANSWER, '500 in (150 cached), 210 out', '01a1dcb7'],
  ['session-5-resume-sandbox-after', 'AGENT_ERROR', '', NONE, ''],
  ['session-6-resume-unknown', 'SESSION_UNKNOWN', '', NONE, ''],
  ['session-8-resume-other-cwd', 'completed', HELLO, '600 in (180 cached), 252 out', '01a1dcb7'],
  ['sleeptool-group-sigkill', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '01a1dcbd'],
  ['sleeptool-sigint', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '01a1dcbb'],
  ['sleeptool-sigkill', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '01a1dcbc'],
  ['sleeptool-sigterm', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '01a1dcbb'],
  ['stdin-700k', 'completed', HELLO, ONE, '01a1dcb4'],
  ['stdin-open', 'NO_FINAL_EVENT', '', NONE, ''],
  ['sys-codexhome-file', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-developer_instructions', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-experimental_instructions_file', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-global-agents', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-instructions', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-model_instructions_file', 'completed', HELLO, ONE, '01a1dcb4'],
  ['sys-no-project-doc', 'completed', HELLO, ONE, '01a1dcb4'],
  ['text', 'completed', HELLO, ONE, '01a1dcb3'],
  ['text-arg-plus-stdin', 'completed', HELLO, ONE, '01a1dcb3'],
  ['text-nodash', 'completed', HELLO, ONE, '01a1dcb3'],
  ['text-telemetry-default', 'completed', HELLO, ONE, '01a1dcb3'],
  ['tool-default', 'completed', TOOL_ANSWER, TWO, '01a1dcb4'],
  ['unknown-flag', 'AGENT_ERROR', '', NONE, ''],
  ['wire-chat', 'AGENT_ERROR', '', NONE, ''],
  ['write-bypass', 'completed', TOOL_ANSWER, TWO, '01a1dcb4'],
  ['write-danger-full-access', 'completed', TOOL_ANSWER, TWO, '01a1dcb4'],
  ['write-default', 'completed', TOOL_ANSWER, TWO, '01a1dcb4'],
  ['write-workspace-write', 'completed', TOOL_ANSWER, TWO, '01a1dcb4'],
];

test.each(expectations)('reads the recording %s as %s', (...expectation) => {
  const [name] = expectation;
  expect(asExpectation(name, playRecording('codex', codexDialect, name))).toEqual(expectation);
});

test('there is an expectation for every recording', () => {
  expect(expectations.map(([name]) => name).sort()).toEqual(listRecordings('codex'));
});
