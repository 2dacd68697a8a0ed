import { type agent, ndJsonStream } from '@agentclientprotocol/sdk/unstable';
import { AcpConnection, loadSdk } from '../../../src/agents/acp/AcpConnection.js';
import type { KnownAcpAgent } from '../../../src/agents/acp/knownAgents.js';

type AgentApp = ReturnType<typeof agent>;

/** Our side of the protocol and an agent, joined by bytes that never leave this process. */
export async function connectTo(app: AgentApp, known?: KnownAcpAgent): Promise<AcpConnection> {
  const toAgent = new TransformStream<Uint8Array, Uint8Array>();
  const toClient = new TransformStream<Uint8Array, Uint8Array>();
  app.connect(ndJsonStream(toClient.writable, toAgent.readable));
  const writer = toAgent.writable.getWriter();
  const encoder = new TextEncoder();
  return new AcpConnection(
    // Node's own web streams can be iterated; the types of the language do not say so.
    {
      stdout: toClient.readable as unknown as AsyncIterable<Uint8Array>,
      write: (text) => writer.write(encoder.encode(text)),
    },
    { known },
    await loadSdk(),
  );
}
