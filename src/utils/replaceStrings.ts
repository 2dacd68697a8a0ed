/** Puts other strings into the place of those in a value that `JSON.parse` made, in all its depths. */
export function replaceStrings(value: unknown, replace: (text: string) => string): unknown {
  if (typeof value === 'string') return replace(value);
  if (typeof value !== 'object' || value === null) return value;
  const fields = value as Record<string, unknown>;
  for (const key in fields) {
    const field = fields[key];
    const replaced = replaceStrings(field, replace);
    if (replaced !== field) fields[key] = replaced;
  }
  return value;
}
