import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { REAL_CLIS, type RealCli } from './clis.js';
import type { Workshop } from './workshop.js';

export const huddle = fileURLToPath(new URL('../dist/cli/huddle.js', import.meta.url));

/** A real CLI that asks Huddle as a client. */
export interface McpClientCli {
  readonly cli: RealCli;
  /** Does with what `huddle mcp --config` prints what its page says. */
  paste(config: string, workshop: Workshop): Promise<void>;
  /** What is typed to have it answer one message, and call the tools of the server meanwhile. */
  readonly args: (message: string) => readonly string[];
}

export const MCP_CLIENTS = {
  claude: {
    cli: REAL_CLIS.claude,
    paste: async (config, workshop) => {
      await finish(start(['/bin/sh', '-c', config], workshop));
    },
    args: (message) => ['claude', '-p', message, '--allowedTools', 'mcp__huddle'],
  },
  codex: {
    cli: REAL_CLIS.codex,
    paste: async (config, { home }) => appendFileSync(join(home, '.codex', 'config.toml'), `\n${config}\n`),
    args: (message) => ['codex', 'exec', '--skip-git-repo-check', message],
  },
  gemini: {
    cli: REAL_CLIS.gemini,
    paste: async (config, { home }) => {
      const file = join(home, '.gemini', 'settings.json');
      const settings = { ...JSON.parse(readFileSync(file, 'utf8')), ...JSON.parse(config) };
      writeFileSync(file, JSON.stringify(settings));
    },
    args: (message) => [
      'gemini',
      '-m',
      'gemini-2.5-pro',
      '--skip-trust',
      '--approval-mode',
      'yolo',
      '-p',
      message,
    ],
  },
} as const satisfies Readonly<Record<string, McpClientCli>>;

interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts a command in the working folder, knowing nothing but the workshop. */
export function start([program = '', ...args]: readonly string[], workshop: Workshop) {
  const { workingFolder: cwd, environment: env } = workshop;
  return spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

export async function finish(child: ReturnType<typeof start>): Promise<Ended> {
  const ended = once(child, 'close');
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, stdout, stderr };
}

export function runHuddle(args: readonly string[], workshop: Workshop): Promise<Ended> {
  return finish(start([process.execPath, huddle, ...args], workshop));
}

/** Writes a team of this member, trusted. */
export async function writeTeam(workshop: Workshop, member: object): Promise<void> {
  const members = [
    { name: 'kim', type: 'human' },
    { name: 'ada', type: 'ai', ...member },
  ];
  const file = join(workshop.workingFolder, 'huddle.jsonc');
  writeFileSync(file, JSON.stringify({ version: 1, name: 'garden', members }));
  await runHuddle(['trust', '--yes'], workshop);
}

/** Adds the server to a client as the user would. */
export async function addServer(
  name: keyof typeof MCP_CLIENTS,
  workshop: Workshop,
  flags: readonly string[] = [],
): Promise<void> {
  const { stdout } = await runHuddle(['mcp', '--config', name, ...flags], workshop);
  await MCP_CLIENTS[name].paste(stdout.trimEnd(), workshop);
}
