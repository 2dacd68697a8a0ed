/** `['members', 1]` → `/members/1`, a JSON pointer (RFC 6901). */
export function formatPointer(path: readonly PropertyKey[]): string {
  return path.map((step) => `/${String(step).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** The value at a path, by own properties only. */
export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let current = value;
  for (const step of path) {
    if (typeof current !== 'object' || current === null || !Object.hasOwn(current, step)) return undefined;
    current = Reflect.get(current, step);
  }
  return current;
}
