import { type Environment, MARKER_VARIABLE, TURN_VARIABLE } from './environment.js';
import { readProcess, readProcessFile } from './processTable.js';

/** A turn of Huddle inside of which this process runs. */
export interface OuterTurn {
  /** `turn-3 of session …`; absent if the Huddle that started the turn did not say. */
  readonly name?: string;
}

/**
 * Every turn that this process is inside of, the nearest first. The own environment alone does not tell: some agents
 * start programs with a short list of variables, and any program can unset one. What an ancestor was started with stays, so
 * all of them are asked where the system shows it, which is Linux.
 */
export function findOuterTurns(environment: Environment): readonly OuterTurn[] {
  return [environment, ...ancestorsOf(process.pid).map(readEnvironment)].flatMap(turnIn);
}

function turnIn(environment: Environment): readonly OuterTurn[] {
  if (environment[MARKER_VARIABLE] === undefined) return [];
  const name = environment[TURN_VARIABLE];
  return [name ? { name } : {}];
}

/** Upwards to the first process of the system, or of the container. */
function ancestorsOf(pid: number): readonly number[] {
  const parent = readProcess(pid)?.parent ?? 0;
  return parent > 0 ? [parent, ...ancestorsOf(parent)] : [];
}

function readEnvironment(pid: number): Environment {
  const entries = readProcessFile(pid, 'environ', 'utf8').split('\0');
  return Object.fromEntries(
    entries.map((entry) => {
      const end = entry.indexOf('=');
      return [entry.slice(0, end), entry.slice(end + 1)];
    }),
  );
}
