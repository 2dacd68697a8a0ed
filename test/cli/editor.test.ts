import { describe, expect, test } from 'vitest';
import { openSession, type Read, sentIn, typeIn } from './editorSession.js';
import { hasTerminal } from './pty.js';

const LEFT = '\x1b[D';
const END = '\x05';
const TAB = '\t';
const ENTER = '\r';
const KILL_LINE = '\x15';
const KILL_WORD = '\x17';

describe.skipIf(!hasTerminal)('what is typed faster than the menu follows', () => {
  test.each<readonly [name: string, sent: string, reads: readonly Read[]]>([
    [
      '/t|ask Do it now⏎',
      'kim → ?: [NEXT: kim] [TEAM_TASK] Do it now',
      [
        ['/t', 'set the team task'],
        [`ask Do it now${ENTER}`, 'Team task: Do it now'],
      ],
    ],
    [
      '/n|ext bob: hi⏎',
      'kim → bob: [NEXT: bob] hi',
      [
        ['/n', 'show who is next'],
        [`ext bob: hi${ENTER}`, 'was asked.'],
      ],
    ],
    [
      '@|bob hello⏎',
      'kim → bob: @bob hello',
      [
        ['@', '→ '],
        [`bob hello${ENTER}`, 'was asked.'],
      ],
    ],
    [
      '@b| hi⏎',
      'kim → ?: @b hi',
      [
        ['@b', '→ bob'],
        [` hi${ENTER}`, 'was asked.'],
      ],
    ],
    [
      '@m|ax hi⏎',
      'kim → max: @max hi',
      [
        ['@m', '→ max'],
        [`ax hi${ENTER}`, 'was asked.'],
      ],
    ],
  ])('%s is sent as it was typed', async (_name, sent, reads) => {
    const session = await openSession();
    await typeIn(session, reads);
    expect(await sentIn(session)).toEqual([sent]);
  });

  test.each<readonly [name: string, reads: readonly Read[]]>([
    [
      '/|help⏎',
      [
        ['/', 'set the team task'],
        [`help${ENTER}`, 'Keys and commands'],
      ],
    ],
    [
      '/h|elp⏎',
      [
        ['/h', 'keys and commands'],
        [`elp${ENTER}`, 'Keys and commands'],
      ],
    ],
    [
      '/wh|y 1⏎',
      [
        ['/wh', 'explain the last prompt'],
        [`y 1${ENTER}`, 'No turn "turn-1"'],
      ],
    ],
    [
      '/me|mbers⏎',
      [
        ['/me', 'who is in this team'],
        [`mbers${ENTER}`, 'Command · runs as you (no sandbox)'],
      ],
    ],
  ])('%s does what the command does', async (_name, reads) => {
    const session = await openSession();
    await typeIn(session, reads);
    expect(session.terminal.shown()).not.toMatch(/no command|nknown command/u);
    await typeIn(session, [[`${KILL_LINE}Go.${ENTER}`, 'was asked.']]);
    expect(await sentIn(session)).toEqual(['kim → ?: Go.']);
  });

  test('/as |lee⏎ changes who speaks', async () => {
    const session = await openSession(['lee']);
    await typeIn(session, [
      ['/as ', '→ '],
      [`lee${ENTER}`, 'You now speak as lee.'],
      [`Go.${ENTER}`, 'was asked.'],
    ]);
    expect(await sentIn(session)).toEqual(['lee → ?: Go.']);
  });
});

describe.skipIf(!hasTerminal)('the menu of the editor', () => {
  test.each<readonly [name: string, typed: string, menu: string, edit: string]>([
    ['/q, Ctrl-U, Enter', '/q', 'exit (the session is saved)', KILL_LINE],
    ['/, Ctrl-U, Enter', '/', 'set the team task', KILL_LINE],
    ['/q, Ctrl-W, Ctrl-W, Enter', '/q', 'exit (the session is saved)', KILL_WORD + KILL_WORD],
    ['@bo, Ctrl-W, Ctrl-W, Enter', '@bo', '→ bob', KILL_WORD + KILL_WORD],
  ])('closes when what it was made for is deleted: %s does nothing', async (_name, typed, menu, edit) => {
    const session = await openSession();
    await typeIn(session, [[typed, menu]]);
    // An Enter that comes with the text before it, or with what is typed next, would be taken for a part of a paste.
    await typeIn(session, [[edit, 'or ? for keys']]);
    session.terminal.type(`${ENTER}${LEFT}`);
    await typeIn(session, [[`Go.${ENTER}`, 'was asked.']]);
    expect(session.terminal.shown()).not.toContain('No team task');
    expect(await sentIn(session)).toEqual(['kim → ?: Go.']);
  });

  test('closes when the cursor moves: @bo, Left, Left, Tab changes nothing', async () => {
    const session = await openSession();
    await typeIn(session, [['@bo', '→ bob']]);
    session.terminal.type(LEFT);
    session.terminal.type(LEFT);
    session.terminal.type(TAB);
    await typeIn(session, [[`${END}b hi${ENTER}`, 'was asked.']]);
    expect(await sentIn(session)).toEqual(['kim → bob: @bob hi']);
  });

  test('lists agents after @, never the one who types, and writes @name', async () => {
    const session = await openSession();
    await typeIn(session, [['@', '→ bob']]);
    expect(session.terminal.shown()).not.toMatch(/→ kim|^ *kim +person/mu);
    session.terminal.type(TAB);
    await typeIn(session, [[`hi${ENTER}`, 'was asked.']]);
    expect(await sentIn(session)).toEqual(['kim → bob: @bob hi']);
  });

  test('does not take the Enter of a message that ends with a whole name', async () => {
    const session = await openSession();
    for (const key of 'Look, @bob') session.terminal.type(key);
    await typeIn(session, [['', '@bob']]);
    await typeIn(session, [[ENTER, 'was asked.']]);
    expect(await sentIn(session)).toEqual(['kim → bob: Look, @bob']);
  });
});

describe.skipIf(!hasTerminal)('a message that begins with a slash', () => {
  const comment = '// TODO fix this\nfunction greet() {}';
  test.each<readonly [name: string, typed: string, sent: string]>([
    ['a path', `/etc/hosts looks wrong, why?${ENTER}`, '/etc/hosts looks wrong, why?'],
    ['a path alone', `/etc/hosts${ENTER}`, '/etc/hosts'],
    ['a pasted comment', `\x1b[200~${comment}\x1b[201~${ENTER}`, comment],
    ['a block comment', `/* what is this? */${ENTER}`, '/* what is this? */'],
    ['a regular expression', `/^a+b$/u matches what?${ENTER}`, '/^a+b$/u matches what?'],
    ['a word nobody knows, and more', `/tmpfs fills up, why?${ENTER}`, '/tmpfs fills up, why?'],
  ])('is sent: %s', async (_name, typed, sent) => {
    const session = await openSession();
    await typeIn(session, [[typed, 'was asked.']]);
    expect(session.terminal.shown()).not.toMatch(/no command|nknown command/u);
    expect(await sentIn(session)).toEqual([`kim → ?: ${sent}`]);
  });

  test.each([
    ['/qit', 'Unknown command /qit. Did you mean /quit?'],
    ['/nxt bob: hi', 'Unknown command /nxt. Did you mean /next?'],
    ['/xyzzy', 'Unknown command /xyzzy. /help lists them.'],
  ])('%s stays in the editor with the reason, and goes out when it is sent again', async (typed, reason) => {
    const session = await openSession();
    await typeIn(session, [
      [typed + ENTER, reason],
      [ENTER, 'was asked.'],
    ]);
    expect(await sentIn(session)).toEqual([`kim → ?: ${typed}`]);
  });
});
