import type { ConversationMessage, NewMessage, SpeakerType } from '../models/ConversationMessage.js';
import { InvalidSnapshotError } from '../models/errors.js';
import { type MessageId, messageNumber } from '../models/ids.js';
import { completeMessage } from './completeMessage.js';

/** Deeper than any message nests, shallow enough for every stack. */
const MAX_DEPTH = 64;
/** Leaves room to count on for ever. */
const MAX_MESSAGE_NUMBER = 1e15;
const SPEAKER_TYPES: ReadonlySet<unknown> = new Set<SpeakerType>(['human', 'ai', 'system']);

type Fields = Readonly<Record<string, unknown>>;

/** Reads a snapshot of unknown origin as a whole: what comes back is checked, complete and shares nothing with it. */
export function readSnapshot(
  value: unknown,
  clock: () => number,
): { readonly messages: ConversationMessage[]; readonly teamTask: string | null } {
  // The copy is what is checked, so that nothing can change between the check and the use.
  const snapshot = copyJson(requireObject(value, 'snapshot'), '');
  const { version, messages, teamTask, timestamp } = snapshot as Fields;
  if (version !== 1) throw new InvalidSnapshotError('version', `must be 1, not ${describe(version)}`);
  if (!Array.isArray(messages)) throw new InvalidSnapshotError('messages', 'must be an array');
  if (teamTask !== undefined && teamTask !== null) requireString(teamTask, 'teamTask');
  if (timestamp !== undefined) requireTime(timestamp, 'timestamp');
  return {
    messages: readMessages(messages, (message, id) => completeMessage(message, id, clock)),
    teamTask: typeof teamTask === 'string' ? teamTask : null,
  };
}

type Complete = (message: NewMessage, id: MessageId) => ConversationMessage;

function readMessages(values: readonly unknown[], complete: Complete): ConversationMessage[] {
  const firstPlace = new Map<string, number>();
  return Array.from(values, (value, index) => {
    const message = readMessage(value, `messages[${index}]`, complete);
    const earlier = firstPlace.get(message.id);
    if (earlier !== undefined) {
      throw new InvalidSnapshotError(`messages[${index}].id`, `repeats the id of messages[${earlier}]`);
    }
    firstPlace.set(message.id, index);
    return message;
  });
}

function readMessage(value: unknown, path: string, complete: Complete): ConversationMessage {
  const message = requireObject(value, path) as Fields;
  const id = requireString(message.id, `${path}.id`);
  if (id === '') throw new InvalidSnapshotError(`${path}.id`, 'must not be empty');
  if (messageNumber(id) > MAX_MESSAGE_NUMBER)
    throw new InvalidSnapshotError(`${path}.id`, 'has too large a number');
  requireString(message.content, `${path}.content`);
  checkSpeaker(message.speaker, `${path}.speaker`);
  if (message.timestamp !== undefined) requireTime(message.timestamp, `${path}.timestamp`);
  if (message.routing !== undefined) checkRouting(message.routing, `${path}.routing`);
  // Checked field by field above.
  return complete(message as unknown as NewMessage, id as MessageId);
}

function checkSpeaker(value: unknown, path: string): void {
  const { roleId, roleName, roleTitle, type } = requireObject(value, path) as Fields;
  if (requireString(roleId, `${path}.roleId`) === '')
    throw new InvalidSnapshotError(`${path}.roleId`, 'must not be empty');
  if (roleName !== undefined) requireString(roleName, `${path}.roleName`);
  if (roleTitle !== undefined) requireString(roleTitle, `${path}.roleTitle`);
  if (type !== undefined && !SPEAKER_TYPES.has(type)) {
    throw new InvalidSnapshotError(`${path}.type`, `must be human, ai or system, not ${describe(type)}`);
  }
}

function checkRouting(value: unknown, path: string): void {
  const { resolvedAddressees, claimedFrom } = requireObject(value, path) as Fields;
  if (claimedFrom !== undefined) requireString(claimedFrom, `${path}.claimedFrom`);
  if (resolvedAddressees === undefined) return;
  if (!Array.isArray(resolvedAddressees))
    throw new InvalidSnapshotError(`${path}.resolvedAddressees`, 'must be an array');
  Array.from(resolvedAddressees, (name, index) =>
    requireString(name, `${path}.resolvedAddressees[${index}]`),
  );
}

/** A deep copy of plain data, own properties only, with times as numbers; whatever JSON could not carry is refused. */
function copyJson(value: unknown, path: string, depth = 0): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (value instanceof Date) return copyTime(value, path);
  if (typeof value !== 'object')
    throw new InvalidSnapshotError(path, `must be plain data, not ${describe(value)}`);
  if (depth >= MAX_DEPTH) throw new InvalidSnapshotError(path, `is nested deeper than ${MAX_DEPTH}`);
  if (Array.isArray(value))
    return Array.from(value, (item, index) => copyJson(item, `${path}[${index}]`, depth + 1));
  const copy: Record<string, unknown> = {};
  for (const [key, field] of Object.entries(value)) {
    const fieldPath = path === '' ? key : `${path}.${key}`;
    if (key === '__proto__') throw new InvalidSnapshotError(fieldPath, 'is no name for a field');
    if (field !== undefined) copy[key] = copyJson(field, fieldPath, depth + 1);
  }
  return copy;
}

function copyTime(date: Date, path: string): number {
  requireTime(date.getTime(), path);
  return date.getTime();
}

function requireObject(value: unknown, path: string): object {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  throw new InvalidSnapshotError(path, `must be an object, not ${describe(value)}`);
}

function requireString(value: unknown, path: string): string {
  if (typeof value === 'string') return value;
  throw new InvalidSnapshotError(path, `must be a string, not ${describe(value)}`);
}

function requireTime(value: unknown, path: string): void {
  if (typeof value === 'number' && Number.isFinite(value)) return;
  throw new InvalidSnapshotError(path, `must be epoch milliseconds, not ${describe(value)}`);
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'object' ? (Array.isArray(value) ? 'an array' : 'an object') : `${typeof value}`;
}
