// Takes a picture of an exported HTML page in a real browser.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { loadTeamFile } from '../../compiled/config/loadTeamFile.js';
import { explainTurns } from '../../compiled/coordinator/explainTurn.js';
import { createConversation } from '../../compiled/createConversation.js';
import { formatHtml } from '../../compiled/transcript/html.js';
import { createTranscript } from '../../compiled/transcript/Transcript.js';

const SIZE = { width: 1000, height: 1180 };
const BROWSERS = ['chromium', 'chromium-browser', 'google-chrome'];

/** The page of a short conversation of the example team `council`, as a PNG. */
export async function photographPage() {
  const folder = mkdtempSync(join(tmpdir(), 'huddle-picture-'));
  try {
    const [page, picture] = [join(folder, 'page.html'), join(folder, 'page.png')];
    writeFileSync(page, await makePage(folder));
    execFileSync(
      findBrowser(),
      [
        '--headless',
        '--no-sandbox',
        '--disable-gpu',
        '--hide-scrollbars',
        `--user-data-dir=${join(folder, 'profile')}`,
        `--window-size=${SIZE.width},${SIZE.height}`,
        `--screenshot=${picture}`,
        `file://${page}`,
      ],
      { stdio: 'ignore' },
    );
    return readFileSync(picture);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makePage(stateFolder) {
  const example = fileURLToPath(new URL('../../examples/council/', import.meta.url));
  const { team } = await loadTeamFile(join(example, 'huddle.jsonc'), { interactive: true });
  const rehearsal = { scriptFile: join(example, 'replies.json'), stateFolder };
  const conversation = await createConversation({ team, rehearsal });
  await conversation.send('Should sessions move to the server? [NEXT: architect]');
  await conversation.settled();
  const events = [];
  const plans = new Map();
  for await (const event of conversation.history()) events.push(event);
  for await (const turn of explainTurns(events)) plans.set(turn.turnId, turn);
  await conversation.close();
  return formatHtml(await createTranscript(events), { plans });
}

function findBrowser() {
  for (const name of BROWSERS) {
    try {
      return execFileSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).trim();
    } catch {
      // Not this one.
    }
  }
  throw new Error(`No browser found for the picture of the page: install one of ${BROWSERS.join(', ')}.`);
}
