import { expect, test } from 'vitest';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { asExpectation, BEFORE_TOOL, type Expectation, HELLO, MULTI, TOOL_ANSWER } from '../expectations.js';
import { listRecordings, playRecording } from '../playRecording.js';

/** One request: 100 new, 20 written to the cache and 30 read from it. */
const ONE = '150 in (30 cached), 42 out, $0.001346';
const TWO = '300 in (60 cached), 84 out, $0.002692';
const FREE = '0 in (0 cached), 0 out, $0';
const NONE = '';

const expectations: readonly Expectation[] = [
  ['agents-only', 'completed', HELLO, ONE, '80b811c0'],
  ['bare', 'completed', HELLO, ONE, 'bdb0070c'],
  ['combo', 'completed', HELLO, '150 in (30 cached), 42 out, $0.000673', '296548e1'],
  [
    'cut',
    'completed',
    'Hello from the fake model (scenario cut).',
    '600 in (120 cached), 45 out, $0.002924',
    '8cdf9bc1',
  ],
  ['empty-stdin', 'NO_FINAL_EVENT', '', NONE, ''],
  ['err-401', 'NO_FINAL_EVENT', '', NONE, 'd25790b1'],
  ['err-401-full', 'AUTH', '', FREE, '29fdc1a8'],
  ['err-401-retries0', 'AUTH', '', FREE, '9596c38c'],
  ['err-401final', 'AUTH', '', FREE, 'a5d82bc3'],
  ['err-429', 'NO_FINAL_EVENT', '', NONE, 'f69e9deb'],
  ['err-429-retries0', 'AGENT_ERROR', '', FREE, 'cc313bf7'],
  ['err-429once', 'completed', 'Hello from the fake model (scenario 429once).', ONE, '1e153ea3'],
  ['err-500', 'NO_FINAL_EVENT', '', NONE, '115c7030'],
  ['err-500-retries1', 'AGENT_ERROR', '', FREE, '0636a82b'],
  ['err-overflow', 'AGENT_ERROR', '', FREE, 'c9ba5877'],
  ['exclude-dynamic', 'completed', HELLO, ONE, '5065960f'],
  ['hang-sigint', 'AGENT_ERROR', '', FREE, '3a2f7c87'],
  ['hang-sigkill', 'NO_FINAL_EVENT', '', NONE, '1925db24'],
  ['hang-sigterm', 'NO_FINAL_EVENT', '', NONE, '2578477b'],
  ['json-format', 'completed', HELLO, ONE, 'a62e27c3'],
  ['long-1mb', 'completed', '2518 000000 n9ng5a atq03k', ONE, '2e5a98cd'],
  ['max-turns', 'AGENT_ERROR', BEFORE_TOOL, ONE, '3e044955'],
  ['model-bogus', 'AGENT_ERROR', '', FREE, '90c04a04'],
  ['model-sonnet', 'completed', HELLO, '150 in (30 cached), 42 out, $0.000673', '1a8bd870'],
  ['multi', 'completed', MULTI, ONE, '6e3099f4'],
  ['multi-partial', 'completed', MULTI, ONE, 'af8a413a'],
  ['no-credentials', 'AUTH', '', FREE, '14d8355e'],
  ['noverbose', 'NO_FINAL_EVENT', '', NONE, ''],
  ['prompt-arg-and-stdin', 'completed', HELLO, ONE, '4331b06c'],
  ['restricted', 'completed', TOOL_ANSWER, TWO, 'ab1dd154'],
  ['safemode', 'completed', HELLO, ONE, '0fd11c81'],
  ['session-1-set-id', 'completed', HELLO, ONE, '11111111'],
  ['session-2-resume', 'completed', HELLO, ONE, '11111111'],
  ['session-3-continue', 'completed', HELLO, ONE, '11111111'],
  ['session-4-fork', 'completed', HELLO, ONE, '22191bc0'],
  ['session-5-reuse-id', 'NO_FINAL_EVENT', '', NONE, ''],
  ['session-7-resume-other-cwd', 'completed', HELLO, ONE, '11111111'],
  ['setting-sources-none', 'completed', HELLO, ONE, '51dcbc29'],
  ['sleeptool-sigint', 'AGENT_ERROR', BEFORE_TOOL, ONE, '7260c320'],
  ['sleeptool-sigkill', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, 'd1bf42ab'],
  ['sleeptool-sigterm', 'NO_FINAL_EVENT', BEFORE_TOOL, NONE, '4227750c'],
  ['snap-1', 'completed', HELLO, ONE, '22222222'],
  ['snap-2-off', 'completed', HELLO, ONE, '22222222'],
  ['snap-4-nopersist', 'completed', HELLO, ONE, 'f22686ad'],
  ['stdin-700k', 'completed', HELLO, ONE, '3d17b6f8'],
  ['stdin-open', 'completed', HELLO, ONE, '0128e91b'],
  ['stream-json-input', 'completed', HELLO, ONE, '9bde3e9d'],
  ['sysfile-and-flag', 'completed', HELLO, ONE, 'e1fb161a'],
  ['sysprompt', 'completed', HELLO, ONE, '02c3280a'],
  ['sysprompt-arg127k', 'completed', HELLO, ONE, '4ff04db2'],
  ['sysprompt-arg200k', 'NO_FINAL_EVENT', '', NONE, ''],
  ['sysprompt-file200k', 'completed', HELLO, ONE, 'c85e5d0f'],
  ['sysprompt-replace', 'completed', HELLO, ONE, 'e347289f'],
  ['text', 'completed', HELLO, ONE, '998af163'],
  ['text-partial', 'completed', HELLO, ONE, '9965328c'],
  ['timeout', 'AGENT_ERROR', '', FREE, '605bd989'],
  ['tool-allowed', 'completed', TOOL_ANSWER, TWO, '9ca319ed'],
  ['tool-bypass-root', 'AGENT_ERROR', '', NONE, ''],
  ['tool-bypass-sandboxenv', 'completed', TOOL_ANSWER, TWO, '7c93e06d'],
  ['tool-default', 'completed', TOOL_ANSWER, TWO, 'c3238574'],
  ['tool-partial', 'completed', TOOL_ANSWER, TWO, 'de4180d4'],
  ['two-messages', 'completed', HELLO, ONE, '179b0a68'],
  ['unknown-flag', 'AGENT_ERROR', '', NONE, ''],
  ['write-acceptEdits', 'completed', TOOL_ANSWER, TWO, '0fe4586a'],
  ['write-auto', 'completed', TOOL_ANSWER, TWO, '1819b5ee'],
  ['write-dontAsk', 'completed', TOOL_ANSWER, TWO, '9316525d'],
  ['write-manual', 'completed', TOOL_ANSWER, TWO, 'cad4cccc'],
  ['write-plan', 'completed', TOOL_ANSWER, TWO, '5c367a06'],
  ['write-tools-readonly', 'completed', TOOL_ANSWER, TWO, '59ecc544'],
];

test.each(expectations)('reads the recording %s as %s', (...expectation) => {
  const [name] = expectation;
  expect(asExpectation(name, playRecording('claude', claudeDialect, name))).toEqual(expectation);
});

test('there is an expectation for every recording', () => {
  expect(expectations.map(([name]) => name).sort()).toEqual(listRecordings('claude'));
});
