import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { noTotals, SessionFiles } from '../../../src/agents/rehearsal/sessionFiles.js';
import { root } from '../../cli/runHuddle.js';
import { makeTemporaryFolder } from '../../config/temporaryFolder.js';

const READS = 20_000;

test('a session can be read while another process writes it: as it was before, or as it is then', async () => {
  const folder = makeTemporaryFolder();
  const module = join(root, 'compiled', 'agents', 'rehearsal', 'sessionFiles.js');
  const writer = spawn(process.execPath, [
    '--input-type=module',
    '--eval',
    `import { noTotals, SessionFiles } from ${JSON.stringify(module)};
    const files = new SessionFiles(${JSON.stringify(folder)});
    for (let usd = 1; ; usd++) {
      files.save({ sessionId: 's', totals: { ...noTotals, usd } });
      if (usd === 1) console.log('begun');
    }`,
  ]);
  onTestFinished(() => void writer.kill('SIGKILL'));
  await once(writer.stdout, 'data');
  const files = new SessionFiles(folder);
  let last = 0;
  for (let read = 0; read < READS; read++) {
    const { usd } = files.find('s')?.totals ?? noTotals;
    expect(usd).toBeGreaterThanOrEqual(Math.max(last, 1));
    last = usd;
  }
  writer.kill('SIGKILL');
  await once(writer, 'close');
  new SessionFiles(folder).save({ sessionId: 's', totals: noTotals });
  expect(readdirSync(folder).filter((name) => !name.endsWith('.json')).length).toBeLessThanOrEqual(1);
});
