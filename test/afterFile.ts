const closers = new Set<() => unknown>();

/**
 * Has this done once after all tests of the file that is running. For modules that several files import: they are loaded
 * once a process, and an `afterAll` of theirs would be the first file's alone.
 */
export function afterFile(close: () => unknown): void {
  closers.add(close);
}

/** Does what was asked for with `afterFile`, the last first. */
export async function closeFile(): Promise<void> {
  const asked = [...closers].reverse();
  closers.clear();
  for (const close of asked) await close();
}
