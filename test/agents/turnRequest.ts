import type { TurnRequest } from '../../src/agents/AgentAdapter.js';
import type { Invocation } from '../../src/agents/dialect/Dialect.js';

/** A turn with everything it needs; tests name what they are about. */
export function turnRequest(parts: Partial<TurnRequest> = {}): TurnRequest {
  return {
    memberName: 'max',
    prompt: '[MESSAGE]\nHello',
    workingFolder: process.cwd(),
    permission: 'read',
    session: { kind: 'new' },
    env: 'inherit',
    limits: { idleMilliseconds: 10_000, totalMilliseconds: 20_000 },
    ...parts,
  };
}

/** Program and arguments on one line; a temporary file as `<name>`. */
export function commandLine({ command, args }: Invocation): string {
  return [...command, ...args.map((part) => (typeof part === 'string' ? part : `<${part.file}>`))].join(' ');
}
