/** A parsed JSON object that was not checked; read only through the functions below. */
export type UnknownRecord = Readonly<Record<string, unknown>>;

export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Own properties only: the writer of the record does not get to reach its prototype. */
export function fieldOf(value: unknown, key: string): unknown {
  return isRecord(value) && Object.hasOwn(value, key) ? value[key] : undefined;
}

export function textOf(value: unknown, key: string): string | undefined {
  const field = fieldOf(value, key);
  return typeof field === 'string' ? field : undefined;
}

export function numberOf(value: unknown, key: string): number | undefined {
  const field = fieldOf(value, key);
  return Number.isFinite(field) ? (field as number) : undefined;
}

export function listOf(value: unknown, key: string): readonly unknown[] {
  const field = fieldOf(value, key);
  return Array.isArray(field) ? field : [];
}

/** The values of an object's own properties. */
export function valuesOf(value: unknown): readonly unknown[] {
  return isRecord(value) ? Object.values(value) : [];
}

/** Looks up a word that came from outside, so that `constructor` is not found in every table. */
export function lookUp<Entry>(table: Readonly<Record<string, Entry>>, word: unknown): Entry | undefined {
  return typeof word === 'string' && Object.hasOwn(table, word) ? table[word] : undefined;
}
