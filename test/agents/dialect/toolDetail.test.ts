import { describe, expect, test } from 'vitest';
import { UpdateReader } from '../../../src/agents/acp/UpdateReader.js';
import { claudeDialect } from '../../../src/agents/claude/dialect.js';
import { codexDialect } from '../../../src/agents/codex/dialect.js';
import type { Dialect } from '../../../src/agents/dialect/Dialect.js';
import { geminiDialect } from '../../../src/agents/gemini/dialect.js';
import { utf8Length } from '../../../src/utils/bytes.js';
import { playRecording } from '../playRecording.js';

const PATH = '/p/a.ts';
const LONG = 'ä'.repeat(200 * 1024);
const MOST = 256 * 1024;

/** The details that records lead to, and where the calls begin and end. */
function read({ createReader }: Dialect, ...records: unknown[]) {
  const reader = createReader({});
  return records.flatMap((record) => reader.read(record)).flatMap(outline);
}

function outline(event: { readonly type: string }): unknown[] {
  if (event.type === 'tool-detail') return [event];
  return event.type.startsWith('tool-') ? [event.type] : [];
}

const detail = (parts: object) => ({ type: 'tool-detail', toolId: 't', ...parts });

describe('Claude Code', () => {
  const use = (name: string, input: object) => ({
    type: 'assistant',
    message: { content: [{ type: 'tool_use', id: 't', name, input }] },
  });
  const result = (content: unknown, report: unknown = {}) => ({
    type: 'user',
    message: { content: [{ type: 'tool_result', tool_use_id: 't', content }] },
    tool_use_result: report,
  });
  const location = { locations: [{ path: PATH }] };

  test('shows the lines that Edit changes, and its whole result', () => {
    const input = { file_path: PATH, old_string: 'one', new_string: 'two' };
    expect(read(claudeDialect, use('Edit', input), result('Done:\n  two'))).toEqual([
      'tool-start',
      detail({ ...location, diffs: [{ path: PATH, oldText: 'one', newText: 'two' }] }),
      detail({ output: 'Done:\n  two' }),
      'tool-end',
    ]);
  });

  test('shows every change of MultiEdit', () => {
    const edits = [
      { old_string: 'a', new_string: 'b' },
      { old_string: '', new_string: 'c' },
    ];
    expect(read(claudeDialect, use('MultiEdit', { file_path: PATH, edits }))).toEqual([
      'tool-start',
      detail({
        ...location,
        diffs: [
          { path: PATH, oldText: 'a', newText: 'b' },
          { path: PATH, oldText: '', newText: 'c' },
        ],
      }),
    ]);
  });

  test('shows what Write writes, and when it is done what was there before', () => {
    const report = {
      type: 'update',
      filePath: PATH,
      content: 'new',
      originalFile: 'old',
      structuredPatch: [],
    };
    expect(
      read(claudeDialect, use('Write', { file_path: PATH, content: 'new' }), result('ok', report)),
    ).toEqual([
      'tool-start',
      detail({ ...location, diffs: [{ path: PATH, oldText: null, newText: 'new' }] }),
      detail({ diffs: [{ path: PATH, oldText: 'old', newText: 'new' }] }),
      'tool-end',
    ]);
  });

  test('shows where Read reads, and the pieces of a result as lines', () => {
    const parts = [
      { type: 'text', text: 'one' },
      { type: 'image', source: {} },
      { type: 'text', text: 'two' },
    ];
    expect(read(claudeDialect, use('Read', { file_path: PATH, offset: 40 }), result(parts))).toEqual([
      'tool-start',
      detail({ locations: [{ path: PATH, line: 40 }] }),
      detail({ output: 'one\ntwo' }),
      'tool-end',
    ]);
  });

  test('of a search knows the folder and no line', () => {
    expect(read(claudeDialect, use('Grep', { pattern: 'x', path: '/p', offset: 20 }))).toEqual([
      'tool-start',
      detail({ locations: [{ path: '/p' }] }),
    ]);
  });

  test('shows a recorded write', () => {
    const { events } = playRecording('claude', claudeDialect, 'write-acceptEdits');
    expect(events.filter(({ type }) => type === 'tool-detail')[0]).toMatchObject({
      diffs: [{ path: '$CWD/made-by-model.txt', oldText: null, newText: 'x\n' }],
    });
  });
});

describe('Codex', () => {
  const item = (parts: object) => ({ type: 'item.completed', item: { id: 't', ...parts } });

  test('shows the whole output of a command', () => {
    const command = { type: 'command_execution', command: 'ls', aggregated_output: 'a\nb\n', exit_code: 0 };
    expect(read(codexDialect, item(command))).toEqual([
      'tool-start',
      detail({ output: 'a\nb\n' }),
      'tool-end',
    ]);
  });

  test('shows the text of what a server answers', () => {
    const content = [
      { type: 'text', text: 'one' },
      { type: 'text', text: 'two' },
    ];
    const call = { type: 'mcp_tool_call', server: 's', tool: 't', status: 'completed', result: { content } };
    expect(read(codexDialect, item(call))).toEqual([
      'tool-start',
      detail({ output: 'one\ntwo' }),
      'tool-end',
    ]);
  });

  test('has no details of an output that was told in short already', () => {
    const command = { type: 'command_execution', command: 'ls', aggregated_output: 'a\n', exit_code: 0 };
    expect(read(codexDialect, item(command))).toEqual(['tool-start', 'tool-end']);
  });
});

describe('Gemini CLI', () => {
  const use = (tool_name: string, parameters: object) => ({
    type: 'tool_use',
    tool_id: 't',
    tool_name,
    parameters,
  });
  const location = { locations: [{ path: PATH }] };

  test('shows the lines that are replaced, and the whole result', () => {
    const parameters = { file_path: PATH, old_string: 'one', new_string: 'two' };
    const result = { type: 'tool_result', tool_id: 't', status: 'success', output: 'line\nline' };
    expect(read(geminiDialect, use('replace', parameters), result)).toEqual([
      'tool-start',
      detail({ ...location, diffs: [{ path: PATH, oldText: 'one', newText: 'two' }] }),
      detail({ output: 'line\nline' }),
      'tool-end',
    ]);
  });

  test('shows what is written, without what was there before', () => {
    expect(read(geminiDialect, use('write_file', { file_path: PATH, content: 'new' }))).toEqual([
      'tool-start',
      detail({ ...location, diffs: [{ path: PATH, oldText: null, newText: 'new' }] }),
    ]);
  });
});

describe('an ACP agent', () => {
  const update = (parts: object) => ({ sessionUpdate: 'tool_call_update', toolCallId: 't', ...parts });
  const diff = { type: 'diff', path: PATH, oldText: 'one', newText: 'two' };
  const change = { path: PATH, oldText: 'one', newText: 'two' };
  const text = (words: string) => ({ type: 'content', content: { type: 'text', text: words } });

  function readUpdates(...updates: unknown[]) {
    const reader = new UpdateReader();
    return updates.flatMap((each) => reader.read(each)).flatMap(outline);
  }

  test('shows title, files and changes as they come, each once', () => {
    const start = { status: 'in_progress', kind: 'edit', title: 'Edit a.ts', rawInput: { file_path: PATH } };
    const locations = [{ path: PATH, line: 3 }];
    expect(
      readUpdates(
        update(start),
        update({ ...start, locations }),
        update({ ...start, locations, content: [diff] }),
        update({ ...start, locations, content: [diff], status: 'completed' }),
      ),
    ).toEqual([
      'tool-start',
      detail({ title: 'Edit a.ts' }),
      detail({ locations }),
      detail({ diffs: [change] }),
      'tool-end',
    ]);
  });

  test('shows with its start what was announced before', () => {
    expect(
      readUpdates(
        update({ status: 'pending', title: 'Preparing' }),
        update({ title: 'Edit a.ts', rawInput: { file_path: PATH }, content: [diff] }),
      ),
    ).toEqual(['tool-start', detail({ title: 'Edit a.ts', diffs: [change] })]);
  });

  test('shows the whole result once, when it is there', () => {
    const running = { status: 'in_progress', title: 'ls', content: [text('a')] };
    expect(
      readUpdates(update(running), update({ ...running, status: 'completed', content: [text('a\nb')] })),
    ).toEqual(['tool-start', detail({ output: 'a\nb' }), 'tool-end']);
  });

  test('after the end of a call has no more of it', () => {
    const done = { status: 'completed', title: 'Edit a.ts', rawInput: {}, content: [diff] };
    expect(readUpdates(update(done), update({ ...done, title: 'Edited' })).at(-1)).toBe('tool-end');
  });

  test('shows the beginning of changes that are too long to ask about', () => {
    const long = { ...diff, oldText: LONG, newText: LONG };
    const [, told] = readUpdates(update({ status: 'in_progress', kind: 'edit', content: [long] }));
    const { diffs } = told as { diffs: { oldText: string; newText: string }[] };
    expect(diffs.map(({ oldText, newText }) => [utf8Length(oldText), utf8Length(newText)])).toEqual([
      [MOST, MOST],
    ]);
  });
});

test('every text is cut at 256 KB, between two characters', () => {
  const input = { file_path: PATH, old_string: LONG, new_string: LONG };
  const content = [{ type: 'tool_use', id: 't', name: 'Edit', input }];
  const result = [{ type: 'tool_result', tool_use_id: 't', content: LONG }];
  const events = read(
    claudeDialect,
    { type: 'assistant', message: { content } },
    { type: 'user', message: { content: result } },
  );
  const cut = LONG.slice(0, MOST / 2);
  expect(events).toEqual([
    'tool-start',
    detail({ locations: [{ path: PATH }], diffs: [{ path: PATH, oldText: cut, newText: cut }] }),
    detail({ output: cut }),
    'tool-end',
  ]);
});
