import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { parseTeamFile } from '../../src/config/parseTeamFile.js';
import { createTeamJsonSchema } from '../../src/config/teamSchema.js';

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');
const published = JSON.parse(read('schema/huddle.schema.json'));
const editor = z.fromJSONSchema(published);

describe('the published JSON Schema', () => {
  it('is what `npm run schema` writes', () => {
    expect(published).toEqual(createTeamJsonSchema());
  });

  it('accepts the example of the documentation', () => {
    const parsed = parseTeamFile(read('test/fixtures/auth-squad/huddle.jsonc'));
    expect(parsed.ok && editor.safeParse(parsed.value)).toMatchObject({ success: true });
  });

  it.each([
    ['an unknown field', { version: 1, members: [], nmae: '' }],
    ['an unknown agent type', { version: 1, members: [{ name: 'max', type: 'ai', agentType: 'cladue' }] }],
    ['no version', { members: [] }],
  ])('refuses %s', (_title, file) => {
    expect(editor.safeParse(file).success).toBe(false);
  });

  it('allows x- fields in every object', () => {
    const member = { name: 'max', type: 'ai', agentType: 'claude', 'x-note': 1 };
    expect(editor.safeParse({ version: 1, members: [member], 'x-note': 1 })).toMatchObject({ success: true });
  });

  it('describes every field', () => {
    expect(findUndescribed(published, '')).toEqual([]);
  });
});

type JsonSchema = z.core.JSONSchema.BaseSchema;

/** Pointers of the fields that an editor could say nothing about. */
function findUndescribed(schema: JsonSchema, pointer: string): string[] {
  const fields = Object.entries(schema.properties ?? {}) as [string, JsonSchema][];
  const inside = [schema.items, schema.additionalProperties, ...(schema.oneOf ?? [])].filter(
    (part): part is JsonSchema => typeof part === 'object' && !Array.isArray(part),
  );
  return [
    ...fields.filter(([, field]) => field.description === undefined).map(([name]) => `${pointer}/${name}`),
    ...fields.flatMap(([name, field]) => findUndescribed(field, `${pointer}/${name}`)),
    ...inside.flatMap((part) => findUndescribed(part, pointer)),
  ];
}
