// Writes what is published in `schema/` from the schemas that the program itself checks with: `huddle.schema.json`, which
// editors use for team files, and `conversation-event.schema.json`, for programs that read `stream-json`.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { createTeamJsonSchema } = await importSource('config/teamSchema.ts');
const { createEventJsonSchema } = await importSource('store/eventSchema.ts');

mkdirSync(join(root, 'schema'), { recursive: true });
write('huddle.schema.json', createTeamJsonSchema());
write('conversation-event.schema.json', createEventJsonSchema());

async function importSource(file) {
  const { module } = await runnerImport(join(root, 'src', file), { root, logLevel: 'error' });
  return module;
}

function write(name, schema) {
  writeFileSync(join(root, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
