import { describe, expect, test } from 'vitest';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { AnswerText } from '../../../src/agents/process/AnswerText.js';
import { playRecording } from '../playRecording.js';

const play = (name: string) => playRecording('gemini', geminiDialect, name);
const read = (...records: unknown[]) => {
  const reader = geminiDialect.createReader({});
  return { events: records.flatMap((record) => reader.read(record)), verdict: reader.verdict };
};

describe('the whole event list of a recording', () => {
  test('deltas are settled before a tool and at the end', () => {
    const result =
      'Tool "run_shell_command" not found. Did you mean one of: "update_topic", "grep_search", "invoke_agent"?';
    const tool = { toolId: 'run_shell_command__fc_fake_7', name: 'run_shell_command' };
    expect(play('tool-default').events).toEqual([
      { type: 'session', sessionId: '759cef65-34a8-4016-b794-5569c038f156', model: 'gemini-3.8-flash' },
      { type: 'session', sessionId: '759cef65-34a8-4016-b794-5569c038f156', holdsPrompt: true },
      { type: 'text-delta', text: 'I will use a tool.' },
      { type: 'text', text: 'I will use a tool.' },
      { type: 'tool-start', ...tool, input: 'echo hi', kind: 'execute' },
      { type: 'tool-end', ...tool, ok: false, result },
      { type: 'text-delta', text: 'The tool ran; ' },
      { type: 'text-delta', text: 'all done.' },
      { type: 'text', text: 'The tool ran; all done.' },
      { type: 'usage', usage: { inputTokens: 200, cachedInputTokens: 60, outputTokens: 94 } },
    ]);
  });

  test('a stream that was cut leaves a beginning that is never settled', () => {
    const played = play('cut');
    expect(played.events).toEqual([
      { type: 'session', sessionId: '597866b6-bebd-4ea2-9440-b4e561c56481', model: 'gemini-3.8-flash' },
      { type: 'session', sessionId: '597866b6-bebd-4ea2-9440-b4e561c56481', holdsPrompt: true },
      { type: 'text-delta', text: 'Hello from the fake model (scenario cut).' },
      { type: 'session', sessionId: '597866b6-bebd-4ea2-9440-b4e561c56481', holdsPrompt: false },
      { type: 'usage', usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 } },
    ]);
    expect(played.failure).toMatchObject({
      code: 'AGENT_ERROR',
      reason: 'outage',
      detail: '[API Error: terminated]',
    });
  });

  test('an interrupted turn exits with 0 and says nothing more: it is not complete', () => {
    const played = play('hang-group-sigint');
    expect(played.events).toEqual([
      { type: 'session', sessionId: '7e29034f-9bd0-4488-bf0e-aae22398aca1', model: 'gemini-3.8-flash' },
      { type: 'session', sessionId: '7e29034f-9bd0-4488-bf0e-aae22398aca1', holdsPrompt: true },
    ]);
    expect(played.outcome).toBe('NO_FINAL_EVENT');
  });
});

test('the prompt that comes back is not part of the answer', () => {
  expect(play('stdin-700k').text).toBe('Hello from the fake model.');
  const echoed = read(
    { type: 'message', role: 'user', content: 'secret' },
    { type: 'message', content: 'x' },
  );
  expect(echoed.events).toEqual([]);
});

test('a recording that was shortened has no final record, and what is left of it is a draft', () => {
  const played = play('long-1mb');
  expect(played.outcome).toBe('NO_FINAL_EVENT');
  expect(played.text.startsWith('000000 n9ng5a')).toBe(true);
});

test('says which file was written', () => {
  expect(play('write-yolo').events).toContainEqual({
    type: 'file-change',
    path: '$CWD/made-by-model.txt',
    change: 'update',
  });
  expect(play('write-plan').events.some((event) => event.type === 'file-change')).toBe(false);
});

test('both spellings of the final record are understood', () => {
  expect(read({ type: 'result', status: 'success' }).verdict).toEqual({ ok: true });
  expect(read({ type: 'result', success: true }).verdict).toEqual({ ok: true });
  expect(read({ type: 'result', success: false, error: 'quota exceeded' }).verdict).toMatchObject({
    ok: false,
    failure: { code: 'AGENT_ERROR', reason: 'rate-limited', detail: 'quota exceeded' },
  });
});

test('a message without `delta` is a whole block', () => {
  const { events } = read({ type: 'message', role: 'assistant', content: 'Hi' });
  expect(events).toEqual([{ type: 'text', text: 'Hi' }]);
});

test('an answer longer than any string is cut like every other', () => {
  const reader = geminiDialect.createReader({});
  const answer = new AnswerText();
  const megabyte = { type: 'message', role: 'assistant', content: 'x'.repeat(1024 * 1024), delta: true };
  const records = [...new Array(600).fill(megabyte), { type: 'result', status: 'success' }];
  for (const record of records) for (const event of reader.read(record)) answer.add(event);
  expect(answer.text).toMatch(
    /x\n\n\[… 562036736 bytes cut here and not saved: the answer is too long\]\n\nx/u,
  );
});

test('a refused key is a matter of the login, whatever the exit code', () => {
  expect(play('err-401').failure).toEqual({
    code: 'AUTH',
    reason: 'login-needed',
    status: 401,
    detail: 'API key not valid. Please pass a valid API key. (fake)',
  });
});

test('exit code 41 alone also means the login', () => {
  expect(geminiDialect.explainExit?.({ exitCode: 41, stderr: '' })?.code).toBe('AUTH');
  expect(geminiDialect.explainExit?.({ exitCode: 1, stderr: '' })).toBeUndefined();
});
