import { existsSync, lstatSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { SCHEMA_COPY_NAME } from '../models/Team.js';
import { replaceFile } from './privateFile.js';
import { createTeamJsonSchema, TEAM_SCHEMA_DESCRIPTION } from './teamSchema.js';

/** Path of the schema for editors: in the package if it is installed in the project, else next to the team file. */
export interface SchemaPlace {
  /** As `$schema` says it, relative to the team file. */
  readonly reference: string;
  /** A copy that has to be written. */
  readonly copy?: string;
}

const INSTALLED = join('node_modules', 'agent-huddle', 'schema', 'huddle.schema.json');

/** Finds the place of the schema. An address on the web would not resolve offline, nor a path into one's home for anyone else. */
export function findSchemaPlace(folder: string): SchemaPlace {
  for (let current = folder; ; current = dirname(current)) {
    const file = join(current, INSTALLED);
    if (existsSync(file)) return { reference: asReference(relative(folder, file)) };
    if (current === dirname(current))
      return { reference: `./${SCHEMA_COPY_NAME}`, copy: join(folder, SCHEMA_COPY_NAME) };
  }
}

/** Finds a file of another origin in the place of the copy; what we wrote before is known by its description. */
export function findForeignSchema(folder: string): string | undefined {
  const { copy } = findSchemaPlace(folder);
  if (copy === undefined || lstatSync(copy, { throwIfNoEntry: false }) === undefined) return undefined;
  return isOurSchema(copy) ? undefined : copy;
}

function isOurSchema(file: string): boolean {
  try {
    if (!lstatSync(file).isFile()) return false;
    return JSON.parse(readFileSync(file, 'utf8')).description === TEAM_SCHEMA_DESCRIPTION;
  } catch {
    return false; // What cannot be read is nothing that we wrote.
  }
}

function asReference(path: string): string {
  return path.startsWith('..') ? path : `./${path}`;
}

export interface TeamFileOrder {
  readonly file: string;
  readonly text: string;
  readonly schemaPlace: SchemaPlace;
}

/** Writes the team file last: if it exists, what it names exists. A failure leaves nothing new behind. */
export async function writeTeamFile({ file, text, schemaPlace: { copy } }: TeamFileOrder): Promise<void> {
  const isNewCopy = copy !== undefined && !existsSync(copy);
  if (copy !== undefined) await replaceFile(copy, [`${JSON.stringify(createTeamJsonSchema(), null, 2)}\n`]);
  try {
    await replaceFile(file, [text]);
  } catch (error) {
    if (isNewCopy) await rm(copy, { force: true });
    throw error;
  }
}
