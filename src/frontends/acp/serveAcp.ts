import type { AcpOptions } from './AcpServer.js';
import { AgentStream, type ClientPipe, describeAgent } from './AgentStream.js';

/**
 * Answers an ACP client until its input ends or the signal comes; then stops everything, in at most 2.5 seconds. What it says
 * first is answered before anything is loaded: some clients wait for that and no longer than a moment.
 */
export async function serveAcp(pipe: ClientPipe, options: AcpOptions, signal: AbortSignal): Promise<void> {
  const stream = new AgentStream(pipe);
  if (!(await stream.greet(describeAgent(), signal))) return stream.close();
  const { AcpServer } = await import('./AcpServer.js');
  const server = new AcpServer(stream, options);
  const close = () => server.close();
  signal.addEventListener('abort', close, { once: true });
  if (signal.aborted) close();
  await server.closed;
  signal.removeEventListener('abort', close);
}
