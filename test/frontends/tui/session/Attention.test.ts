import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import type { Phase } from '../../../../src/conversation/questions.js';
import { Attention } from '../../../../src/frontends/tui/session/Attention.js';
import { TerminalSignals } from '../../../../src/frontends/tui/session/PiTerminalView.js';
import { activity, emptyScreen, follow, teamOf, turnStart } from '../events.js';

const ask = activity({ type: 'permission-request', requestId: 'r', name: 'Bash', input: '', isOpen: true });

/** Attention for a terminal of this kind, and everything that is written to it. */
function attend(place = 'wiki', env: Record<string, string> = { TERM: 'xterm' }) {
  const written: string[] = [];
  const signals = new TerminalSignals({ env, write: (text) => written.push(text) });
  return { attention: new Attention(signals, place, english), signals, written };
}

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('the end of what a person asked for', () => {
  const screen = emptyScreen(teamOf());
  const waiting: Phase = { kind: 'waiting', memberIds: [], named: false };

  it.each<[string, number, Phase, string | undefined]>([
    ['after 10 s', 10_000, waiting, 'your turn (wiki)'],
    ['sooner', 9_999, waiting, undefined],
    [
      'at a limit',
      0,
      { kind: 'paused', reason: { kind: 'limit', limit: 'usd', count: 1, max: 1 } },
      'paused at a limit (wiki)',
    ],
    ['by a person', 60_000, { kind: 'paused', reason: { kind: 'cancelled' } }, undefined],
    [
      'after a pause was asked for',
      60_000,
      { kind: 'paused', reason: { kind: 'asked' } },
      'your turn (wiki)',
    ],
  ])('%s', (_name, milliseconds, phase, call) => {
    const { attention, written } = attend();
    attention.begin(screen);
    vi.advanceTimersByTime(milliseconds);
    written.length = 0;
    attention.end(phase, screen);
    const calls = call === undefined ? [] : [`\x07\x1b]9;Huddle: ${call}\x07`];
    expect(written).toEqual(['\x1b]0;wiki — huddle\x07', ...calls]);
  });

  it('counts from the last thing a person asked for', () => {
    const { attention, written } = attend();
    attention.begin(screen);
    vi.advanceTimersByTime(60_000);
    attention.begin(screen);
    attention.end(waiting, screen);
    expect(written.join('')).not.toContain('your turn');
  });
});

describe('names and folders', () => {
  it('reach the terminal as text, and short', () => {
    const team = teamOf();
    const named = {
      ...team,
      members: team.members.map((member) => ({
        ...member,
        name: `${member.name}\x07\x1b]0;evil\x9c;${'x'.repeat(99)}`,
      })),
    };
    const { attention, written } = attend('wi\x1bki\x07', { TERM: 'foot' });
    attention.begin(follow([turnStart(), ask], emptyScreen(named)).screen);
    const [shown = '', call = ''] = written;
    expect(shown.replace('\x1b[22;0t', '')).toMatch(/^\x1b\]0;\? max␇␛\]0;evil<U\+009C>;x+…\x07$/u);
    expect(call).toMatch(/^\x07\x1b\]777;notify;Huddle;Huddle: max␇␛\]0,evil<U\+009C>,x+…\x07$/u);
    expect(shown.length).toBeLessThan(90);
  });
});

describe('the title', () => {
  it('is written when it changes, pushed once, and shown again after the terminal was given back', () => {
    const { attention, signals, written } = attend();
    const { screen } = follow([turnStart()], emptyScreen(teamOf()));
    attention.begin(screen);
    attention.follow(screen);
    expect(written).toEqual(['\x1b[22;0t\x1b]0;✳ max · wiki — huddle\x07']);
    signals.stop();
    signals.stop();
    expect(written.slice(1)).toEqual(['\x1b]0;\x07\x1b[23;0t']);
    signals.resume();
    expect(written.slice(2)).toEqual(['\x1b[22;0t\x1b]0;✳ max · wiki — huddle\x07']);
  });
});
