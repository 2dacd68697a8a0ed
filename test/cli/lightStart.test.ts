import { expect, test } from 'vitest';
import { createMachine, teamFile } from './runHuddle.js';

test.each(['sessions', 'team check', 'run Go. --trust'])(
  'huddle %s does not read the rules of all writing: that takes as long as starting Node',
  async (line) => {
    const machine = createMachine();
    machine.write(
      'huddle.jsonc',
      teamFile({ ada: { agentType: 'command', command: ['/bin/echo', 'Done.'] } }),
    );
    const preloaded = machine.write(
      'segmenters.cjs',
      `Intl.Segmenter = new Proxy(Intl.Segmenter, {
      construct(made, options) {
        console.error('rules of writing were read');
        return Reflect.construct(made, options);
      },
    });`,
    );
    const env = { NODE_OPTIONS: `--require ${preloaded}` };
    const { code, stderr } = await machine.run(line.split(' '), { env });
    expect(code).toBe(0);
    expect(stderr).not.toContain('rules of writing');
  },
);
