// What the picture shows: the terminal program with the team of `examples/council`, whose stand-ins follow its script.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runTerminal } from '../dist/cli/runTerminal.cjs';
import { loadTeamFile } from '../dist/config/loadTeamFile.js';
import { createConversation } from '../dist/createConversation.js';

const example = fileURLToPath(new URL('../examples/council/', import.meta.url));
const stateFolder = mkdtempSync(join(tmpdir(), 'huddle-picture-'));
const { team } = await loadTeamFile(join(example, 'huddle.jsonc'), { interactive: true });
const conversation = await createConversation({
  // As if the user had set them: otherwise the status line would name the two whose prices are unknown.
  team: { ...team, prices: ['codex', 'gemini'].map((model) => ({ model, input: 1, output: 10 })) },
  rehearsal: { scriptFile: join(example, 'replies.json'), stateFolder },
});
try {
  await runTerminal(conversation, {});
} finally {
  await conversation.close();
  rmSync(stateFolder, { recursive: true, force: true });
}
