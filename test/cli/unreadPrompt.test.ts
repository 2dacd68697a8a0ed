import { expect, test } from 'vitest';
import { createMachine, teamFile } from './runHuddle.js';

/** More than the system keeps for a reader, so that writing it ends with an error when there is none. */
const LONG_MESSAGE = 'Look at this. '.repeat(40_000);

test.each([
  ['exits at once', 'exitearly', 1],
  ['closes its input and answers', 'closestdin', 0],
])(
  'a CLI that %s without reading its prompt does not break huddle off',
  async (_what, behaviour, exitCode) => {
    const machine = createMachine();
    machine.install('claude');
    machine.write('huddle.jsonc', teamFile({ max: { agentType: 'claude' } }));
    const { code, signal, stderr } = await machine.run(['run', '--trust'], {
      input: LONG_MESSAGE,
      env: { HOSTILE: behaviour },
      // An error that nobody hears ends a process.
      spawned: true,
    });
    expect(stderr).not.toContain('EPIPE');
    expect({ code, signal }).toEqual({ code: exitCode, signal: null });
  },
);
