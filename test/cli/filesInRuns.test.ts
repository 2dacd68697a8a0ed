import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { FilesRecorded, RecordedEvent } from '../../src/models/ConversationEvent.js';
import { until } from '../agents/process/hostileAgent.js';
import { createMachine, finished, type Machine, saying, teamFile } from './runHuddle.js';
import { ID } from './storedSessions.js';

/** A member that runs a line of shell. */
function shell(line: string, parts: object = {}): object {
  return { agentType: 'command', command: ['/bin/sh', '-c', `cat >/dev/null; ${line}`], ...parts };
}

function machineWith(agents: Readonly<Record<string, object>>, more: object = {}): Machine {
  const machine = createMachine();
  machine.write('huddle.jsonc', teamFile(agents, { ...more }));
  return machine;
}

async function eventsOf(machine: Machine, id: string): Promise<RecordedEvent[]> {
  return eventsIn((await machine.run(['export', id, '--format', 'jsonl'])).stdout);
}

function eventsIn(lines: string): RecordedEvent[] {
  return lines
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));
}

function recordsIn(events: readonly RecordedEvent[]): FilesRecorded[] {
  return events.filter((event) => event.type === 'files-recorded');
}

describe('huddle run', () => {
  test('records what a turn changed before Huddle was killed, when the session goes on', async () => {
    const machine = machineWith({ max: shell('echo half > half.txt; echo half done; exec /bin/sleep 60') });
    const args = ['run', '[NEXT: max] Go.', '--trust', '--output-format', 'stream-json'];
    const child = machine.start(args);
    child.stdin.end();
    const [said] = await Promise.all([
      saying(child.stdout, /half done/u).then((text) => {
        child.kill('SIGKILL');
        return text;
      }),
      finished(child),
    ]);
    const id = ID.exec(said)?.[0] ?? '';
    machine.write('huddle.jsonc', teamFile({ max: shell('echo whole > whole.txt; echo done') }));
    expect((await machine.run(['resume', id, '[NEXT: max] And now?', '--trust'])).code).toBe(0);
    const records = recordsIn(await eventsOf(machine, id));
    expect(records).toMatchObject([
      { by: { kind: 'turns', turnIds: ['turn-1'] }, isLate: true },
      { by: { kind: 'turns', turnIds: ['turn-2'] }, files: [{ path: 'whole.txt' }] },
    ]);
    expect(records[0]?.files.map(({ path }) => path)).toContain('half.txt');
    expect(records[1]?.isLate).toBeUndefined();
  });

  test('knows of turns of other processes in the same folder', async () => {
    const machine = machineWith({
      max: shell('echo waiting; exec /bin/sleep 60'),
      ada: shell('echo > 2; echo done'),
    });
    const first = machine.start(['run', '[NEXT: max] Go.', '--trust', '--output-format', 'stream-json']);
    first.stdin.end();
    const ending = finished(first);
    const said = await saying(first.stdout, /waiting/u);
    const second = await machine.run(['run', '[NEXT: ada] Go.', '--trust', '--output-format', 'stream-json']);
    first.kill('SIGINT');
    const { stdout } = await ending;
    const [mine, other] = [ID.exec(said)?.[0], ID.exec(second.stdout)?.[0]];
    const notice = {
      type: 'notice',
      code: 'folder-shared',
      turn: `turn-1 of session ${mine}`,
      pid: first.pid,
    };
    expect(eventsIn(second.stdout)).toContainEqual(expect.objectContaining(notice));
    expect(recordsIn(eventsIn(second.stdout))[0]?.overlaps).toEqual([`turn-1 of session ${mine}`]);
    const [record] = recordsIn(eventsIn(stdout));
    expect(record?.overlaps).toEqual([`turn-1 of session ${other}`]);
    expect(record?.files.map(({ path }) => path)).toEqual(['2']);
  });

  test('ends with 5 when a reader changed files and the team file wants a pause', async () => {
    const reader = { agentType: 'codex', permission: 'read', command: ['/bin/sh', '-c', SNEAKY, 'codex'] };
    const machine = machineWith({ max: reader }, { files: { readers: 'pause' } });
    const { code, stderr } = await machine.run(['run', '[NEXT: max] Look.', '--trust']);
    expect(stderr).toContain('sneaky.txt changed during the turn of max (read-only); it may have been you.');
    expect(code).toBe(5);
  });

  test('ends at once when it is interrupted during the first look, even if git hangs', async () => {
    const machine = createMachine({ hasGit: false });
    machine.write('huddle.jsonc', teamFile({ max: shell('echo done') }));
    const [git, looked] = [join(machine.folder, 'bin', 'git'), join(machine.folder, 'looked')];
    const version = '[ "$1" = --version ] && echo git version 2.50.0 && exit';
    writeFileSync(git, `#!/bin/sh\n${version}\n: > '${looked}'\n/bin/sleep 60\n`, { mode: 0o755 });
    const child = machine.start(['run', '[NEXT: max] Go.', '--trust']);
    child.stdin.end();
    const ending = finished(child);
    await until(() => existsSync(looked));
    const began = performance.now();
    child.kill('SIGINT');
    expect((await ending).code).toBe(130);
    expect(performance.now() - began).toBeLessThan(8000);
  });

  test('records into a temporary folder when nothing is to be saved', async () => {
    const machine = machineWith({ max: shell('echo 1 > 1; echo done') });
    const args = ['run', '[NEXT: max] Go.', '--trust', '--ephemeral', '--output-format', 'stream-json'];
    const { stdout } = await machine.run(args);
    expect(stdout).toContain('"type":"files-recorded"');
    expect(readdirSync(machine.folder).filter((name) => name.startsWith('huddle-'))).toEqual([]);
    expect(existsSync(join(machine.folder, 'data', 'files'))).toBe(false);
  });

  test('records nothing in a rehearsal', async () => {
    const machine = machineWith({ max: shell('echo 1 > 1; echo done') });
    const { stdout } = await machine.run(['rehearse', '[NEXT: max] Go.', '--output-format', 'stream-json']);
    expect(stdout).toContain('"type":"turn-end"');
    expect(stdout).not.toContain('files-recorded');
  });

  test('says once that nothing is recorded without git, and runs the turns', async () => {
    const machine = createMachine({ hasGit: false });
    machine.write('huddle.jsonc', teamFile({ max: shell('echo done'), ada: shell('echo done') }));
    const { code, stdout, stderr } = await machine.run(['run', '[NEXT: max, ada] Go.', '--trust']);
    expect({ code, stdout }).toEqual({ code: 0, stdout: 'max:\n  done\n\nada:\n  done\n' });
    expect(stderr.match(/git is not installed/gu)).toHaveLength(1);
  });
});

/** Writes a file and answers as Codex does. */
const SNEAKY = `[ "$1" = mcp ] && echo '[]' && exit
echo > sneaky.txt
echo '{"type":"thread.started","thread_id":"t"}'
echo '{"type":"item.completed","item":{"id":"i","type":"agent_message","text":"Looks good."}}'
echo '{"type":"turn.completed","usage":{"input_tokens":1,"cached_input_tokens":0,"output_tokens":1}}'`;
