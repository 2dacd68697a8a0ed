import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { addServer, finish, MCP_CLIENTS, runHuddle, start, writeTeam } from '../mcpClients.js';
import type { ModelRequest } from '../model/ModelRequest.js';
import { type Behaviour, say, type ToolUse } from '../model/Reply.js';
import { useWorkshop } from '../workshop.js';

const NAMES = Object.keys(MCP_CLIENTS) as (keyof typeof MCP_CLIENTS)[];

/** The client uses one tool and then speaks; the member says what it is told to. */
function clientAndMember(tool: ToolUse, member: Behaviour): { behave: Behaviour; results: string[] } {
  const results: string[] = [];
  const behave: Behaviour = (request) => {
    if (isMember(request)) return member(request);
    if (request.toolResults.length === 0) return { kind: 'use', tool };
    results.push(request.toolResults.at(-1) ?? '');
    return say('Done.');
  };
  return { behave, results };
}

/** Members are told who they are. */
function isMember({ system, userTexts }: ModelRequest): boolean {
  return [system, ...userTexts].some((text) => text.includes('You are ada'));
}

const ASK: ToolUse = { kind: 'call', name: 'ask_team', given: { message: 'What do we plant?' } };

describe.each(NAMES)('%s asks the team', (name) => {
  const { cli, args } = MCP_CLIENTS[name];
  const workshop = useWorkshop([cli]);

  it('through what --config prints, and its model gets the answer whole', async () => {
    await writeTeam(workshop(), { agentType: cli.agentType, model: cli.model });
    await addServer(name, workshop());
    const { behave, results } = clientAndMember(ASK, () => say('Foxgloves.'));
    workshop().model.behave(behave);
    const ended = await finish(start(args('Ask the team what to plant.'), workshop()));
    expect(results, JSON.stringify(ended)).toHaveLength(1);
    expect(results[0]).toMatch(/session \d{8}-\d{4}-[0-9a-f]{4} · done · 1 turn/u);
    expect(results[0]).toContain('## ada');
    expect(results[0]).toContain('Foxgloves.');
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Done.') });
  });
});

/** A member of its own, with the server in its own configuration. */
describe.each(NAMES)('a member %s with the server in its own configuration', (name) => {
  const { cli } = MCP_CLIENTS[name];
  const workshop = useWorkshop([cli]);

  it('asks its own team, and is refused: no agent is started', async () => {
    await writeTeam(workshop(), { agentType: cli.agentType, model: cli.model, permission: 'full' });
    await addServer(name, workshop(), ['--permission', 'team']);
    const results: string[] = [];
    workshop().model.behave(({ toolResults }) => {
      if (toolResults.length === 0) return { kind: 'use', tool: ASK };
      results.push(toolResults.at(-1) ?? '');
      return say('Refused.');
    });
    const ended = await runHuddle(['run', 'Ask your team.'], workshop());
    expect(results, JSON.stringify(ended)).toHaveLength(1);
    expect(results[0]).toContain('error[NESTED]');
    expect(results[0]).toMatch(/turn-1 of session/u);
    expect(workshop().model.received).toHaveLength(2);
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Refused.') });
  });
});

describe('codex and a call that takes longer than it waits', () => {
  const { cli, args } = MCP_CLIENTS.codex;
  const workshop = useWorkshop([cli]);
  const statesOf = async (): Promise<readonly string[]> => {
    const { stdout } = await runHuddle(['sessions', '--json'], workshop());
    return JSON.parse(stdout).map(({ state }: { readonly state: string }) => state);
  };

  it('is answered before that with the session, by which the model stops it', async () => {
    await writeTeam(workshop(), { agentType: cli.agentType });
    await addServer('codex', workshop(), ['--wait', '2']);
    const results: string[] = [];
    workshop().model.behave((request) => {
      if (isMember(request)) return { kind: 'hang' };
      const { toolResults } = request;
      results.splice(0, results.length, ...toolResults);
      if (toolResults.length === 0) return { kind: 'use', tool: ASK };
      if (toolResults.length > 1) return say('Done.');
      const [session] = /\d{8}-\d{4}-[0-9a-f]{4}/u.exec(toolResults[0] ?? '') ?? [];
      return { kind: 'use', tool: { kind: 'call', name: 'wait_for_team', given: { session, stop: true } } };
    });
    const ended = await finish(start(args('Ask the team what to plant.'), workshop()));
    expect(results, JSON.stringify(ended)).toEqual([
      expect.stringContaining(' · running · 0 turns · ada is working for '),
      expect.stringContaining(' · stopped · 1 turn'),
    ]);
  });

  it('is cancelled by it otherwise, and nothing goes on', async () => {
    const file = join(workshop().home, '.codex', 'config.toml');
    const config = readFileSync(file, 'utf8').replace(/tool_timeout_sec = \d+/u, 'tool_timeout_sec = 20');
    writeFileSync(file, config.replace('"--wait", "2"', '"--wait", "60"'));
    const { behave, results } = clientAndMember(ASK, () => ({ kind: 'hang' }));
    workshop().model.behave(behave);
    const ended = await finish(start(args('Ask the team what to plant.'), workshop()));
    expect(results[0], JSON.stringify(ended)).toMatch(/timed out/u);
    expect(await statesOf()).toEqual(['stopped', 'stopped']);
  });
});
