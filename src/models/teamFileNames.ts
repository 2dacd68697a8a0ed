/** File names of a team file, in the order of the search. */
export const TEAM_FILE_NAMES = ['huddle.jsonc', 'huddle.json'] as const;

/** The schema that `huddle init` puts next to it. */
export const SCHEMA_COPY_NAME = 'huddle.schema.json';
