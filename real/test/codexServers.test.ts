import { appendFileSync, existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { REAL_CLIS } from '../clis.js';
import { say } from '../model/Reply.js';
import { playTurn } from '../turns.js';
import { useWorkshop } from '../workshop.js';

/** Names as `codex mcp add` makes them, and one that only a hand can write. */
const NAMES = ['wiki', 'odd.name'];

describe('the MCP servers in the configuration of a user of Codex', () => {
  const { codex } = REAL_CLIS;
  const workshop = useWorkshop([codex]);
  const markOf = (name: string): string => join(workshop().temporaryFolder, `started-${name}`);

  beforeAll(() => {
    for (const name of NAMES) {
      const table = [
        `\n[mcp_servers.${JSON.stringify(name)}]`,
        'command = "/bin/sh"',
        `args = ["-c", "echo > '${markOf(name)}'; exec cat"]`,
      ];
      appendFileSync(join(workshop().home, '.codex', 'config.toml'), `${table.join('\n')}\n`);
    }
  });

  it.each([
    ['read', false],
    ['edit', true],
    ['full', true],
  ] as const)('with %s are started: %s', async (permission, areStarted) => {
    for (const name of NAMES) rmSync(markOf(name), { force: true });
    workshop().model.behave(() => say('Done.'));
    const { outcome } = await playTurn(codex, workshop(), { prompt: 'Go.', permission });
    expect(outcome).toEqual({ kind: 'completed', text: 'Done.' });
    expect(NAMES.map((name) => existsSync(markOf(name)))).toEqual(NAMES.map(() => areStarted));
  });
});
