import {
  agent,
  client,
  methods,
  ndJsonStream,
  type RequestPermissionRequest,
  type RequestPermissionResponse,
  type SessionUpdate,
} from '@agentclientprotocol/sdk/unstable';
import { onTestFinished } from 'vitest';
import type { ViewTarget } from '../../../../src/frontends/acp/view/ConversationView.js';

type Question = Omit<RequestPermissionRequest, 'sessionId'>;

/** A client of the SDK at the other end of two pipes, and everything that arrived there. */
export interface Wire {
  readonly target: ViewTarget;
  /** Updates and questions in the order in which they came. */
  readonly arrived: (SessionUpdate | { readonly asked: Question })[];
  updates(): SessionUpdate[];
  /** Resolves when the client has handled all that was sent. */
  flushed(): Promise<void>;
  hangUp(): void;
}

export interface WireOptions {
  readonly hasNotices?: boolean;
  readonly answer?: (question: Question, signal: AbortSignal) => Promise<RequestPermissionResponse>;
}

/** Connects both sides of the SDK. A client that gets what its schema does not know prints an error, and nothing arrives. */
export function connectWire({ hasNotices = false, answer }: WireOptions = {}): Wire {
  const arrived: Wire['arrived'] = [];
  const up = new TransformStream<Uint8Array, Uint8Array>();
  const down = new TransformStream<Uint8Array, Uint8Array>();
  const ours = agent()
    .onRequest(methods.agent.initialize, () => ({ protocolVersion: 1 }))
    .connect(ndJsonStream(down.writable, up.readable));
  const theirs = client()
    .onNotification(methods.client.session.update, ({ params }) => {
      arrived.push(params.update);
    })
    .onRequest(methods.client.session.requestPermission, ({ params, signal }) => {
      const { sessionId, ...question } = params;
      arrived.push({ asked: question });
      return answer?.(question, signal) ?? Promise.reject(new Error('nobody is here'));
    })
    .connect(ndJsonStream(up.writable, down.readable));
  const hangUp = (): void => {
    theirs.close();
    ours.close();
  };
  onTestFinished(hangUp);
  const sessionId = 'session';
  return {
    arrived,
    updates: () => arrived.filter((entry): entry is SessionUpdate => 'sessionUpdate' in entry),
    flushed: async () => {
      await theirs.agent.request(methods.agent.initialize, { protocolVersion: 1 });
    },
    hangUp,
    target: {
      hasNotices,
      update: (update) => ours.client.notify(methods.client.session.update, { sessionId, update }),
      askPermission: (question, signal) =>
        ours.client.request(
          methods.client.session.requestPermission,
          { sessionId, ...question },
          { cancellationSignal: signal },
        ),
    },
  };
}

/** The words of members and of Huddle, as a client shows them that knows no message ids. */
export function readThread(updates: readonly SessionUpdate[]): string {
  return updates
    .flatMap((update) =>
      update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text'
        ? [update.content.text]
        : [],
    )
    .join('');
}

/** Each update in short: what it is, and what it says. */
export function outline(updates: readonly SessionUpdate[]): string[] {
  return updates.map((update) => {
    switch (update.sessionUpdate) {
      case 'user_message_chunk':
      case 'agent_message_chunk':
      case 'agent_thought_chunk': {
        const text = update.content.type === 'text' ? update.content.text : '';
        return `${update.sessionUpdate.split('_')[1] === 'thought' ? 'thought' : update.sessionUpdate.split('_')[0]} ${update.messageId}: ${text}`;
      }
      case 'tool_call':
      case 'tool_call_update':
        return `${update.sessionUpdate} ${update.toolCallId} ${update.status ?? ''}: ${update.title ?? ''}`;
      case 'plan':
        return `plan ${update.entries.map(({ content, status }) => `${content} [${status}]`).join(', ')}`;
      case 'notice':
        return `notice ${update.severity}: ${update.title}`;
      default:
        return update.sessionUpdate;
    }
  });
}
