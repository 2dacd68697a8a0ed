import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { describePostgres } from '../postgres/describePostgres.js';
import type { TestPostgres } from '../postgres/TestPostgres.js';
import { createMachine, finished, type Machine, saying } from './runHuddle.js';
import { createMember, createStore, succeed } from './sharedStore.js';

/** Secrets in the environment of a machine; agents get some of them. */
function secretsOf(machine: string) {
  const mark = (what: string) => `marked-${machine}-${what}-5f1c9d`;
  return {
    PGPASSWORD: mark('pgpassword'),
    OPENAI_API_KEY: mark('openai-key'),
    GITHUB_TOKEN: mark('github-token'),
    DEPLOY_SECRET: mark('deploy-secret'),
  };
}

/** An agent that fails, and says every secret it knows on its way. */
function failing(mark: string): readonly string[] {
  const said = 'echo "I have $PGPASSWORD $OPENAI_API_KEY $GITHUB_TOKEN $DEPLOY_SECRET" >&2';
  return ['/bin/sh', '-c', `${said}; exit 3 # --token ${mark}`];
}

/** A Codex that tells of trouble on its way, and then fails, each time with a secret it knows. */
const TROUBLED_CODEX = `#!/usr/bin/env node
const { GITHUB_TOKEN: secret } = process.env;
// Codex is asked first which servers it has.
if (process.argv[2] === 'mcp') {
  console.log('[]');
  process.exit();
}
const lines = [
  { type: 'thread.started', thread_id: '0199-troubled' },
  { type: 'turn.started' },
  { type: 'error', message: 'Reconnecting... 1/5 (refused: ' + secret + ')' },
  { type: 'item.completed', item: { id: 'item_0', type: 'error', message: 'Troubled by ' + secret } },
  { type: 'turn.failed', error: { message: 'Ended by ' + secret } },
];
for (const line of lines) console.log(JSON.stringify(line));
console.error('Last words of ' + secret);
process.exit(1);
`;

/** Everything in the tables of a database, of Huddle and of its queue. */
async function readTables(server: TestPostgres): Promise<string> {
  const tables = await server.admin(
    "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname !~ '^(pg_|information_)'",
  );
  const texts = tables.map(async ({ name }) => {
    const [row] = await server.admin(`SELECT string_agg(each::text, E'\\n') AS text FROM ${name} AS each`);
    return `${name}: ${row?.text}`;
  });
  return (await Promise.all(texts)).join('\n');
}

/** Every statement that the server was sent, with its values: texts of NOTIFY are among them. */
async function readLog(server: TestPostgres): Promise<string> {
  const [row] = await server.admin(
    "SELECT string_agg(pg_read_file('log/' || name), '') AS text FROM pg_ls_logdir()",
  );
  return String(row?.text);
}

function startWorker(machine: Machine, env: Readonly<Record<string, string>>) {
  const child = machine.start(['worker'], { env });
  const ended = finished(child);
  onTestFinished(async () => {
    child.kill('SIGKILL');
    await ended;
  });
  return { child, ended, isHere: saying(child.stderr, /Press Ctrl-C to stop/u) };
}

describePostgres(
  'a shared store',
  (server) => {
    test('has no secret of a machine in a table, in the log of the server or in a notification', async () => {
      for (const [setting, value] of Object.entries({ logging_collector: 'on', log_statement: 'all' }))
        await server().admin(`ALTER SYSTEM SET ${setting} = '${value}'`);
      await server().restart();

      const owner = await createStore(server());
      const members = [
        { name: 'kim', type: 'human' },
        { name: 'max', type: 'ai', agentType: 'command', command: failing('marked-team-file-5f1c9d') },
        { name: 'sarah', type: 'ai', agentType: 'command', runsOn: 'gpu_box' },
        { name: 'tom', type: 'ai', agentType: 'codex', runsOn: 'gpu_box' },
      ];
      const kim = await createMember(owner, server(), 'kim', { members });
      kim.write('.env', 'TOKEN=marked-file-5f1c9d');
      const key = (await succeed(kim, 'key')).trim();

      await server().createRole('gpu_box');
      await succeed(owner, 'store', 'invite', 'work', 'gpu_box', '--worker');
      const box = createMachine();
      await succeed(box, 'store', 'add', 'work', server().url('gpu_box'));
      await succeed(box, 'key');
      const configFolder = join(box.folder, '.config', 'huddle');
      mkdirSync(configFolder, { recursive: true });
      const program = { agentType: 'command', command: failing('marked-worker-file-5f1c9d') };
      writeFileSync(join(box.folder, 'bin', 'codex'), TROUBLED_CODEX, { mode: 0o755 });
      const entries = [
        { name: 'sarah', folder: box.project, ...program },
        { name: 'tom', folder: box.project, agentType: 'codex' },
      ];
      const file = join(configFolder, 'worker.jsonc');
      writeFileSync(
        file,
        JSON.stringify({ version: 1, store: 'work', askers: { kim: key }, members: entries }),
      );
      chmodSync(file, 0o600);
      const worker = startWorker(box, secretsOf('box'));
      await worker.isHere;

      const env = secretsOf('kim');
      const run = await kim.run(['run', '--store', 'work', 'Go. [NEXT: max, sarah]'], { env });
      expect(run.code).toBe(1);
      await kim.run(['run', '--store', 'work', 'And tom. [NEXT: tom]'], { env });
      await kim.run(['resume', '--retry', '--store', 'work'], { env });
      for (const args of [
        ['why', '1'],
        ['sessions'],
        ['show'],
        ['store', 'check', 'work'],
        ['delete', 'nothing', '--yes'],
      ])
        await kim.run([...args, ...(args[0] === 'store' ? [] : ['--store', 'work'])], { env });
      // A password is not even sent when somebody writes it into an address.
      const url = server().url('kim').replace('kim@', 'kim:marked-url-5f1c9d@');
      expect(await kim.run(['store', 'add', 'other', url])).toMatchObject({ code: 78 });
      worker.child.kill('SIGINT');
      await worker.ended;

      const kept = `${await readTables(server())}\n${await readLog(server())}`;
      // It was looked at in the right place: what was said is there, and what the agents said when they failed.
      expect(kept).toContain('Go. [NEXT: max, sarah]');
      const said = new Set(kept.match(/I have[^"\\]*/gu));
      expect([...said]).toEqual(['I have   [redacted] [redacted]']);
      for (const words of ['Troubled by', 'Ended by', 'Last words of', 'refused:'])
        expect(new Set(kept.match(new RegExp(`${words}[^"\\\\)]*`, 'gu')))).toEqual(
          new Set([`${words} [redacted]`]),
        );
      expect(kept.match(/marked-[\w-]+/gu) ?? []).toEqual([]);
      for (const machine of [kim, box]) {
        const [, secret = ''] = /-----\n(\S+)\n-----/u.exec(readKey(machine)) ?? [];
        expect(secret.length).toBeGreaterThan(20);
        expect(kept).not.toContain(secret);
        // How a machine starts things is nobody's business: no folder, no command line.
        expect(kept).not.toContain(machine.folder);
      }
      expect(kept).not.toContain('/bin/sh');
    });
  },
  { alone: true },
);

function readKey({ folder }: Machine): string {
  return readFileSync(join(folder, '.config', 'huddle', 'key.pem'), 'utf8');
}
