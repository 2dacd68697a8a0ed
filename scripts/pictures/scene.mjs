// The terminal program with the team of a folder, whose simulated agents follow the script beside it. Run as
// `node scene.mjs FOLDER`; FOLDER has `huddle.jsonc` and `replies.json`.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { english } from '../../compiled/catalogue/english.js';
import { loadTeamFile } from '../../compiled/config/loadTeamFile.js';
import { createConversation } from '../../compiled/createConversation.js';
import { runTerminal } from '../../compiled/frontends/tui/runTerminal.js';

const [folder] = process.argv.slice(2);
const stateFolder = mkdtempSync(join(tmpdir(), 'huddle-picture-'));
const { team } = await loadTeamFile(join(folder, 'huddle.jsonc'), { interactive: true });
const conversation = await createConversation({
  // As if the user had set them: otherwise the status line would name the two whose prices are unknown.
  team: { ...team, prices: ['codex', 'gemini'].map((model) => ({ model, input: 1, output: 10 })) },
  interactive: true,
  rehearsal: { scriptFile: join(folder, 'replies.json'), stateFolder, pace: 25 },
});
try {
  await runTerminal(conversation, { words: english });
} finally {
  await conversation.close();
  rmSync(stateFolder, { recursive: true, force: true });
}
