// Writes `schema/huddle.schema.json`, which editors use for team files, from the schema that checks them.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { runnerImport } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));
const { module } = await runnerImport(join(root, 'src', 'config', 'teamSchema.ts'), {
  root,
  logLevel: 'error',
});

mkdirSync(join(root, 'schema'), { recursive: true });
writeFileSync(
  join(root, 'schema', 'huddle.schema.json'),
  `${JSON.stringify(module.createTeamJsonSchema(), null, 2)}\n`,
);
