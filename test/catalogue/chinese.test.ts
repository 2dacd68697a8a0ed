import { visibleWidth } from '@earendil-works/pi-tui';
import { describe, expect, it } from 'vitest';
import { chinese } from '../../src/catalogue/chinese.js';
import { english } from '../../src/catalogue/english.js';

/** Keys whose value is a name, a code or a command, and the same in every language. */
const SAME = [
  /^sessions\.heads\.id$/u,
  /^doctor\.steps\.(?:rehearse|trust|check|config)$/u,
  /^telling\.durations\.short/u,
  /^telling\.money$/u,
  /^cli\.(?:error|warning)$/u,
  /^init\.(?:install|choice)$/u,
  /^help\.\w+Examples/u,
  /^help\.presets$/u,
  /^terminal\.(?:keys|plainKeys|numberedHint)/u,
  /^reasons\.unsafe|^wishes\.labels\.continued$/u,
  /^rehearsal\.(?:demoScript|replies)\..*\.(?:name|input|next)/u,
  /^teamFile\.line$/u,
  /^webPanels\.export\.formats\.(?:md|json|jsonl)$/u,
  /^sessions\.picker\.asked$|^config\.sources\.(?:config|environment)$/u,
  /^terminal\.titles\.(?:idle|working)$/u,
  // Made by functions of the same name in either language, or of a sentence that is made before.
  /^failures\.worker-refused$|\.doing\.elsewhere$/u,
  /^teamFile\.problems\.(?:SYNTAX|FILE_UNREADABLE|OUT_OF_RANGE|INSTRUCTION_FILE_UNREADABLE|INSTRUCTION_FILE_TOO_LARGE)$/u,
];

const englishLeaves = leavesOf(english);
const chineseLeaves = leavesOf(chinese);

describe('the Chinese catalogue', () => {
  it('has the keys of the English one', () => {
    const keysOf = (leaves: ReadonlyMap<string, unknown>) => [
      ...new Set([...leaves.keys()].map((key) => key.replaceAll(/\.\d+/gu, ''))),
    ];
    expect(keysOf(chineseLeaves).sort()).toEqual(keysOf(englishLeaves).sort());
  });

  it('says nothing in English but names and codes', () => {
    const alike = [...chineseLeaves].filter(
      ([key, value]) => textOf(value) === textOf(englishLeaves.get(key)),
    );
    const strays = alike.filter(([key, value]) => value !== '' && !SAME.some((pattern) => pattern.test(key)));
    expect(strays.map(([key]) => key)).toEqual([]);
  });

  it('sets full-width punctuation beside Chinese, and room beside Latin letters', () => {
    const texts = [...chineseLeaves].flatMap(([key, value]) =>
      typeof value === 'string' ? [[key, value]] : [],
    );
    const half = texts.filter(([, text = '']) =>
      /\p{Script=Han}[,:;?!]|\p{Script=Han}\.(?:\s|$)/u.test(text),
    );
    const narrow = texts.filter(([, text = '']) =>
      /\p{Script=Han}[A-Za-z0-9]|[A-Za-z0-9]\p{Script=Han}/u.test(text),
    );
    const loose = texts.filter(([, text = '']) => /[，。：；？（）、] | [，。：；？（）、]/u.test(text));
    expect({ half, narrow, loose }).toEqual({ half: [], narrow: [], loose: [] });
  });

  it('asks politely of nobody, and has one word for one thing', () => {
    const avoided = /请(?!求)|您|文件夹|被删除|取消撤销|。恢复：/u;
    const spoken = [...chineseLeaves].filter(([key]) => !key.startsWith('rehearsal.'));
    expect(spoken.filter(([, value]) => avoided.test(String(value))).map(([key]) => key)).toEqual([]);
  });

  it('names turns of other processes in Chinese', () => {
    const turn = 'turn-1 of session 20261116-0058-5733';
    const named = '会话 20261116-0058-5733 的 turn-1';
    const { fileRecords, nested, notices, errors } = chinese;
    const sentences = [
      fileRecords.overlaps([turn]),
      nested.onlyPeople(turn),
      errors.FILES_BUSY({ turns: [turn] }),
      notices['folder-shared']({ type: 'notice', code: 'folder-shared', turn, pid: 1 }),
    ];
    for (const sentence of sentences) expect(sentence).toContain(named);
  });

  it.each([
    [
      'help of commands and options',
      /^help\.(?!afterProgram|program|usage|\w+Examples|titles)|^terminal\.commands/u,
      48,
    ],
    ['heads of tables', /\.heads\./u, 8],
    ['states', /^sessions\.states|^sessions\.atLimit/u, 8],
    ['parts of the status line', /^terminal\.status/u, 16],
    // What explains itself at length may take two lines.
    ['lines under the editor', /^terminal\.(?!compact)\w+$/u, 76],
  ])('keeps %s short enough', (_what, keys, columns) => {
    const long = [...chineseLeaves].filter(
      ([key, value]) => keys.test(key) && typeof value === 'string' && visibleWidth(value) > columns,
    );
    expect(long).toEqual([]);
  });
});

/** What a sentence says of nothing, or how it is made where that needs facts. */
function textOf(value: unknown): string {
  if (typeof value !== 'function') return String(value);
  try {
    return JSON.stringify(value({}, {}, {}));
  } catch {
    return String(value);
  }
}

/** Every sentence, and every function that makes one, by its path. */
function leavesOf(part: unknown, path = ''): ReadonlyMap<string, unknown> {
  if (typeof part !== 'object' || part === null) return new Map([[path, part]]);
  return new Map(
    Object.entries(part).flatMap(([key, value]) => [
      ...leavesOf(value, path === '' ? key : `${path}.${key}`),
    ]),
  );
}
