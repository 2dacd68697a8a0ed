// Draws the pictures of the documentation from real runs. `npm run picture` draws all, `npm run picture -- approval` one;
// `--output FOLDER` puts them elsewhere. Needs tmux, and Chromium for the pictures of pages.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { drawBudget } from './drawBudget.mjs';
import { drawFanouts } from './drawFanouts.mjs';
import { drawRecording } from './drawRecording.mjs';
import { drawTerminal } from './drawTerminal.mjs';
import { photographPage } from './photographPage.mjs';
import { photographWeb, WEB_PICTURES } from './photographWeb.mjs';
import { record, scenes, takePicture } from './scenes.mjs';

const PICTURES = {
  'huddle.svg': async () => drawTerminal(await takePicture(scenes.council), scenes.council),
  'recording.svg': async () => drawRecording(await record(scenes.council), scenes.council),
  'approval.svg': async () => drawTerminal(await takePicture(scenes.approval), scenes.approval),
  'why.svg': async () => drawTerminal(await takePicture(scenes.why), scenes.why),
  'fanouts.svg': drawFanouts,
  'budget.svg': drawBudget,
  'page.png': photographPage,
  ...Object.fromEntries(
    Object.entries(WEB_PICTURES).map(([file, picture]) => [file, () => photographWeb(picture)]),
  ),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { output: { type: 'string' } },
});
const folder = resolve(values.output ?? fileURLToPath(new URL('../../docs/pictures', import.meta.url)));
const unknown = positionals.filter(
  (name) => !Object.keys(PICTURES).some((file) => file.startsWith(`${name}.`)),
);
if (unknown.length > 0)
  throw new Error(`No picture ${unknown.join(', ')}. Pictures: ${Object.keys(PICTURES).join(', ')}.`);

mkdirSync(folder, { recursive: true });
for (const [file, draw] of Object.entries(PICTURES)) {
  if (positionals.length > 0 && !positionals.some((name) => file.startsWith(`${name}.`))) continue;
  writeFileSync(join(folder, file), await draw());
  console.log(`Drew ${file}`);
}
