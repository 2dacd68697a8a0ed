import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { loadSdk } from '../../src/agents/acp/AcpConnection.js';
import { openSession } from '../../src/agents/acp/openSession.js';
import { prepareClaude } from '../../src/agents/claude/dialect.js';
import { codexDialect, prepareCodex } from '../../src/agents/codex/dialect.js';
import { chooseServers } from '../../src/agents/dialect/Dialect.js';
import { createConversation } from '../../src/createConversation.js';
import type { McpServer } from '../../src/models/McpServer.js';
import { toArray } from '../../src/utils/AnyIterable.js';
import { temporaryFolder } from '../coordinator/stage.js';
import { agent, person, team } from '../coordinator/teams.js';
import { connectTo } from './acp/memoryPair.js';
import { commandLine, turnRequest } from './turnRequest.js';

const SECRET = 'hunter2 "$HOME" \'quoted\'';
const tickets: McpServer = {
  transport: 'stdio',
  name: 'tickets',
  command: '/opt/tickets server',
  args: ['--all', 'it"s'],
  env: { TICKETS_TOKEN: SECRET, PATH: '/opt/bin' },
};
const wiki: McpServer = {
  transport: 'http',
  name: 'wiki',
  url: 'https://wiki.example/mcp',
  headers: { Authorization: `Bearer ${SECRET}` },
};
const old: McpServer = { transport: 'sse', name: 'old', url: 'https://old.example/sse' };
const mcpServers = [tickets, wiki, old];

test('Claude Code gets servers by a file, and their tools are allowed', () => {
  const invocation = prepareClaude(turnRequest({ permission: 'edit', allow: ['WebFetch'], mcpServers }));
  const line = commandLine(invocation);
  expect(line).toContain(' --mcp-config <mcp.json> ');
  expect(line).toContain(' --allowedTools WebFetch,mcp__tickets,mcp__wiki,mcp__old');
  expect(line).not.toContain('hunter2');
  expect(invocation.files.map(({ content }) => JSON.parse(content))).toEqual([
    {
      mcpServers: {
        tickets: {
          type: 'stdio',
          command: '/opt/tickets server',
          args: ['--all', 'it"s'],
          env: { TICKETS_TOKEN: SECRET, PATH: '/opt/bin' },
        },
        wiki: {
          type: 'http',
          url: 'https://wiki.example/mcp',
          headers: { Authorization: `Bearer ${SECRET}` },
        },
        old: { type: 'sse', url: 'https://old.example/sse', headers: {} },
      },
    },
  ]);
});

describe('Codex', () => {
  test('gets servers by its settings, and what may be secret by variables of its environment', () => {
    const { args, env } = prepareCodex(turnRequest({ permission: 'edit', mcpServers: [tickets, wiki] }));
    const [program, address] = args.filter((word) => String(word).startsWith('mcp_servers.'));
    expect(program).toMatch(/^mcp_servers\.huddle-tickets=\{command="\/bin\/sh",args=\["-c",/u);
    expect(program).toContain('env_vars=["HUDDLE_MCP_SECRET_0_0","HUDDLE_MCP_SECRET_0_1"]');
    expect(address).toBe(
      'mcp_servers.huddle-wiki={url="https://wiki.example/mcp",env_http_headers={"Authorization"="HUDDLE_MCP_SECRET_1_0"},default_tools_approval_mode="approve"}',
    );
    expect(args.join(' ')).not.toContain('hunter2');
    expect(args.join(' ')).not.toContain('/opt/bin');
    expect(env).toEqual({
      HUDDLE_MCP_SECRET_0_0: SECRET,
      HUDDLE_MCP_SECRET_0_1: '/opt/bin',
      HUDDLE_MCP_SECRET_1_0: `Bearer ${SECRET}`,
    });
  });

  test('starts a server with its variables, and with nothing of what carried them', () => {
    const script = 'console.log(JSON.stringify([process.argv.slice(1), process.env]))';
    const server: McpServer = {
      transport: 'stdio',
      name: 'dump',
      command: process.execPath,
      args: ['-e', script, '--', 'a b', '$HOME', "it's"],
      env: { TICKETS_TOKEN: SECRET },
    };
    const { args, env } = prepareCodex(turnRequest({ permission: 'edit', mcpServers: [server] }));
    const setting = String(args.find((word) => String(word).startsWith('mcp_servers.')));
    const words = JSON.parse(/args=(\[.*\]),env_vars/u.exec(setting)?.[1] ?? '') as string[];
    const { stdout } = spawnSync('/bin/sh', words, { env, encoding: 'utf8' });
    const [given, variables] = JSON.parse(stdout) as [string[], Record<string, string>];
    expect(given).toEqual(['a b', '$HOME', "it's"]);
    expect(variables.TICKETS_TOKEN).toBe(SECRET);
    expect(Object.keys(variables).filter((name) => name.startsWith('HUDDLE'))).toEqual([]);
  });

  test.each([
    ['tickets', tickets, true],
    ['wiki', wiki, true],
    ['old', old, false],
    ['an address with a key', { ...wiki, url: 'https://wiki.example/mcp?key=hunter2' }, false],
    ['an address with a password', { ...wiki, url: 'https://kim:hunter2@wiki.example/mcp' }, false],
  ])('%s: %o', (_, server, isTaken) => {
    expect(codexDialect.takesServer?.(server)).toBe(isTaken);
  });
});

describe('an ACP agent', () => {
  async function openedWith(mcpCapabilities: object, sessionCapabilities: object = {}): Promise<unknown> {
    const { agent: createAgent } = await loadSdk();
    let params: unknown;
    const app = createAgent({ name: 'test' })
      .onRequest('initialize', () => ({
        protocolVersion: 1,
        agentCapabilities: { mcpCapabilities, sessionCapabilities },
      }))
      .onRequest('session/new', (context) => {
        params = context.params;
        return { sessionId: 's' };
      });
    const connection = await connectTo(app);
    await connection.open();
    const additionalFolders = [{ path: '/src/lib' }];
    await openSession(
      connection,
      turnRequest({ permission: 'edit', workingFolder: '/p', mcpServers, additionalFolders }),
    );
    return params;
  }

  const program = {
    name: 'tickets',
    command: '/opt/tickets server',
    args: ['--all', 'it"s'],
    env: [
      { name: 'TICKETS_TOKEN', value: SECRET },
      { name: 'PATH', value: '/opt/bin' },
    ],
  };

  test('gets servers by the transports that it offers', async () => {
    const headers = [{ name: 'Authorization', value: `Bearer ${SECRET}` }];
    expect(await openedWith({ http: true })).toEqual({
      cwd: '/p',
      mcpServers: [program, { type: 'http', name: 'wiki', url: 'https://wiki.example/mcp', headers }],
    });
  });

  test('gets folders if it takes them', async () => {
    expect(await openedWith({}, { additionalDirectories: {} })).toEqual({
      cwd: '/p',
      mcpServers: [program],
      additionalDirectories: ['/src/lib'],
    });
  });
});

test('no server is given to a member that may only read, and it is said', () => {
  expect(chooseServers({ permission: 'read', mcpServers }, () => true)).toEqual({
    given: [],
    warnings: [
      {
        type: 'warning',
        about: { code: 'servers-not-given', servers: ['tickets', 'wiki', 'old'], because: 'permission' },
      },
    ],
  });
});

describe('in a conversation', () => {
  /** A program that answers as Claude Code does, with its arguments and the content and mode of its server file. */
  function fakeClaude(folder: string): readonly string[] {
    const file = join(folder, 'claude.mjs');
    writeFileSync(
      file,
      `import { readFileSync, statSync, appendFileSync } from 'node:fs';
readFileSync(0);
const args = process.argv.slice(2);
const place = args.indexOf('--mcp-config');
const config = place < 0 ? null : { text: readFileSync(args[place + 1], 'utf8'), mode: statSync(args[place + 1]).mode & 0o777 };
appendFileSync(${JSON.stringify(join(folder, 'seen'))}, JSON.stringify({ args, config }) + '\\n');
console.log(JSON.stringify({ type: 'result', subtype: 'success', is_error: false, result: 'Done.', session_id: 's' }));
`,
    );
    chmodSync(file, 0o755);
    return [process.execPath, file];
  }

  test('members that may edit get them in a file of their own; the others say once that they do not', async () => {
    const folder = temporaryFolder();
    const command = fakeClaude(folder);
    const members = [
      person(),
      agent('max', { command, permission: 'edit' }),
      agent('sarah', { command }),
      agent('tool', { agentType: 'command', permission: 'edit', command: ['echo', 'ok'] }),
    ];
    const conversation = await createConversation({
      team: team(members),
      workingFolder: folder,
      mcpServers: [tickets],
      additionalFolders: [{ path: join(folder, 'lib') }],
    });
    for (const round of ['One.', 'Two.']) {
      await conversation.send(`[NEXT: max, sarah, tool] ${round}`);
      await conversation.settled();
    }
    const seen = readFileSync(join(folder, 'seen'), 'utf8')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(seen.map(({ config }) => config?.mode ?? null)).toEqual([0o600, null, 0o600, null]);
    expect(JSON.parse(seen[0].config.text).mcpServers.tickets.env.TICKETS_TOKEN).toBe(SECRET);
    for (const { args } of seen) expect(args).toContain(join(folder, 'lib'));
    const events = await toArray(conversation.history());
    expect(
      events.flatMap((event) =>
        event.type === 'turn-activity' && event.event.type === 'warning'
          ? [[event.memberId, event.event.about]]
          : [],
      ),
    ).toEqual([
      ['sarah', { code: 'servers-not-given', servers: ['tickets'], because: 'permission' }],
      ['tool', { code: 'servers-not-given', servers: ['tickets'], because: 'agent' }],
    ]);
    expect(JSON.stringify(events)).not.toContain('hunter2');
    await conversation.close();
  });

  test.each(['claude-code', 'acp'])('a failure of %s does not show their secrets', async (agentType) => {
    const token = 'correct-horse-battery';
    const file = join(temporaryFolder(), 'agent.cjs');
    writeFileSync(file, `console.error('bad token ${token}'); process.exit(1);`);
    const command = [process.execPath, file];
    const headers = { Authorization: `Bearer ${token}` };
    const conversation = await createConversation({
      team: team([person(), agent('max', { agentType, command, permission: 'edit' })]),
      mcpServers: [{ ...wiki, headers }],
    });
    await conversation.send('Go.');
    await conversation.settled();
    const [end] = (await toArray(conversation.history())).filter(({ type }) => type === 'turn-end');
    expect(end).toMatchObject({
      result: { kind: 'failed', failure: { stderrTail: 'bad token [redacted]' } },
    });
    await conversation.close();
  });

  test.each([
    ['a name with a dot', [{ ...wiki, name: 'a.b' }], 'mcpServers.name must be 1 to 40'],
    ['an empty name', [{ ...wiki, name: '' }], 'mcpServers.name must be 1 to 40'],
    ['a name twice', [wiki, { ...tickets, name: 'wiki' }], 'mcpServers.name must be unique'],
    ['no variable', [{ ...tickets, env: { 'A;B': 'x' } }], 'mcpServers.env must be names of variables'],
    [
      '21 servers',
      Array.from({ length: 21 }, (_, index) => ({ ...wiki, name: `s${index}` })),
      'mcpServers must be at most 20',
    ],
  ])('%s is refused', async (_, servers, message) => {
    const options = { team: team([person(), agent('max')]), mcpServers: servers };
    await expect(createConversation(options)).rejects.toMatchObject({
      code: 'INVALID_OPTION',
      message: expect.stringContaining(message),
    });
  });
});
