import { describe, expect, test } from 'vitest';
import type { WindowRequest } from '../../src/context/contextWindow.js';
import { MessageList } from '../../src/context/MessageList.js';
import { planMessages, viewConversation } from '../../src/context/memberView.js';
import type { ConversationMessage } from '../../src/models/ConversationMessage.js';
import type { MessageId } from '../../src/models/ids.js';

/** Counts how often a message is looked at. */
class WatchedMessages extends MessageList {
  looks = 0;

  override at(index: number): ConversationMessage | undefined {
    this.looks++;
    return super.at(index);
  }
}

const WINDOW = 20;

describe('the plan of a prompt looks at as many messages in a long conversation as in a short one', () => {
  test.each<[string, Partial<WindowRequest>]>([
    ['with a window', {}],
    ['in a blind round', { ignoresLater: true }],
    ['with a trigger long ago', { trigger: 3 }],
    ['of a member that sees what is addressed to it', { visibility: 'addressed' }],
    ['of a session', { size: Number.POSITIVE_INFINITY, lastSeen: -2 }],
    ['of a session in a blind round', { size: Number.POSITIVE_INFINITY, lastSeen: -2, ignoresLater: true }],
    ['of a session with a window', { lastSeen: -2 }],
  ])('%s', (_, request) => {
    const [short, long] = [200, 2000].map((length) => looksFor(length, request));
    expect(long).toBe(short);
  });
});

test('what lies before the window is one entry, whomever it was addressed to', () => {
  const { runs } = plan(200, { visibility: 'addressed' });
  expect(
    runs.slice(0, 2).map(({ first, last, count, inclusion }) => [first, last, count, inclusion]),
  ).toEqual([
    ['msg-1', 'msg-160', 160, 'window'],
    ['msg-161', 'msg-161', 1, 'kept'],
  ]);
});

function looksFor(length: number, request: Partial<WindowRequest>): number {
  return plan(length, request).looks;
}

/** A negative `lastSeen` counts from the end. */
function plan(length: number, { lastSeen, ...request }: Partial<WindowRequest>) {
  const messages = new WatchedMessages();
  for (let number = 1; number <= length; number++) messages.append(createMessage(number));
  const seen = lastSeen === undefined ? {} : { lastSeen: length + lastSeen };
  const current = length - 1;
  messages.looks = 0;
  const view = viewConversation(messages, {
    agentId: 'max',
    size: WINDOW,
    visibility: 'all',
    current,
    ...request,
    ...seen,
  });
  return { runs: planMessages(messages, view, 0), looks: messages.looks };
}

/** Every second one is addressed to max. */
function createMessage(number: number): ConversationMessage {
  return {
    id: `msg-${number}` as MessageId,
    content: `Word ${number}.`,
    speaker: { roleId: 'kim', roleName: 'kim', type: 'human' },
    timestamp: number,
    routing: { resolvedAddressees: [number % 2 === 0 ? 'sarah' : 'max'] },
  };
}
