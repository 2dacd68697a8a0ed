import { describe, expect, test } from 'vitest';
import {
  decodeCommand,
  decodeRefusal,
  encodeCommand,
  encodeRefusal,
  type HolderCommand,
} from '../../src/machines/commands.js';
import { HuddleError } from '../../src/models/errors.js';

describe('commands', () => {
  test.each<HolderCommand>([
    { kind: 'say', content: 'Hello \u0000 \ud800 你好' },
    { kind: 'say', content: 'Hi.', via: { kind: 'mcp', name: 'codex' } },
    { kind: 'say', content: 'Hi.', via: { kind: 'acp', name: 'zed' } },
    { kind: 'cancel', drop: true },
    { kind: 'skip-look' },
    { kind: 'pause' },
    { kind: 'resume' },
    { kind: 'retry' },
    { kind: 'rename', title: '' },
    { kind: 'decide', requestId: 'r', verdict: 'deny' },
  ])('come back as they were: $kind', (command) => {
    const written = encodeCommand(command);
    expect(decodeCommand(written)).toEqual(command);
    // A text of Postgres holds no NUL.
    expect(written.body).not.toContain('\u0000');
  });

  test('of an unknown source are those of a program, with a safe name', () => {
    const body = '{"content":"Hi.","via":{"kind":"person","name":"k im"}}';
    expect(decodeCommand({ kind: 'say', body })).toEqual({
      kind: 'say',
      content: 'Hi.',
      via: { kind: 'mcp', name: 'k-im' },
    });
  });

  test('have at most 4 MB', () => {
    const fits = 'x'.repeat(4 * 1024 ** 2 - '{"content":""}'.length);
    expect(encodeCommand({ kind: 'say', content: fits }).body).toHaveLength(4 * 1024 ** 2);
    expect(() => encodeCommand({ kind: 'say', content: `${fits}x` })).toThrow(
      expect.objectContaining({ code: 'WISH_TOO_LARGE' }),
    );
  });

  test.each([
    ['say', '{}'],
    ['say', '{"content":1}'],
    ['say', 'null'],
    ['say', '{'],
    ['rename', '{"title":null}'],
    ['decide', '{"requestId":"r","verdict":"always"}'],
    ['delete', '{}'],
    ['__proto__', '{}'],
  ])('are not understood: %s %s', (kind, body) => expect(decodeCommand({ kind, body })).toBeNull());

  test('are refused with the error of the holder', () => {
    const error = new HuddleError('TITLE_TOO_LONG', { bytes: 200, maxBytes: 120 });
    expect(decodeRefusal(encodeRefusal(error))).toMatchObject({
      code: 'TITLE_TOO_LONG',
      message: error.message,
      facts: error.facts,
    });
    const notTaken = { code: 'WISH_NOT_TAKEN' };
    expect(decodeRefusal(encodeRefusal(new TypeError('a bug')))).toMatchObject(notTaken);
    for (const odd of [
      '',
      '{',
      'null',
      '{"code":"NO_SUCH"}',
      '{"code":"UNKNOWN_SPEAKER","facts":{}}',
      '{"code":1}',
    ])
      expect(decodeRefusal(odd)).toMatchObject(notTaken);
  });
});
