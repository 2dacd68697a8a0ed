import { expect, test } from 'vitest';
import { readPageCommand } from '../../../../src/frontends/web/page/typedCommands.js';

test.each([
  ['/retry', { do: 'retry' }],
  [' /continue ', { do: 'resume' }],
  ['／Ｐａｕｓｅ', { do: 'pause' }],
  ['/why', { panel: 'why' }],
  ['/why 3', { panel: 'why', turn: 'turn-3' }],
  ['/diff turn-12', { panel: 'changes', turn: 'turn-12' }],
])('%j is what the terminal does by that name', (text, command) => {
  expect(readPageCommand(text)).toEqual(command);
});

test.each(['retry', '/retry 3', '/usr/bin is missing', '/why not?', '/constructor', 'Use /retry', '/'])(
  '%j is said as it is',
  (text) => {
    expect(readPageCommand(text)).toBeUndefined();
  },
);
