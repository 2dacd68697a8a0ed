import { spawnSync } from 'node:child_process';
import { chmodSync, lstatSync, readdirSync, readFileSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTerminal, runInTerminal } from './pty.js';
import { program } from './runHuddle.js';
import { keepOne, machineWithTeam, outputOf } from './storedSessions.js';

describe('huddle export and huddle import', () => {
  test('give back exactly what was there', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine);
    const log = await outputOf(machine, 'export', id, '--format', 'jsonl');
    const { stderr } = await machine.run(['export', '--format', 'jsonl', '--output', 'out.jsonl']);
    expect(stderr).toBe(`Exported session ${id} to out.jsonl\n`);
    const file = join(machine.project, 'out.jsonl');
    expect(readFileSync(file, 'utf8')).toBe(log);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await outputOf(machine, 'delete', id, '--yes')).toBe(`Deleted: ${id}\n`);
    expect(await outputOf(machine, 'import', 'out.jsonl')).toBe(`Imported: ${id}\n`);
    expect(await outputOf(machine, 'export', '--format', 'jsonl')).toBe(log);
    expect(await outputOf(machine, 'import', 'out.jsonl', '--id', 'copy')).toBe('Imported: copy\n');
    expect(await outputOf(machine, 'show', 'copy')).toContain('max:\n  Done.\n');
  });

  test('write Markdown, JSON and a page that loads nothing', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    expect(await outputOf(machine, 'export')).toContain('## kim → max, sarah · ');
    const { events } = JSON.parse(await outputOf(machine, 'export', '--format', 'json'));
    expect(events[0]).toMatchObject({ type: 'conversation-start' });
    const page = await outputOf(machine, 'export', '--format', 'html');
    expect(page).toContain("default-src 'none'");
    expect(page).toContain('Prompt: ');
  });

  test('write a page on which Markdown is set, code has colours, and a marker that acted is an arrow', async () => {
    const machine = machineWithTeam();
    const text =
      '[NEXT: max]\n# Plan\n\nUse **Redis**, see [the page](https://example.org/a).\n\n' +
      '| key | size |\n|---|--:|\n| a | 1 |\n\n- [x] read\n  - nested\n\n```ts\nconst a = 1;\n```';
    await keepOne(machine, text);
    const page = await outputOf(machine, 'export', '--format', 'html');
    expect(page).toContain(
      '<div class="text"><h3>Plan</h3><p>Use <strong>Redis</strong>, see ' +
        '<a href="https://example.org/a" rel="noopener noreferrer">the page</a> ' +
        '<span class="target">(https://example.org/a)</span>.</p>' +
        '<div class="table"><table><thead><tr><th>key</th><th class="right">size</th></tr></thead>' +
        '<tbody><tr><td>a</td><td class="right">1</td></tr></tbody></table></div>' +
        '<ul><li class="todo"><span class="box">☑</span>read<ul><li>nested</li></ul></li></ul>' +
        '<pre class="code" data-language="ts"><span class="keyword">const</span> a = <span class="number">1</span>;</pre></div>',
    );
    expect(page).toContain('<span>→ max</span>');
    expect(page).not.toContain('NEXT');
  });

  test.each(['md', 'html', 'jsonl'])(
    'never call a file whole that the disk has no room for: %s',
    async (format) => {
      const machine = machineWithTeam();
      await keepOne(machine, 'Go.', { HOSTILE: 'long:300000' });
      const file = machine.write('out', 'before');
      const files = readdirSync(machine.project);
      // A file may have 100 KB: as on a full disk, the first write comes to an end there without an error.
      const command = `ulimit -f 200; exec node '${program}' export --format ${format} --output out`;
      const { status, stderr } = spawnSync('/bin/sh', ['-c', command], {
        cwd: machine.project,
        env: machine.env,
        encoding: 'utf8',
      });
      expect({ status, stderr }).toEqual({
        status: 74,
        stderr: expect.stringMatching(/^error\[CANNOT_WRITE\]: .*out cannot be written: .*\(EFBIG\)/u),
      });
      expect({ text: readFileSync(file, 'utf8'), files: readdirSync(machine.project) }).toEqual({
        text: 'before',
        files,
      });
    },
  );

  test('write over a file that is there as a whole, which keeps its mode and its links, and into devices', async () => {
    const machine = machineWithTeam();
    await keepOne(machine);
    const file = machine.write('old.md', 'before');
    chmodSync(file, 0o640);
    symlinkSync(file, join(machine.project, 'link.md'));
    expect(await machine.run(['export', '--output', 'link.md'])).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toMatch(/^# team\n/u);
    expect(statSync(file).mode & 0o777).toBe(0o640);
    expect(lstatSync(join(machine.project, 'link.md')).isSymbolicLink()).toBe(true);
    const { stdout } = spawnSync(
      '/bin/sh',
      ['-c', `node '${program}' export --output /dev/stdout | /bin/cat`],
      {
        cwd: machine.project,
        env: machine.env,
        encoding: 'utf8',
      },
    );
    expect(stdout).toBe(readFileSync(file, 'utf8'));
  });

  test.runIf(hasTerminal)('hold nothing that acts upon a screen, in whatever form and place', async () => {
    const machine = machineWithTeam();
    await keepOne(machine, 'Go.', { HOSTILE: 'escapes' });
    const control = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/u;
    const { code, screen } = await runInTerminal(machine, { args: ['export'], env: { NO_COLOR: '1' } });
    expect(code).toBe(0);
    expect(screen).toContain('END-ESCAPES');
    expect(screen).not.toMatch(control);
    for (const format of ['md', 'html', 'json', 'jsonl'])
      expect(await outputOf(machine, 'export', '--format', format)).not.toMatch(control);
  });
});
