import type { Simulator } from './Simulator.js';

/** Speaks like any command: the answer on stdout, or a reason on stderr and an exit code. */
export const plainSimulator: Simulator = {
  sessionIn: () => undefined,
  play({ blocks, failure }) {
    if (failure) return { stdout: '', stderr: `rehearsed failure: ${failure}\n`, exitCode: 1 };
    return { stdout: blocks.join('\n\n'), stderr: '', exitCode: 0 };
  },
  unknownSession: () => ({ stdout: '', stderr: 'a command has no sessions\n', exitCode: 1 }),
};
