import { expect, test } from 'vitest';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { asExpectation, BEFORE_TOOL, type Expectation, HELLO, MULTI, TOOL_ANSWER } from '../expectations.js';
import { listRecordings, playRecording } from '../playRecording.js';

/** One request: 42 written and 5 thought. */
const ONE = '100 in (30 cached), 47 out';
const TWO = '200 in (60 cached), 94 out';
const NOTHING = '0 in (0 cached), 0 out';
const NONE = '';

const expectations: readonly Expectation[] = [
  ['429-maxattempts1', 'AGENT_ERROR', '', NOTHING, 'c2675e6d'],
  ['500-maxattempts1', 'AGENT_ERROR', '', NOTHING, 'cac2a9a4'],
  ['agents-only', 'completed', HELLO, ONE, '529f8f6a'],
  ['arg200k', 'NO_FINAL_EVENT', '', NONE, ''],
  ['cut', 'AGENT_ERROR', 'Hello from the fake model (scenario cut).', NOTHING, '597866b6'],
  ['empty-stdin', 'NO_FINAL_EVENT', '', NONE, ''],
  ['err-401', 'AUTH', '', NOTHING, '277806bf'],
  ['err-429', 'NO_FINAL_EVENT', '', NONE, '465da5a3'],
  ['err-500', 'NO_FINAL_EVENT', '', NONE, 'fb21364b'],
  ['err-500-full', 'AGENT_ERROR', '', NOTHING, '8cd9f12a'],
  ['err-overflow', 'AGENT_ERROR', '', NOTHING, 'b2c8b71f'],
  ['hang-group-sigint', 'NO_FINAL_EVENT', '', NONE, '7e29034f'],
  ['hang-group-sigterm', 'NO_FINAL_EVENT', '', NONE, 'ce152a22'],
  ['hang-norelaunch-sigint', 'NO_FINAL_EVENT', '', NONE, '2d92dcad'],
  ['hang-sigint', 'NO_FINAL_EVENT', '', NONE, '07565d8c'],
  ['hang-sigkill', 'NO_FINAL_EVENT', '', NONE, 'ce47d90d'],
  ['hang-sigterm', 'NO_FINAL_EVENT', '', NONE, 'c83e9aba'],
  ['hangmid-sigint', 'NO_FINAL_EVENT', 'Hello from the fake model (scenario hangmid).', NONE, '72ccf1a5'],
  ['jsonl-flag', 'AGENT_ERROR', '', NONE, ''],
  ['long-1mb', 'NO_FINAL_EVENT', '59346 000000 n9ng5a atq03k', NONE, 'c2ae6ecc'],
  ['multi', 'completed', MULTI, ONE, '3abb0c5d'],
  ['no-credentials', 'AUTH', '', NONE, ''],
  ['no-credentials-nosettings', 'AUTH', '', NONE, ''],
  ['no-skip-trust', 'NO_FINAL_EVENT', '', NONE, ''],
  ['norelaunch', 'completed', HELLO, ONE, 'ce00c792'],
  ['session-1-set-id', 'completed', HELLO, ONE, '11111111'],
  ['session-2-resume-id', 'completed', HELLO, ONE, '11111111'],
  ['session-3-resume-latest', 'completed', HELLO, ONE, '11111111'],
  ['session-4-list', 'NO_FINAL_EVENT', '', NONE, ''],
  ['session-5-reuse-id', 'NO_FINAL_EVENT', '', NONE, ''],
  ['session-6-resume-unknown', 'SESSION_UNKNOWN', '', NONE, ''],
  ['sleeptool-group-sigint', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '29344119'],
  ['sleeptool-group-sigkill', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, 'abbd7a33'],
  ['sleeptool-norelaunch-sigint', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '093f0fb6'],
  ['sleeptool-norelaunch-sigterm', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, 'bd6b67af'],
  ['sleeptool-sigint', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, 'd6a36220'],
  ['sleeptool-sigkill', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, 'ac19b7c7'],
  ['sleeptool-sigterm', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '979607a1'],
  ['stdin-700k', 'completed', HELLO, ONE, 'd728e920'],
  ['stdin-open', 'completed', HELLO, ONE, 'b0769056'],
  ['sys-context-filename', 'completed', HELLO, ONE, 'e9ab3564'],
  ['sys-default', 'completed', HELLO, ONE, '1a976378'],
  ['sys-gemini_system_md', 'completed', HELLO, ONE, '0817f720'],
  ['sys-home-gemini-md', 'completed', HELLO, ONE, '96a92e22'],
  ['sysresume-1', 'completed', HELLO, ONE, '33333333'],
  ['sysresume-2', 'completed', HELLO, ONE, '33333333'],
  ['text', 'completed', HELLO, ONE, '1fbea2d9'],
  ['text-auto-model', 'completed', HELLO, TWO, '36265aa0'],
  ['text-baseurl-no-authtype', 'AUTH', '', NONE, ''],
  ['text-p-and-stdin', 'completed', HELLO, ONE, '97902527'],
  ['tool-auto_edit', 'completed', TOOL_ANSWER, TWO, '3f291bfe'],
  ['tool-default', 'completed', TOOL_ANSWER, TWO, '759cef65'],
  ['tool-plan', 'completed', TOOL_ANSWER, TWO, '149e3216'],
  ['trust-env', 'completed', HELLO, ONE, '09ada274'],
  ['unknown-flag', 'AGENT_ERROR', '', NONE, ''],
  ['write-auto_edit', 'completed', TOOL_ANSWER, TWO, '18c7003f'],
  ['write-default', 'completed', TOOL_ANSWER, TWO, '652f0708'],
  ['write-plan', 'completed', TOOL_ANSWER, TWO, 'c1f899b0'],
  ['write-yolo', 'completed', TOOL_ANSWER, TWO, '393f3aeb'],
];

test.each(expectations)('reads the recording %s as %s', (...expectation) => {
  const [name] = expectation;
  expect(asExpectation(name, playRecording('gemini', geminiDialect, name))).toEqual(expectation);
});

test('there is an expectation for every recording', () => {
  expect(expectations.map(([name]) => name).sort()).toEqual(listRecordings('gemini'));
});
