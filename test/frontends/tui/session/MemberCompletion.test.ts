import { describe, expect, it } from 'vitest';
import { MemberCompletion } from '../../../../src/frontends/tui/session/MemberCompletion.js';

const completion = new MemberCompletion({
  listMembers: () => [
    { name: 'max', description: 'Architect' },
    { name: 'mary-ann', description: 'agent' },
    { name: '小明', description: 'person' },
  ],
  commands: [
    { name: 'next', description: 'hand over', listArguments: () => ['max', '小明'] },
    { name: 'pause', description: 'wait' },
  ],
});

async function offered(line: string): Promise<string[]> {
  const suggestions = await completion.getSuggestions([line], 0, line.length);
  return suggestions?.items.map(({ value }) => value) ?? [];
}

async function complete(line: string, rest = ''): Promise<string> {
  const suggestions = await completion.getSuggestions([line + rest], 0, line.length);
  const [item] = suggestions?.items ?? [];
  if (suggestions === null || item === undefined) return line + rest;
  const { lines, cursorCol } = completion.applyCompletion(
    [line + rest],
    0,
    line.length,
    item,
    suggestions.prefix,
  );
  return `${lines[0]?.slice(0, cursorCol)}|${lines[0]?.slice(cursorCol)}`;
}

describe('MemberCompletion', () => {
  it('offers members after @ at the start of a word, however their names are typed', async () => {
    expect(await offered('@')).toEqual(['@max', '@mary-ann', '@小明']);
    expect(await offered('ask @MA')).toEqual(['@max', '@mary-ann']);
    expect(await offered('@maryA')).toEqual(['@mary-ann']);
    expect(await offered('请@小')).toEqual(['@小明']);
    expect(await offered('me@max')).toEqual([]);
  });

  it('writes the name, with one space behind it', async () => {
    expect(await complete('@ma', ' please')).toBe('@max |please');
    expect(await complete('@max @小')).toBe('@max @小明 |');
  });

  it('offers nothing for a name that is whole, nor in the middle of a word', async () => {
    expect(await offered('@max')).toEqual([]);
    expect(await complete('@m', 'ax')).toBe('@max');
    expect(await complete('/pa', 'use')).toBe('/pause');
  });

  it('leaves a text alone that it was not made for', async () => {
    const item = { value: '/pause', label: '/pause' };
    expect(completion.applyCompletion(['/pause it'], 0, 9, item, '/p')).toEqual({
      lines: ['/pause it'],
      cursorLine: 0,
      cursorCol: 9,
    });
  });

  it('knows the text it was asked for last', async () => {
    await completion.getSuggestions(['/p'], 0, 2);
    expect(completion.isFor({ lines: ['/p'], line: 0, col: 2 })).toBe(true);
    expect(completion.isFor({ lines: ['/p'], line: 0, col: 1 })).toBe(false);
    expect(completion.isFor({ lines: ['/pa'], line: 0, col: 2 })).toBe(false);
  });

  it('offers commands at the start, and names after those that take them', async () => {
    expect(await offered('/')).toEqual(['/next', '/pause']);
    expect(await complete('/pa')).toBe('/pause |');
    expect(await offered('/next ')).toEqual(['max', '小明']);
    expect(await complete('/next m')).toBe('/next max |');
    expect(await offered('/next MAX')).toEqual([]);
    expect(await offered('/pause x')).toEqual([]);
    expect(await offered('see /ne')).toEqual([]);
  });
});

describe('MemberCompletion of files', () => {
  const files = [
    'max',
    'README.md',
    'src/main.ts',
    'src/main.tsx',
    'src/deep/remain.ts',
    'my notes/a b.md',
    'max.ts',
  ];
  const withFiles = new MemberCompletion({
    listMembers: () => [{ name: 'max', description: 'Architect' }],
    listFiles: async () => files,
    commands: [],
  });

  async function offeredFiles(line: string): Promise<string[]> {
    // A list is made when the first name is typed, and members do not wait for it.
    await withFiles.getSuggestions(['@zz'], 0, 3);
    const suggestions = await withFiles.getSuggestions([line], 0, line.length);
    return suggestions?.items.map(({ value }) => value) ?? [];
  }

  it('offers members first, then what is at the top', async () => {
    expect(await offeredFiles('@')).toEqual([
      '@max',
      '@./max',
      '@README.md',
      '@src/',
      '@"my notes/',
      '@./max.ts',
    ]);
  });

  it('finds beginnings of paths, then of names, then any part; a whole path needs no menu', async () => {
    expect(await offeredFiles('@src/')).toEqual([
      '@src/main.ts',
      '@src/main.tsx',
      '@src/deep/',
      '@src/deep/remain.ts',
    ]);
    expect(await offeredFiles('see @MAIN')).toEqual(['@src/main.ts', '@src/main.tsx', '@src/deep/remain.ts']);
    expect(await offeredFiles('@./src/main.ts')).toEqual([]);
    expect(await offeredFiles('@nothing')).toEqual([]);
  });

  it('quotes paths with spaces, and completes inside the quotes', async () => {
    expect(await offeredFiles('@a')).toContain('@"my notes/a b.md"');
    expect(await offeredFiles('@"my notes/a b')).toEqual(['@"my notes/a b.md"']);
  });
});
