import type { RecordedEvent } from '../models/ConversationEvent.js';
import { HuddleError } from '../models/errors.js';

/** Throws INVALID_EVENT if an event would come back from JSON as another one than it was. */
export function requireWritable(event: RecordedEvent): void {
  const fault = findUnwritable(event, '');
  if (fault !== null)
    throw new HuddleError(
      'INVALID_EVENT',
      `Event ${event.seq} cannot be saved: ${fault}, which JSON cannot hold.`,
    );
}

/** Fields that are undefined are as good as absent; in a list they would become null. */
function findUnwritable(value: unknown, path: string): string | null {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return null;
  if (typeof value === 'number') return Number.isFinite(value) ? null : `${path} is ${value}`;
  if (Array.isArray(value))
    return findFirst(value.keys(), (index) => findUnwritable(value[index], join(path, index)));
  if (!isPlainObject(value)) return `${path} is ${nameKind(value)}`;
  return findFirst(Object.entries(value), ([key, field]) =>
    field === undefined ? null : findUnwritable(field, join(path, key)),
  );
}

function isPlainObject(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  const prototype = Object.getPrototypeOf(value);
  return prototype === Object.prototype || prototype === null;
}

function findFirst<Item>(items: Iterable<Item>, find: (item: Item) => string | null): string | null {
  for (const item of items) {
    const found = find(item);
    if (found !== null) return found;
  }
  return null;
}

function join(path: string, key: string | number): string {
  return path === '' ? String(key) : `${path}.${key}`;
}

function nameKind(value: unknown): string {
  if (value === undefined) return 'undefined';
  return `a ${typeof value === 'object' ? value?.constructor.name : typeof value}`;
}
