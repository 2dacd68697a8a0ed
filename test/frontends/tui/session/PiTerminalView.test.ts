import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { english } from '../../../../src/catalogue/english.js';
import { PiTerminalView } from '../../../../src/frontends/tui/session/PiTerminalView.js';
import type { ViewSource } from '../../../../src/frontends/tui/session/TerminalView.js';

test('variables that pi-tui reads are left to agents, and make it keep no file of the screen', () => {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-screen-'));
  const file = join(folder, 'screen.log');
  vi.stubEnv('PI_HOLE', 'x');
  vi.stubEnv('PI_TUI_WRITE_LOG', file);
  const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true);
  onTestFinished(() => {
    write.mockRestore();
    vi.unstubAllEnvs();
    rmSync(folder, { recursive: true });
  });
  const source = { words: english, completion: { listMembers: () => [], commands: [] } };
  const view = new PiTerminalView(source as unknown as ViewSource);
  view.notify('Your turn');
  expect(write.mock.calls.join('')).toContain('Your turn');
  expect(process.env).toMatchObject({ PI_HOLE: 'x', PI_TUI_WRITE_LOG: file });
  expect(existsSync(file)).toBe(false);
});
