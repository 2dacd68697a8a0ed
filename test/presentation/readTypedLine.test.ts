import { describe, expect, it } from 'vitest';
import { english } from '../../src/catalogue/english.js';
import { readTypedLine } from '../../src/presentation/readTypedLine.js';

function read(line: string): string {
  const typed = readTypedLine(line, ['sarah', '小明'], ['task', 'next', 'why', 'deny', 'quit'], english);
  switch (typed.kind) {
    case 'command':
      return `${typed.name}: ${JSON.stringify(typed.argument)}`;
    case 'slip':
      return typed.reason;
    case 'message':
      return 'message';
  }
}

describe('a line that begins with a slash', () => {
  it.each([
    ['/quit', 'quit: ""'],
    [' /QUIT ', 'quit: ""'],
    ['／quit', 'quit: ""'],
    ['／ｗｈｙ ３', 'why: "3"'],
    ['/task 设计登录，然后测试（ａ）', 'task: "设计登录，然后测试（ａ）"'],
    ['／next 小明：看看 ａ', 'next: "小明：看看 ａ"'],
    ['/next bob: see src/a.ts', 'next: "bob: see src/a.ts"'],
    ['/task one\ntwo', 'task: "one\\ntwo"'],
    ['/task\none', 'task: "one"'],
    ['/exit', 'quit: ""'],
    ['/Q', 'quit: ""'],
    ['/constructor', 'Unknown command /constructor. /help lists them.'],
    ['/exti', 'Unknown command /exti. Did you mean /exit?'],
    ['/clear', 'Unknown command /clear. /help lists them.'],
    ['/qit', 'Unknown command /qit. Did you mean /quit?'],
    ['/nxt bob: hi', 'Unknown command /nxt. Did you mean /next?'],
    ['/xyzzy', 'Unknown command /xyzzy. /help lists them.'],
    ['/', 'Unknown command /. /help lists them.'],
    ['/etc/hosts', 'message'],
    ['/etc/hosts looks wrong, why?', 'message'],
    ['/next/bob', 'message'],
    ['// TODO fix this\nfunction greet() {}', 'message'],
    ['/* next */', 'message'],
    ['/**\n * @param name\n */', 'message'],
    ['/tmpfs fills up, why?', 'message'],
    ['/xyzzy\nand more', 'message'],
    ['/ hello', 'message'],
  ])('%j is %s', (line, meaning) => {
    expect(read(line)).toBe(meaning);
  });
});

describe('a name that a message is addressed to', () => {
  it.each([
    ['@sara hello', 'No member named "sara". Did you mean @sarah?'],
    ['＠sara：你好', 'No member named "sara". Did you mean @sarah?'],
    ['Is it done? @sara', 'No member named "sara". Did you mean @sarah?'],
    ['@al hello', 'No member named "al". Did you mean @all?'],
    ['@SARAH hello', 'message'],
    ['@小明 你好', 'message'],
    ['@ALL hello', 'message'],
    ['@nobody is to blame', 'message'],
    ['@types/node is missing', 'message'],
    ['ask @sara about it', 'message'],
  ])('%j is %s', (line, meaning) => {
    expect(read(line)).toBe(meaning);
  });
});

describe('a line for a shell', () => {
  it.each(['!npm test', '！ls', '!./run.sh'])('%j is a slip', (line) => {
    expect(read(line)).toMatch(/^Huddle doesn't run shell commands\./u);
  });

  it.each(['!', '! important', '!!', 'No!'])('%j is a message', (line) => {
    expect(read(line)).toBe('message');
  });
});
