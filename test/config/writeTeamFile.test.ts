import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findSchemaPlace, writeTeamFile } from '../../src/config/writeTeamFile.js';
import { makeTemporaryFolder } from './temporaryFolder.js';

const SCHEMA_IN_PACKAGE = join('node_modules', 'agent-huddle', 'schema', 'huddle.schema.json');

function folderWithPackage(): string {
  const folder = makeTemporaryFolder();
  mkdirSync(join(folder, SCHEMA_IN_PACKAGE, '..'), { recursive: true });
  writeFileSync(join(folder, SCHEMA_IN_PACKAGE), '{}');
  return folder;
}

describe('findSchemaPlace', () => {
  it('is in the package where that is installed in the folder', () => {
    expect(findSchemaPlace(folderWithPackage())).toEqual({ reference: `./${SCHEMA_IN_PACKAGE}` });
  });

  it('is in the package where that is installed in a folder above', () => {
    const folder = join(folderWithPackage(), 'packages', 'wiki');
    expect(findSchemaPlace(folder)).toEqual({ reference: `../../${SCHEMA_IN_PACKAGE}` });
  });

  it('is a copy beside the team file everywhere else', () => {
    const folder = makeTemporaryFolder();
    expect(findSchemaPlace(folder)).toEqual({
      reference: './huddle.schema.json',
      copy: join(folder, 'huddle.schema.json'),
    });
  });
});

describe('writeTeamFile', () => {
  const write = (folder: string, text: string): Promise<void> =>
    writeTeamFile({ file: join(folder, 'huddle.jsonc'), text, schemaPlace: findSchemaPlace(folder) });

  it('writes both files, for everybody to read as the umask has it, and nothing beside them', async () => {
    const folder = makeTemporaryFolder();
    await write(folder, 'old');
    await write(folder, 'new');
    expect(readdirSync(folder).toSorted()).toEqual(['huddle.jsonc', 'huddle.schema.json']);
    expect(readFileSync(join(folder, 'huddle.jsonc'), 'utf8')).toBe('new');
    expect(statSync(join(folder, 'huddle.jsonc')).mode & 0o777).toBe(0o666 & ~process.umask());
  });

  it('takes back a copy of the schema when the team file cannot be written, and keeps one that was there', async () => {
    const folder = makeTemporaryFolder();
    mkdirSync(join(folder, 'huddle.jsonc'));
    await expect(write(folder, 'text')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder)).toEqual(['huddle.jsonc']);
    writeFileSync(join(folder, 'huddle.schema.json'), '{}');
    await expect(write(folder, 'text')).rejects.toMatchObject({ code: 'EISDIR' });
    expect(readdirSync(folder).toSorted()).toEqual(['huddle.jsonc', 'huddle.schema.json']);
  });
});
