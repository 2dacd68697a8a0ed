import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { prepareCodex } from '../../../src/agents/codex/dialect.js';
import { createAdapter } from '../../../src/agents/definitions.js';
import type { AgentEvent } from '../../../src/models/AgentEvent.js';
import type { Permission } from '../../../src/models/Team.js';
import { turnRequest } from '../turnRequest.js';

const root = mkdtempSync(join(tmpdir(), 'huddle-codex-'));
afterAll(() => rmSync(root, { recursive: true }));

/** A Codex that lists its servers as the script says, and notes the arguments of every start. */
function installCodex(list: string) {
  const folder = mkdtempSync(join(root, 'codex-'));
  const [file, notes] = [join(folder, 'codex'), join(folder, 'starts')];
  const turn =
    '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}';
  writeFileSync(
    file,
    `#!/bin/sh\necho "$*" >> '${notes}'\nif [ "$1" = mcp ]; then ${list}; exit; fi\ncat > /dev/null\necho '${turn}'\n`,
  );
  chmodSync(file, 0o755);
  const adapter = createAdapter('codex', { environment: { PATH: '/usr/bin:/bin', HOME: folder } });
  return {
    async play(permission: Permission): Promise<AgentEvent | undefined> {
      const request = turnRequest({ permission, command: [file], workingFolder: folder });
      let last: AgentEvent | undefined;
      for await (const event of adapter.runTurn(request, new AbortController().signal)) last = event;
      return last;
    },
    starts: () => (existsSync(notes) ? readFileSync(notes, 'utf8').trimEnd().split('\n') : []),
  };
}

const TWO = `echo '[{"name":"wiki","enabled":true},{"name":"odd.name","enabled":false}]'`;
const OFF = `-c mcp_servers={"wiki"={enabled=false},"odd.name"={enabled=false}}`;

describe('the MCP servers of the user', () => {
  test('are asked for once in a conversation, and switched off for every turn with read', async () => {
    const codex = installCodex(TWO);
    expect(await codex.play('read')).toMatchObject({ outcome: { kind: 'completed' } });
    await codex.play('read');
    const [asked, ...turns] = codex.starts();
    expect(asked).toBe('mcp list --json');
    expect(turns.map((turn) => turn.includes(OFF))).toEqual([true, true]);
  });

  test.each(['edit', 'full'] as const)('are left as they are with %s', async (permission) => {
    const codex = installCodex(TWO);
    await codex.play(permission);
    expect(codex.starts()).toHaveLength(1);
    expect(codex.starts()[0]).not.toContain('mcp');
  });

  test('that are none need no setting', () => {
    expect(prepareCodex(turnRequest(), []).args).toEqual(prepareCodex(turnRequest()).args);
    expect(prepareCodex(turnRequest()).args.join(' ')).not.toContain('mcp_servers');
  });

  test.each([
    ['fails', 'exit 2'],
    ['says nothing', 'true'],
    ['says something else', 'echo hello'],
    ['says no list', 'echo "{}"'],
    ['leaves out a name', `echo '[{"enabled":true}]'`],
  ])('start no turn with read where the list %s, and are asked for again', async (_title, list) => {
    const codex = installCodex(list);
    const failure = { code: 'AGENT_ERROR', reason: 'servers-unlisted', run: 'codex mcp list --json' };
    expect(await codex.play('read')).toMatchObject({ outcome: { kind: 'failed', failure } });
    await codex.play('read');
    expect(codex.starts()).toEqual(['mcp list --json', 'mcp list --json']);
  });
});

test('a Codex that is not there is missing, and nothing else is said', async () => {
  const request = turnRequest({ command: ['no-such-codex'] });
  const adapter = createAdapter('codex', { environment: { PATH: '/usr/bin:/bin' } });
  const events: AgentEvent[] = [];
  for await (const event of adapter.runTurn(request, new AbortController().signal)) events.push(event);
  expect(events).toMatchObject([{ type: 'end', outcome: { failure: { code: 'AGENT_MISSING' } } }]);
});
