import { describe, expect, it } from 'vitest';
import { type Command, readCommand } from '../../../../src/frontends/tui/session/commands.js';

const offered: readonly Command[] = (['task', 'next', 'why', 'deny', 'quit'] as const).map((name) => ({
  name,
  group: 'talk' as const,
  run: () => undefined,
}));

function read(line: string): string {
  const result = readCommand(line, offered);
  switch (result.kind) {
    case 'command':
      return `${result.command.name}: ${JSON.stringify(result.argument)}`;
    case 'slip':
      return `slip: ${result.name}, ${result.nearest}`;
    case 'message':
      return 'message';
  }
}

describe('a line that begins with a slash', () => {
  it.each([
    ['/quit', 'quit: ""'],
    ['/QUIT ', 'quit: ""'],
    ['／quit', 'quit: ""'],
    ['／ｗｈｙ ３', 'why: "3"'],
    ['/task 设计登录，然后测试（ａ）', 'task: "设计登录，然后测试（ａ）"'],
    ['／next 小明：看看 ａ', 'next: "小明：看看 ａ"'],
    ['/next bob: see src/a.ts', 'next: "bob: see src/a.ts"'],
    ['/task one\ntwo', 'task: "one\\ntwo"'],
    ['/task\none', 'task: "one"'],
    ['/exit', 'quit: ""'],
    ['/Q', 'quit: ""'],
    ['/constructor', 'slip: constructor, undefined'],
    ['/exti', 'slip: exti, exit'],
    ['/clear', 'slip: clear, undefined'],
    ['/qit', 'slip: qit, quit'],
    ['/nxt bob: hi', 'slip: nxt, next'],
    ['/xyzzy', 'slip: xyzzy, undefined'],
    ['/', 'slip: , undefined'],
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
