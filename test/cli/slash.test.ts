import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { hasTmux, TmuxScreen } from '../frontends/tui/TmuxScreen.js';
import type { Machine } from './runHuddle.js';
import { createSquad } from './squad.js';
import { keepOne, machineWithTeam, outputOf } from './storedSessions.js';

const ANSWER = { HOSTILE: 'fixed', HOSTILE_TEXT: 'Signed cookies, 小明.' };

function startHuddle({ env, project }: Machine, args: readonly string[] = [], size = {}): TmuxScreen {
  return new TmuxScreen({
    program: '../../../dist/cli/huddle.js',
    args,
    columns: 100,
    rows: 40,
    folder: project,
    env: { ...env, ...ANSWER },
    ...size,
  });
}

async function startTeam(size = {}): Promise<{ machine: Machine; screen: TmuxScreen }> {
  const machine = machineWithTeam();
  await machine.trust();
  const screen = startHuddle(machine, [], size);
  await screen.until('Type a message.');
  return { machine, screen };
}

function submit(screen: TmuxScreen, line: string): void {
  screen.type(line);
  screen.press('Enter');
}

async function ask(screen: TmuxScreen, line: string): Promise<void> {
  submit(screen, line);
  await screen.until('Signed cookies, 小明.');
  await screen.until('waiting for you');
}

describe.skipIf(!hasTmux())('a slip in the name of a member', { timeout: 60_000 }, () => {
  test.each(['@mxa Where is it set?', 'Where is it set? @mxa'])('%s is asked about first', async (line) => {
    const { screen } = await startTeam();
    submit(screen, line);
    await screen.until('No member named "mxa". Did you mean @max? To send it as it is, send it again.');
    expect(screen.everything().join('\n')).not.toContain('Signed cookies');
    screen.press('Enter');
    await screen.until('Signed cookies, 小明.');
  });

  test.each(['@types/node is missing', 'See @median.mjs', '@nobody is to blame', '@ALL hello'])(
    '%s is a message',
    async (line) => {
      const { screen } = await startTeam();
      await ask(screen, line);
    },
  );
});

describe.skipIf(!hasTmux())('/exit', { timeout: 60_000 }, () => {
  test.each(['/exit', '/quit', '/EXIT', '/q'])('%s leaves', async (line) => {
    const { screen } = await startTeam();
    submit(screen, line);
    await screen.until('code: 0');
  });
});

describe.skipIf(!hasTmux())('/new', { timeout: 60_000 }, () => {
  test.each(['/new', '/clear'])('%s saves the session and opens another with the same team', async (line) => {
    const { machine, screen } = await startTeam();
    await ask(screen, 'How would you build it?');
    submit(screen, line);
    await screen.until((rows) => rows.some((row) => /Saved as .*\. To return: \/resume /u.test(row)));
    await screen.until('New session.');
    submit(screen, '/cost');
    await screen.until('No usage reported yet.');
    await ask(screen, 'Something else.');
    submit(screen, '/exit');
    await screen.until('To continue: huddle -c');
    await screen.until('code: 0');
    const { stdout } = await machine.run(['sessions', '--json']);
    expect(JSON.parse(stdout)).toHaveLength(2);
  });

  test('waits for a turn that runs', async () => {
    const squad = await createSquad();
    squad.hold('max');
    const screen = startHuddle(squad.machine);
    await screen.until('Type a message.');
    submit(screen, 'Go.');
    await screen.until('max is thinking');
    submit(screen, '/new');
    await screen.until('max is working. Stop it first (/cancel), or wait.');
    screen.press('Escape');
    await screen.until('max was stopped.');
    submit(screen, '/new');
    await screen.until('New session.');
  });

  test('can be asked for many times', async () => {
    const { screen } = await startTeam();
    for (let count = 1; count <= 12; count++) {
      submit(screen, `/task number ${count}`);
      await screen.until(`Team task: number ${count}`);
      await screen.until('waiting for you');
      submit(screen, '/new');
      await screen.until((rows) => rows.at(-1)?.trim() === 'ready');
    }
    submit(screen, '/exit');
    await screen.until('code: 0');
    expect(screen.everything().join('\n')).not.toContain('MaxListeners');
  });
});

describe.skipIf(!hasTmux())('/resume', { timeout: 60_000 }, () => {
  test('switches to another session by its id, and back', async () => {
    const machine = machineWithTeam();
    const id = await keepOne(machine, 'An older question. [NEXT: max]');
    await machine.trust();
    const screen = startHuddle(machine);
    await screen.until('Type a message.');
    await ask(screen, 'How would you build it?');
    submit(screen, `/resume ${id.slice(-4)}`);
    await screen.until('An older question.');
    await screen.until('Your turn.');
    submit(screen, '/status');
    await screen.until((rows) => rows.some((row) => row.includes(`session`) && row.includes(id)));
    const [, first = ''] = /Saved as (\S+)\. To return/u.exec(screen.everything().join('\n')) ?? [];
    submit(screen, `/resume ${first}`);
    await screen.until((rows) => {
      const [, after = ''] = rows.join('\n').split(`Saved as ${id}`);
      return after.includes('  How would you build it?') && after.includes('Your turn.');
    });
    submit(screen, '/exit');
    await screen.until('code: 0');
  });

  test('stays where it is when there is no such session, and keeps the line', async () => {
    const { screen } = await startTeam();
    await ask(screen, 'How would you build it?');
    submit(screen, '/resume nowhere');
    const rows = await screen.until('No session "nowhere".');
    expect(rows.at(-3)).toBe('  /resume nowhere');
  });

  test('refuses the session that is open', async () => {
    const { machine, screen } = await startTeam();
    await ask(screen, 'How would you build it?');
    const { stdout } = await machine.run(['sessions', '--json']);
    submit(screen, `/resume ${JSON.parse(stdout)[0].id}`);
    await screen.until('This is that session.');
  });

  test('without an id lets the user pick one', async () => {
    const machine = machineWithTeam();
    await keepOne(machine, 'An older question. [NEXT: max]');
    await keepOne(machine, 'A newer question. [NEXT: max]');
    await machine.trust();
    const screen = startHuddle(machine);
    await screen.until('Type a message.');
    submit(screen, '/resume');
    await screen.until('Resume which session?');
    screen.type('older');
    screen.press('Enter');
    await screen.until('An older question.');
    await screen.until('waiting for you');
    submit(screen, '/resume');
    await screen.until('Resume which session?');
    screen.press('Escape');
    await screen.until('waiting for you');
    submit(screen, '/status');
    await screen.until('· An older question.');
  });

  test('without an id and without another session stays', async () => {
    const { screen } = await startTeam();
    submit(screen, '/resume');
    await screen.until('No other saved sessions in this folder.');
  });
});

describe.skipIf(!hasTmux())('/export', { timeout: 60_000 }, () => {
  test('writes Markdown into the folder, and never over a file', async () => {
    const { machine, screen } = await startTeam();
    await ask(screen, 'How would you build it?');
    submit(screen, '/export');
    await screen.until((rows) => rows.some((row) => /Exported to huddle-\d{8}-\S+\.md/u.test(row)));
    submit(screen, '/export');
    await screen.until((rows) => rows.some((row) => /Exported to huddle-\S+-2\.md/u.test(row)));
    submit(screen, '/export page.html');
    await screen.until('Exported to page.html');
    submit(screen, '/export page.html');
    const rows = await screen.until('page.html already exists. Choose another name.');
    expect(rows.at(-3)).toBe('  /export page.html');
    screen.press('C-u');
    submit(screen, '/export notes.pdf');
    await screen.until('Cannot export as .pdf. Use .md, .json, .jsonl or .html.');
    screen.press('C-u');
    submit(screen, '/export log.jsonl');
    await screen.until('Exported to log.jsonl');
    const files = readdirSync(machine.project).filter((file) => file.startsWith('huddle-'));
    expect(files).toHaveLength(2);
    for (const file of files)
      expect(readFileSync(join(machine.project, file), 'utf8')).toContain('How would you build it?');
    expect(readFileSync(join(machine.project, 'page.html'), 'utf8')).toContain('<!doctype html>');
    expect(readFileSync(join(machine.project, 'log.jsonl'), 'utf8')).toContain('"conversation-start"');
  });
});

describe.skipIf(!hasTmux())('what can be asked about a session', { timeout: 60_000 }, () => {
  test('/status says where it is, who is in it and what it has used', async () => {
    const { screen } = await startTeam();
    await ask(screen, 'How would you build it?');
    submit(screen, '/status');
    const text = (await screen.until('version')).join('\n');
    expect(text).toMatch(/session {2,}\d{8}-\d{4}-[0-9a-f]{4} · How would you build it\?/u);
    expect(text).toMatch(/folder {2,}~\/project/u);
    expect(text).toMatch(/team {2,}team · huddle\.jsonc/u);
    expect(text).toMatch(/max {2,}Claude Code · read-only · default model · idle/u);
    expect(text).toMatch(/queue {2,}empty/u);
    expect(text).toMatch(/limits {2,}1 of 20 turns in a row/u);
    expect(text).toMatch(/data {2,}~\/data/u);
  });

  test('/model says which models there are and how to change them, /compact what does it', async () => {
    const machine = machineWithTeam({
      max: { agentType: 'claude', model: 'opus' },
      sarah: { agentType: 'codex' },
    });
    await machine.trust();
    const screen = startHuddle(machine);
    const rows = await screen.until('Type a message.');
    expect(rows).toContain('● max  Claude Code · read-only · opus');
    expect(rows).toContain('  ~/project');
    submit(screen, '/model');
    const shown = (await screen.until('huddle --model')).join('\n');
    expect(shown).toMatch(/max {2,}Claude Code · opus/u);
    expect(shown).toMatch(/sarah {2,}Codex · default model/u);
    submit(screen, '/compact');
    await screen.until('Nothing to compact');
    submit(screen, '/login');
    await screen.until('Unknown command /login.');
  });

  test('/why shows the very text that a turn was sent, and says how', async () => {
    const { machine, screen } = await startTeam();
    await ask(screen, 'Where is it set?');
    submit(screen, '/why 1 please');
    await screen.until('/why 3 prompt shows');
    screen.press('C-u');
    submit(screen, '/why 1 prompt');
    const said = 'The system prompt was sent separately. To see it: /why turn-1 system';
    const rows = await screen.until(said);
    const shown = rows.slice(rows.indexOf('  /why 1 prompt') + 1, rows.indexOf(`  ${said}`) - 1);
    const prompt = await outputOf(machine, 'why', '1', '--prompt');
    expect(shown.map((row) => row.trim())).toEqual(prompt.split('\n').map((row) => row.trim()));
    submit(screen, '/why --system');
    await screen.until('You are max');
  });

  test('/help is grouped, and hangs at 40 columns', async () => {
    const { screen } = await startTeam({ columns: 40, rows: 100 });
    submit(screen, '/help');
    const rows = await screen.until('/quit');
    expect(rows).toEqual(
      expect.arrayContaining([
        '  Keys',
        '  Conversation',
        '  Session',
        '  /why        explain the last prompt;',
        '              /why 3 prompt: its text',
      ]),
    );
  });

  test('/cost says what is known of commands, which report nothing', async () => {
    const machine = machineWithTeam({ tests: { agentType: 'command', command: ['/bin/echo', 'passed'] } });
    await machine.trust();
    const screen = startHuddle(machine);
    await screen.until('Type a message.');
    submit(screen, 'Run them.');
    await screen.until('passed');
    await screen.until('waiting for you');
    submit(screen, '/cost');
    await screen.until('No usage data: tests (1 turn).');
  });
});

describe.skipIf(!hasTmux())('a turn that was stopped', { timeout: 60_000 }, () => {
  test('offers /retry, and Enter does nothing that is not announced', async () => {
    const squad = await createSquad({ limits: { agentTurns: 2 } });
    squad.hold('max');
    const screen = startHuddle(squad.machine);
    await screen.until('Type a message.');
    submit(screen, 'Go.');
    await screen.until('max is thinking');
    screen.press('Escape');
    await screen.until('max was stopped. /retry reruns it.');
    const rows = await screen.until('/retry to rerun');
    expect(rows.at(-1)).not.toContain('Enter');
    screen.press('Enter');
    submit(screen, '/continue');
    await screen.until('Nothing is queued. /retry reruns unfinished turns.');
    expect(screen.rows().at(-1)).toContain('Paused: the turn was stopped');
    squad.release('max');
    submit(screen, '/retry');
    await screen.until('Three parts, then:');
    await screen.until('Paused: 2 agent turns in a row');
    await screen.until('Enter to continue');
    screen.press('Enter');
    await screen.until('Where the signing key leaks.');
  });

  test('continues with those who are queued on Enter', async () => {
    const squad = await createSquad({ limits: { agentTurns: 2 } });
    squad.hold('max');
    const screen = startHuddle(squad.machine);
    await screen.until('Type a message.');
    submit(screen, 'Go. [NEXT: max, sarah]');
    await screen.until('max is thinking');
    screen.press('Escape');
    await screen.until('max was stopped. /retry reruns it.');
    const rows = await screen.until('Enter to continue');
    expect(rows.at(-1)).toContain('next sarah');
    screen.press('Enter');
    await screen.until('Where the signing key leaks.');
  });

  test('that is opened again offers what can be done', async () => {
    const squad = await createSquad();
    squad.hold('max');
    const screen = startHuddle(squad.machine);
    await screen.until('Type a message.');
    submit(screen, 'Go.');
    await screen.until('max is thinking');
    screen.press('Escape');
    await screen.until('max was stopped.');
    screen.press('C-d');
    await screen.until('code: 0');
    const again = startHuddle(squad.machine, ['-c']);
    const rows = await again.until('/retry reruns unfinished turns.');
    expect(rows.join('\n')).not.toContain('Enter to continue');
  });
});
