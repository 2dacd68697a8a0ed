import { describe, expect, test } from 'vitest';
import { KeptKeys } from '../../../src/frontends/tui/KeptKeys.js';
import type { TerminalHandlers } from '../../../src/frontends/tui/TerminalView.js';

function record(): { readonly done: string[]; readonly handlers: TerminalHandlers } {
  const done: string[] = [];
  const note = (name: string) => () => {
    done.push(name);
  };
  const handlers: TerminalHandlers = {
    onFirstKey: note('first key'),
    onSubmit: (text) => done.push(`submit ${text}`),
    onStop: note('stop'),
    onInterrupt: note('interrupt'),
    onLeave: note('leave'),
    onDisconnect: note('disconnect'),
    onSign: note('sign'),
  };
  return { done, handlers };
}

describe('keys that come before the session', () => {
  test('are replayed to it in their order, once', () => {
    const keys = new KeptKeys(() => undefined);
    keys.onSign();
    keys.onSubmit('Go.');
    keys.onSubmit('/pause');
    keys.onLeave();
    keys.onDisconnect();
    const { done, handlers } = record();
    keys.replay(handlers);
    keys.replay(handlers);
    expect(done).toEqual(['sign', 'submit Go.', 'submit /pause', 'leave', 'disconnect']);
  });

  test('do not go on with a conversation nobody has seen, nor stop what does not run', () => {
    const keys = new KeptKeys(() => undefined);
    keys.onSubmit('');
    keys.onStop();
    const { done, handlers } = record();
    keys.replay(handlers);
    expect(done).toEqual([]);
  });

  test('interrupt at once', () => {
    let count = 0;
    const keys = new KeptKeys(() => {
      count += 1;
    });
    keys.onInterrupt();
    expect(count).toBe(1);
  });
});
