import { fileURLToPath } from 'node:url';
import type { AgentAdapter, SessionChoice } from '../AgentAdapter.js';
import { AcpAdapter } from '../acp/AcpAdapter.js';
import type { TurnProcessOptions } from '../process/runDialectTurn.js';
import { REHEARSAL_VARIABLES } from './simulatedTurn.js';

export interface RehearsalOptions {
  /** A file with a script, see `script.ts`. */
  readonly scriptFile?: string;
  /** The script itself, for short ones. */
  readonly script?: unknown;
  /** Sessions and counts of turns are saved here; without it every session id is taken as known. */
  readonly stateFolder?: string;
  /** The members to hand off to if the script names none. */
  readonly next?: readonly string[];
  /** Milliseconds between two words of a reply, for people who watch; none by default. */
  readonly pace?: number;
}

/** Runs the built-in simulated agent instead of a member's program, whatever its type. */
export function createSimulatedAdapter(
  rehearsal: RehearsalOptions,
  options: TurnProcessOptions,
): AgentAdapter {
  const adapter = new AcpAdapter({
    ...options,
    simulator: (memberName) => ({
      command: [process.execPath, compiledFile('simulatedAgent.js')],
      env: variables(memberName, rehearsal),
    }),
  });
  return {
    runTurn: ({ model: _anyWillDo, session, ...request }, signal) =>
      adapter.runTurn({ ...request, session: withoutMark(session) }, signal),
    close: () => adapter.close(),
  };
}

/** A simulated session holds no messages: a copy of it is the same at any place. */
function withoutMark(session: SessionChoice): SessionChoice {
  return session.kind === 'fork' ? { kind: 'fork', sessionId: session.sessionId } : session;
}

/** Next to this file once compiled; tests run the sources, so they find the compiled one in `dist`. */
function compiledFile(name: string): string {
  const here = fileURLToPath(new URL(name, import.meta.url));
  return here.replace(/\/src\/(agents\/rehearsal\/[^/]+)$/, '/dist/$1');
}

function variables(memberName: string, options: RehearsalOptions): Record<string, string> {
  const { scriptFile, script, stateFolder, next, pace } = options;
  return {
    [REHEARSAL_VARIABLES.memberName]: memberName,
    ...(scriptFile !== undefined && { [REHEARSAL_VARIABLES.scriptFile]: scriptFile }),
    ...(script !== undefined && { [REHEARSAL_VARIABLES.script]: JSON.stringify(script) }),
    ...(stateFolder !== undefined && { [REHEARSAL_VARIABLES.stateFolder]: stateFolder }),
    ...(next !== undefined && { [REHEARSAL_VARIABLES.next]: next.join(',') }),
    ...(pace !== undefined && { [REHEARSAL_VARIABLES.pace]: String(pace) }),
  };
}
