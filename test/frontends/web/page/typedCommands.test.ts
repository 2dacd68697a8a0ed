import { expect, test } from 'vitest';
import { readPageCommand } from '../../../../src/frontends/web/page/typedText.js';

const MEMBERS = ['kim', 'sarah'];

test.each([
  ['/retry', { do: 'retry' }],
  [' /continue ', { do: 'resume' }],
  ['／Ｐａｕｓｅ', { do: 'pause' }],
  ['/stop', { do: 'cancel' }],
  ['/why', { panel: 'why' }],
  ['/why 3', { panel: 'why', turn: 'turn-3' }],
  ['/diff turn-12', { panel: 'changes', turn: 'turn-12' }],
  ['/undo', { panel: 'changes' }],
])('%j is what the terminal does by that name', (text, command) => {
  expect(readPageCommand(text, MEMBERS)).toEqual(command);
});

test.each(['retry', '/usr/bin is missing', 'Use /retry', '@sarah hello', '@nobody is to blame', 'No!'])(
  '%j is said as it is',
  (text) => {
    expect(readPageCommand(text, MEMBERS)).toBeUndefined();
  },
);

test.each([
  ['/halp', 'Unknown command /halp. Did you mean /help?'],
  ['/constructor', 'Unknown command /constructor. /help lists them.'],
  ['/', 'Unknown command /. /help lists them.'],
  ['@sara hello', 'No member named "sara". Did you mean @sarah?'],
  ['!npm test', "Huddle doesn't run shell commands."],
  ['/new', '"/new" can\'t be typed on this page. Use its buttons, or the terminal (huddle); /help lists'],
  ['/task Do it', '"/task Do it" can\'t be typed on this page.'],
  ['/fork 3', '"/fork 3" can\'t be typed on this page.'],
  ['/retry 3', '"/retry 3" can\'t be typed on this page.'],
  ['/why not?', '"/why not?" can\'t be typed on this page.'],
])('%j is likely not meant as a message, and only sent when it is sent again', (text, reason) => {
  const command = readPageCommand(text, MEMBERS);
  expect(command).toEqual({
    isSlip: true,
    hint: expect.stringMatching(/ To send it as it is, send it again\.$/u),
  });
  expect(command).toHaveProperty('hint', expect.stringContaining(reason));
});

test('/help lists what can be typed on the page', () => {
  expect(readPageCommand('/help', MEMBERS)).toEqual({
    hint: expect.stringContaining(
      '/retry, /continue, /pause, /cancel, /why, /diff, /undo, /apply, /cost, /members',
    ),
  });
});
